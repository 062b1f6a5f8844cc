import CSQLite

/// An encoder that concatenates values in a compact form.
///
/// Equal bytes mean equal values of equal types.
struct SQLiteRowWriter {
  var bytes: [UInt8] = []

  enum Tag: UInt8 {
    case null, integer, real, text, blob
    /// A column that was added after the row was stored.
    case absent
  }

  mutating func append(_ values: [SQLiteValue]) {
    for value in values { append(value) }
  }

  mutating func append(_ value: SQLiteValue) {
    switch value {
    case .null: bytes.append(Tag.null.rawValue)
    case .integer(let number): append(number)
    case .real(let number): append(number)
    case .text(let text): append(.text, Array(text.utf8))
    case .malformedText(let text): append(.text, text)
    case .blob(let blob): append(.blob, blob)
    }
  }

  /// Appends a borrowed value.
  ///
  /// - Parameters:
  ///   - cell: The value.
  ///   - encoding: The text encoding of the database.
  ///   - isReal: Whether the column has real affinity; SQLite stores its integral values as
  ///     integers.
  mutating func append(_ cell: OpaquePointer?, _ encoding: SQLiteEncoding, isReal: Bool) {
    switch sqlite3_value_type(cell) {
    case SQLITE_INTEGER where isReal: append(Double(sqlite3_value_int64(cell)))
    case SQLITE_INTEGER: append(sqlite3_value_int64(cell))
    case SQLITE_FLOAT: append(sqlite3_value_double(cell))
    case SQLITE_TEXT where encoding == .utf8: append(.text, lent: SQLiteCell(cell, encoding).bytes)
    case SQLITE_TEXT: append(SQLiteCell(cell, encoding).value)
    case SQLITE_BLOB: append(.blob, lent: SQLiteCell(cell, encoding).bytes)
    default: bytes.append(Tag.null.rawValue)
    }
  }

  private mutating func append(_ number: Int64) {
    bytes.append(Tag.integer.rawValue)
    append(count: Int(number))
  }

  private mutating func append(_ number: Double) {
    bytes.append(Tag.real.rawValue)
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
  }

  private mutating func append(_ tag: Tag, _ content: [UInt8]) {
    bytes.append(tag.rawValue)
    append(bytes: content)
  }

  private mutating func append(_ tag: Tag, lent content: UnsafeRawBufferPointer) {
    bytes.append(tag.rawValue)
    append(count: content.count)
    bytes += content
  }

  mutating func append(bytes content: [UInt8]) {
    append(count: content.count)
    bytes += content
  }

  /// Appends an integer as a variable-length number, with zigzag encoding for negative ones.
  mutating func append(count number: Int) {
    var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> (Int.bitWidth - 1)))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// A decoder for the output of ``SQLiteRowWriter``, which returns nil for damaged input.
struct SQLiteRowReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func values(_ count: Int) -> [SQLiteValue]? {
    var values: [SQLiteValue] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      guard let value = value() else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func value() -> SQLiteValue? {
    guard let byte = rest.popFirst(), let tag = SQLiteRowWriter.Tag(rawValue: byte) else {
      return nil
    }
    switch tag {
    case .null, .absent: return .null
    case .integer: return count().map { .integer(Int64($0)) }
    case .real:
      guard rest.count >= 8 else { return nil }
      var pattern: UInt64 = 0
      for byte in rest.prefix(8).reversed() { pattern = pattern << 8 | UInt64(byte) }
      rest.removeFirst(8)
      return .real(Double(bitPattern: pattern))
    case .text:
      return blob().map { bytes in
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(bytes)
      }
    case .blob: return blob().map { .blob($0) }
    }
  }

  /// Returns the encoded bytes of the next value.
  mutating func encodedValue() -> ArraySlice<UInt8>? {
    let start = rest
    guard let byte = rest.popFirst(), let tag = SQLiteRowWriter.Tag(rawValue: byte) else {
      return nil
    }
    switch tag {
    case .null, .absent: break
    case .integer: guard count() != nil else { return nil }
    case .real:
      guard rest.count >= 8 else { return nil }
      rest.removeFirst(8)
    case .text, .blob:
      guard let count = length() else { return nil }
      rest.removeFirst(count)
    }
    return start[..<rest.startIndex]
  }

  /// Skips a tag if it is next, and returns whether it was.
  mutating func skip(_ tag: SQLiteRowWriter.Tag) -> Bool {
    guard rest.first == tag.rawValue else { return false }
    rest.removeFirst()
    return true
  }

  mutating func blob() -> [UInt8]? {
    guard let count = length() else { return nil }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Returns the number of items that follow; each item has at least one byte.
  mutating func length() -> Int? {
    guard let count = count(), (0...rest.count).contains(count) else { return nil }
    return count
  }

  mutating func string() -> String? {
    blob().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func count() -> Int? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst() {
      guard shift < 64 else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        return Int(truncatingIfNeeded: Int64(bitPattern: number >> 1)) ^ -Int(number & 1)
      }
      shift += 7
    }
    return nil
  }
}
