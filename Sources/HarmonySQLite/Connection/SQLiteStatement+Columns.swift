import CSQLite

// Columns are read through `sqlite3_column_value`, a single lookup for type, bytes and length. In
// multi-thread mode, such values may be read like protected ones:
// https://www.sqlite.org/c3ref/value.html
extension SQLiteStatement {
  /// Returns the type of a column of the current row; columns are numbered from 0.
  public func type(at column: Int) -> SQLiteType {
    cell(column).type
  }

  /// Returns a column of the current row as an integer, converted by SQLite's rules.
  public func integer(at column: Int) -> Int64 {
    cell(column).integer
  }

  /// Returns a column of the current row as a floating-point number, converted by SQLite's rules.
  public func real(at column: Int) -> Double {
    cell(column).real
  }

  /// Returns a text column of the current row; nil if it has another type or is not valid.
  public func text(at column: Int) -> String? {
    // Avoids copying a blob.
    guard type(at: column) == .text, case .text(let text) = value(at: column) else { return nil }
    return text
  }

  /// Returns a copy of a column of the current row.
  public func value(at column: Int) -> SQLiteValue {
    cell(column).value
  }

  /// Returns the number of bytes of a text or blob column of the current row.
  public func byteCount(at column: Int) -> Int {
    rawBytes(at: column).count
  }

  /// Returns a borrowed column of the current row, which is valid until the next step.
  ///
  /// Text is UTF-8 whatever the encoding of the database, except for malformed UTF-16.
  package func lent(at column: Int) -> SQLiteLentValue {
    let cell = cell(column)
    guard encoding != .utf8, cell.type == .text else { return cell.lent }
    return .text(rawBytes(at: column))
  }

  /// Calls a closure with the bytes of a text or blob column of the current row, without a copy.
  ///
  /// Text is UTF-8 whatever the encoding of the database; numbers are converted to text. The bytes
  /// are only valid during the call.
  @inlinable public func withBytes<Result, Failure: Error>(
    at column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(rawBytes(at: column))
  }

  /// Returns the bytes of a column, valid until the next step or the next call for the same column.
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

/// A value that is borrowed from a statement until its next step.
package enum SQLiteLentValue {
  case null
  case integer(Int64)
  case real(Double)
  /// Text, which may not be valid UTF-8.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}
