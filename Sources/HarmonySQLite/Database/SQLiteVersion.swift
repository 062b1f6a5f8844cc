import CSQLite

/// The linked SQLite library.
package enum SQLiteVersion {
  /// The version, such as `3.40.1`.
  package static var number: String { String(cString: sqlite3_libversion()) }
}
