import CSQLite

/// A temporary database for data that may not fit into memory.
///
/// Small amounts of data stay in memory. The rest is stored in a temporary file, which SQLite
/// unlinks right after creating it, so that nothing is left behind however the process ends. It is
/// for one thread at a time.
package final class SQLiteScratch {
  /// The only connection, in a transaction that is never committed.
  package let session: SQLiteSession

  /// Creates an empty database.
  ///
  /// - Parameter script: Creates the tables.
  /// - Throws: ``SQLiteError`` if there is no space for it.
  package init(_ script: String) throws(SQLiteError) {
    session = try SQLiteSession(
      uri: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyTimeout: .zero)
    try session.execute(script)
    try session.run("BEGIN")
  }
}
