import CSQLite

extension SQLiteSession {
  /// Returns the collation of a column, such as `BINARY`; nil for a column of a view.
  public func collation(ofColumn column: String, table: String) -> String? {
    var collation: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(
      handle, "main", table, column, nil, &collation, nil, nil, nil)
    guard result == SQLITE_OK else { return nil }
    return collation.map { String(cString: $0) }
  }
}
