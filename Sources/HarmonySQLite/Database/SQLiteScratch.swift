import CSQLite

/// A database without a name, for what does not fit into memory while somebody works on it.
///
/// What is little stays in memory. The rest goes to a file among the temporary ones, which SQLite
/// takes out of its folder as soon as it has made it: nothing is left behind, however the process
/// ends. For one thread at a time.
package final class SQLiteScratch {
  /// The one connection to it, in a transaction that is never committed.
  package let session: SQLiteSession

  /// Makes an empty database.
  ///
  /// - Parameter script: Makes its tables.
  /// - Throws: ``SQLiteError`` where there is no room for it.
  package init(_ script: String) throws(SQLiteError) {
    session = try SQLiteSession(
      uri: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyTimeout: .zero)
    try session.execute(script)
    try session.run("BEGIN")
  }
}
