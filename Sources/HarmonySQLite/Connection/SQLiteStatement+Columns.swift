import CSQLite

// Columns are read through `sqlite3_column_value`, one lookup for type, bytes and length. The
// connection is in multi-thread mode, where such values may be read like any others:
// https://www.sqlite.org/c3ref/value.html
extension SQLiteStatement {
  /// The type of a column of the current row; columns are counted from 0.
  public func type(at column: Int) -> SQLiteType {
    Self.type(of: cell(column))
  }

  /// A column of the current row as a whole number, converted by SQLite's rules.
  public func integer(at column: Int) -> Int64 {
    sqlite3_value_int64(cell(column))
  }

  /// A column of the current row as a floating-point number, converted by SQLite's rules.
  public func real(at column: Int) -> Double {
    sqlite3_value_double(cell(column))
  }

  /// A text column of the current row, or nil where it is of another type or not valid UTF-8.
  public func text(at column: Int) -> String? {
    let cell = cell(column)
    guard sqlite3_value_type(cell) == SQLITE_TEXT else { return nil }
    return Self.text(bytes(of: cell))
  }

  /// A column of the current row, copied.
  public func value(at column: Int) -> SQLiteValue {
    let cell = cell(column)
    switch Self.type(of: cell) {
    case .null: return .null
    case .integer: return .integer(sqlite3_value_int64(cell))
    case .real: return .real(sqlite3_value_double(cell))
    case .text:
      let bytes = bytes(of: cell)
      return Self.text(bytes).map { .text($0) } ?? .malformedText(Array(bytes))
    case .blob: return .blob(Array(bytes(of: cell)))
    }
  }

  /// The number of bytes of a text or blob column of the current row.
  public func byteCount(at column: Int) -> Int {
    rawBytes(at: column).count
  }

  /// Lends the bytes of a text or blob column of the current row, without a copy.
  ///
  /// Text is UTF-8 whatever the encoding of the database; numbers are their text. The bytes are
  /// gone when the closure returns.
  @inlinable public func withBytes<Result, Failure: Error>(
    at column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(rawBytes(at: column))
  }

  /// The bytes of a column, valid until the next step or the next call for the same column.
  @usableFromInline func rawBytes(at column: Int) -> UnsafeRawBufferPointer {
    bytes(of: cell(column))
  }

  private func cell(_ column: Int) -> OpaquePointer? {
    sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
  }

  private static func type(of cell: OpaquePointer?) -> SQLiteType {
    switch sqlite3_value_type(cell) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  private func bytes(of cell: OpaquePointer?) -> UnsafeRawBufferPointer {
    let type = sqlite3_value_type(cell)
    // As a blob, text is lent as it lies in the page; as text it would be copied for a final NUL.
    let start =
      type == SQLITE_BLOB || (type == SQLITE_TEXT && isUTF8)
      ? sqlite3_value_blob(cell) : UnsafeRawPointer(sqlite3_value_text(cell))
    // The count has to be asked after the bytes, which may have been converted.
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(cell))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    let bytes = bytes.assumingMemoryBound(to: UInt8.self)
    // Most text is ASCII, for which this is several times faster than validating it.
    if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var bits: UInt8 = 0
    for byte in bytes { bits |= byte }
    return bits < 0x80
  }
}
