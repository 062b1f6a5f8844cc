import HarmonySQLite
import LarderModel

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
      case let other: EntryKey(SQLiteValue(other)).appendNotation(style, to: &self)
      }
      return
    }
    append(UInt8(ascii: "("))
    for place in 0..<count {
      if place > 0 { append(UInt8(ascii: ",")) }
      switch value(place) {
      case .integer(let number): append(digitsOf: number)
      case .text(let bytes) where EntryKey.isPlainPart(bytes): append(bytes)
      case let other: append(EntryKey(SQLiteValue(other)).notation(.typed, isPart: true))
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

extension SQLiteValue {
  /// Copies a borrowed value.
  init(_ value: SQLiteLentValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let bytes):
      let bytes = bytes.assumingMemoryBound(to: UInt8.self)
      self =
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(Array(bytes))
    case .blob(let bytes): self = .blob(Array(bytes))
    }
  }
}
