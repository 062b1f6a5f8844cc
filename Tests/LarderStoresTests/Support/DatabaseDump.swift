import HarmonySQLite

/// Returns every row of every table in a database with its rowid, including shadow tables and the
/// schema.
func dump(_ path: String) async throws -> [String: [[SQLiteValue]]] {
  let connection = SQLiteConnection(path: path)
  defer { connection.close() }
  return try await connection.perform { session in
    var dump: [String: [[SQLiteValue]]] = [:]
    for row in try session.rows(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"
    ) {
      guard case .text(let name)? = row.first else { continue }
      let isKeyed = row.last == .integer(1) || name.hasPrefix("sqlite_")
      dump[name] = try session.rows(
        "SELECT \(isKeyed ? "" : "oid, ")* FROM \(SQLiteIdentifier.quoted(name)) ORDER BY 1, 2")
    }
    return dump
  }
}
