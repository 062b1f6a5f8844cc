import HarmonySQLite
import LarderModel
import LarderStoreBase

extension ByteBuffer {
  /// Appends the notation of a key that is borrowed from SQLite.
  ///
  /// - Parameters:
  ///   - count: The number of key columns.
  ///   - style: The notation of keys that consist of one column.
  ///   - value: Returns the value of a column, numbered from 0.
  mutating func append(
    notationOf count: Int, _ style: KeyStyle, _ value: (Int) -> SQLiteLentValue
  ) {
    guard count != 1 else {
      switch value(0) {
      case .integer(let number): append(digitsOf: number)
      case .text(let bytes) where EntryKey.isPlain(bytes): append(bytes)
      case let other: EntryKey(other.copy).appendNotation(style, to: &self)
      }
      return
    }
    append(UInt8(ascii: "("))
    for place in 0..<count {
      if place > 0 { append(UInt8(ascii: ",")) }
      switch value(place) {
      case .integer(let number): append(digitsOf: number)
      case .text(let bytes) where EntryKey.isPlainPart(bytes): append(bytes)
      case let other: append(EntryKey(other.copy).notation(.typed, isPart: true))
      }
    }
    append(UInt8(ascii: ")"))
  }

  /// Appends a value that is borrowed from SQLite as JSON.
  mutating func append(json value: SQLiteLentValue) {
    switch value {
    case .null: append(literal: "null")
    case .integer(let number): append(digitsOf: number)
    case .real(let number): append(json: number)
    case .text(let bytes): append(jsonText: bytes)
    case .blob(let bytes): append(json: bytes, isText: false)
    }
  }
}

extension KeyMatcher {
  /// Returns whether a key that is borrowed from SQLite satisfies all conditions; text is tested
  /// without copying it.
  func matches(keyOf count: Int, _ value: (Int) -> SQLiteLentValue) -> Bool {
    if count == 1, case .text(let bytes) = value(0) { return matches(bytes) }
    if hasDashes, count == 1, case .blob = value(0) { return matches(EntryKey(value(0).copy)) }
    notation.truncate(to: 0)
    notation.append(notationOf: count, .typed, value)
    return notation.withBytes { bytes in
      matches(bytes, of: EntryKey(parts: (0..<count).map { value($0).copy }))
    }
  }
}

extension TermMatcher {
  /// Returns whether the pattern occurs in a value that is borrowed from SQLite; in numbers, digits
  /// are searched.
  func occurs(in value: SQLiteLentValue) -> Bool {
    switch value {
    case .null: false
    case .text(let bytes): occurs(in: bytes)
    case .blob(let bytes): occurs(inData: bytes)
    case .integer(let number): mayOccurInNumbers && occurs(in: StoredValue.integer(number))
    case .real(let number): mayOccurInNumbers && occurs(in: StoredValue.real(number))
    }
  }
}
