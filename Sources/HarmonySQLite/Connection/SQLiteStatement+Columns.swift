import CSQLite

// Columns are read through `sqlite3_column_value`, one lookup for type, bytes and length. The
// connection is in multi-thread mode, where such values may be read like any others:
// https://www.sqlite.org/c3ref/value.html
extension SQLiteStatement {
  /// The type of a column of the current row; columns are counted from 0.
  public func type(at column: Int) -> SQLiteType {
    cell(column).type
  }

  /// A column of the current row as a whole number, converted by SQLite's rules.
  public func integer(at column: Int) -> Int64 {
    cell(column).integer
  }

  /// A column of the current row as a floating-point number, converted by SQLite's rules.
  public func real(at column: Int) -> Double {
    cell(column).real
  }

  /// A text column of the current row, or nil where it is of another type or not valid.
  public func text(at column: Int) -> String? {
    // A blob is not copied only to be thrown away.
    guard type(at: column) == .text, case .text(let text) = value(at: column) else { return nil }
    return text
  }

  /// A column of the current row, copied.
  public func value(at column: Int) -> SQLiteValue {
    cell(column).value
  }

  /// The number of bytes of a text or blob column of the current row.
  public func byteCount(at column: Int) -> Int {
    rawBytes(at: column).count
  }

  /// Lends a column of the current row, without a copy: its bytes are gone with the next step.
  ///
  /// Text is UTF-8 whatever the encoding of the database, but for what is no UTF-16 there.
  package func lent(at column: Int) -> SQLiteLentValue {
    let cell = cell(column)
    guard encoding != .utf8, cell.type == .text else { return cell.lent }
    return .text(rawBytes(at: column))
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
    let cell = cell(column)
    guard let units = cell.wideText else { return cell.bytes }
    let bytes = SQLiteWideText.bytes(units)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    lent.append(copy)
    return UnsafeRawBufferPointer(copy)
  }

  private func cell(_ column: Int) -> SQLiteCell {
    SQLiteCell(sqlite3_column_value(handle, Int32(truncatingIfNeeded: column)), encoding)
  }
}

/// A value as a statement lends it until its next step.
package enum SQLiteLentValue {
  case null
  case integer(Int64)
  case real(Double)
  /// Text, which need not be valid UTF-8.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}
