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
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func values(_ count: Int) -> [SQLiteValue]? {
    var values: [SQLiteValue] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      guard let value = value() else { return nil }
      values.append(value)
    }
    return values
  }

  mutating func value() -> SQLiteValue? {
    guard let tag = tag() else { return nil }
    switch tag {
    case .null, .absent: return .null
    case .integer: return count().map { .integer(Int64($0)) }
    case .real:
      guard let pattern = slice(of: 8) else { return nil }
      return .real(Double(bitPattern: pattern.reversed().reduce(0) { $0 << 8 | UInt64($1) }))
    case .text:
      return blob().map { bytes in
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(bytes)
      }
    case .blob: return blob().map { .blob($0) }
    }
  }

  /// Returns the tag and the encoded bytes of the next value.
  mutating func encodedValue() -> (tag: SQLiteRowWriter.Tag, bytes: ArraySlice<UInt8>)? {
    let start = position
    guard let tag = tag() else { return nil }
    switch tag {
    case .null, .absent: break
    case .integer: guard count() != nil else { return nil }
    case .real: guard slice(of: 8) != nil else { return nil }
    case .text, .blob: guard slice() != nil else { return nil }
    }
    return (tag, bytes[start..<position])
  }

  /// Skips a tag if it is next, and returns whether it was.
  mutating func skip(_ tag: SQLiteRowWriter.Tag) -> Bool {
    guard !isAtEnd, bytes[position] == tag.rawValue else { return false }
    position += 1
    return true
  }

  mutating func blob() -> [UInt8]? {
    slice().map { Array($0) }
  }

  /// Returns the number of items that follow; each item has at least one byte.
  mutating func length() -> Int? {
    guard let count = count(), (0...bytes.count - position).contains(count) else { return nil }
    return count
  }

  mutating func string() -> String? {
    blob().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func count() -> Int? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = byte() {
      guard shift < 64 else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        return Int(truncatingIfNeeded: Int64(bitPattern: number >> 1)) ^ -Int(number & 1)
      }
      shift += 7
    }
    return nil
  }

  private mutating func byte() -> UInt8? {
    guard !isAtEnd else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func tag() -> SQLiteRowWriter.Tag? {
    byte().flatMap(SQLiteRowWriter.Tag.init)
  }

  /// Returns the bytes of a text or blob, which follow their number.
  mutating func slice() -> ArraySlice<UInt8>? {
    length().flatMap { slice(of: $0) }
  }

  private mutating func slice(of count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }
}

extension SQLiteStatement {
  /// Binds encoded columns to the parameters from the first on, text without decoding it, and
  /// returns whether the code is valid.
  func bind(_ columns: [UInt8], count: Int) throws(SQLiteError) -> Bool {
    var reader = SQLiteRowReader(columns)
    for parameter in stride(from: 1, through: count, by: 1) {
      if encoding == .utf8, reader.skip(.text) {
        guard let text = reader.slice() else { return false }
        try bind(utf8: text, at: parameter)
      } else {
        guard let value = reader.value() else { return false }
        try bind(value, at: parameter)
      }
    }
    return true
  }
}
