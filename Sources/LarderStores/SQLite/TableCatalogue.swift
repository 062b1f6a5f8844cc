import HarmonySQLite

/// The tables and views of a database, in the order in which they were made.
enum TableCatalogue {
  /// Reads the layouts of all tables and views, or of those named.
  ///
  /// SQLite's own tables are left out.
  ///
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
  static func layouts(
    _ session: SQLiteSession, named wanted: String? = nil
  ) throws(SQLiteError) -> [TableLayout] {
    let encoding = try session.rows("PRAGMA encoding")
    let isUTF8 = encoding.first?.first == .text("UTF-8")
    let rows = try session.rows(
      """
      SELECT l.name, l.type, l.wr, s.sql FROM main.sqlite_schema AS s \
      JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name \
      WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      AND (?1 IS NULL OR s.name = ?1) ORDER BY s.rowid
      """, [wanted.map { .text($0) } ?? .null])
    var layouts: [TableLayout] = []
    for row in rows {
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { continue }
      let form: TableLayout.Form =
        switch type {
        case "view": .view
        case "virtual": .virtual
        case "shadow": .shadow
        default: .table
        }
      let sql: String = if case .text(let sql) = row[3] { sql } else { "" }
      layouts.append(
        try TableLayout(
          session, name: name, form: form, isWithoutRowid: row[2] == .integer(1), isUTF8: isUTF8,
          words: SchemaWords(sql)))
    }
    return layouts
  }

  /// A number that changes with every change of the schema.
  ///
  /// - Throws: ``SQLiteError`` where the database cannot be read.
  static func version(_ session: SQLiteSession) throws(SQLiteError) -> Int64 {
    let statement = try session.statement("PRAGMA schema_version")
    let hasRow = try statement.step()
    let version = hasRow ? statement.integer(at: 0) : 0
    statement.reset()
    return version
  }
}
