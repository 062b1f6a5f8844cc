import CSQLite

/// The SQLite that is linked.
package enum SQLiteVersion {
  /// Its number, such as `3.40.1`.
  package static var number: String { String(cString: sqlite3_libversion()) }
}
