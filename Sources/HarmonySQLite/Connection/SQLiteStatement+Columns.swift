import CSQLite

extension SQLiteStatement {
  /// The type of a column of the current row; columns are counted from 0.
  public func type(at column: Int) -> SQLiteType {
    switch sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// A column of the current row as a whole number, converted by SQLite's rules.
  public func integer(at column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  /// A column of the current row as a floating-point number, converted by SQLite's rules.
  public func real(at column: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// A text column of the current row, or nil where its bytes are not valid UTF-8.
  public func text(at column: Int) -> String? {
    let bytes = rawBytes(at: column).assumingMemoryBound(to: UInt8.self)
    return String(validating: bytes, as: UTF8.self)
  }

  /// A column of the current row, copied.
  public func value(at column: Int) -> SQLiteValue {
    switch type(at: column) {
    case .null: .null
    case .integer: .integer(integer(at: column))
    case .real: .real(real(at: column))
    case .text: text(at: column).map { .text($0) } ?? .malformedText(Array(rawBytes(at: column)))
    case .blob: .blob(Array(rawBytes(at: column)))
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
    let index = Int32(truncatingIfNeeded: column)
    let start: UnsafeRawPointer?
    if sqlite3_column_type(handle, index) == SQLITE_BLOB {
      start = sqlite3_column_blob(handle, index)
    } else {
      start = UnsafeRawPointer(sqlite3_column_text(handle, index))
    }
    // The count has to be asked after the bytes, which may have been converted.
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, index))
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
