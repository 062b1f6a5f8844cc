import HarmonySQLite
import LarderModel

/// The tables and views of a database, in the order of their creation.
enum TableCatalogue {
  /// Reads the layouts of all tables and views, or of those with a name.
  ///
  /// SQLite's own tables are excluded.
  ///
  /// - Parameters:
  ///   - session: The connection.
  ///   - wanted: The name; nil for all.
  ///   - key: The user's choice of the key, which tables without it ignore.
  ///   - lenses: The user's own lenses.
  /// - Returns: The layouts.
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  static func layouts(
    _ session: SQLiteSession, named wanted: String? = nil, key: KeyChoice = .recognized,
    lenses: [TableLens] = []
  ) throws(SQLiteError) -> [TableLayout] {
    let coreData = try coreData(session)
    let table = wanted.map { coreData?.table(named: $0) ?? $0 }
    let schema = try SchemaRows(session, named: table)
    let wanted = table.map { SQLiteValue.text($0) } ?? .null
    // Two statements, as in a join SQLite would create the list again for each row.
    var types: [[UInt8]: (type: String, isWithoutRowid: Bool)] = [:]
    for row in try session.rows(
      "SELECT name, type, wr FROM pragma_table_list(?1) WHERE schema = 'main'", [wanted])
    {
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { continue }
      types[Array(name.utf8)] = (type, row[2] == .integer(1))
    }
    let rows = try session.rows(
      """
      SELECT name, sql FROM main.sqlite_schema WHERE type IN ('table', 'view') \
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND (?1 IS NULL OR name = ?1) ORDER BY rowid
      """, [wanted])
    var layouts: [TableLayout] = []
    for row in rows {
      guard case .text(let name) = row[0], let (type, isWithoutRowid) = types[Array(name.utf8)]
      else { continue }
      let form: TableLayout.Form =
        switch type {
        case "view": .view
        case "virtual": .virtual
        case "shadow": .shadow
        default: .table
        }
      let sql: String = if case .text(let sql) = row[1] { sql } else { "" }
      layouts.append(
        try TableLayout(
          session, schema, name: name, form: form, isWithoutRowid: isWithoutRowid,
          declaresConflicts: declaresConflicts(sql), key: key, lenses: lenses, coreData))
    }
    return layouts
  }

  /// Returns the entities of Core Data; nil if there are none, or their tables cannot be read.
  ///
  /// - Throws: ``SQLiteError`` for any problem but damage, which leaves other tables readable.
  private static func coreData(_ session: SQLiteSession) throws(SQLiteError) -> CoreDataSchema? {
    do {
      return try CoreDataSchema(session)
    } catch  where [.corrupt, .error].contains(error.code) {
      return nil
    }
  }

  /// Whether a constraint may have an ON CONFLICT clause, by which a row may replace others.
  ///
  /// Names and comments may contain both words, too.
  private static func declaresConflicts(_ sql: String) -> Bool {
    let words = Set(
      sql.lowercased().split { !($0.isLetter || $0.isNumber || "_$".contains($0)) })
    return words.contains("conflict")
      && !words.isDisjoint(with: ["rollback", "abort", "fail", "ignore", "replace"])
  }

  /// Returns a number that changes with every change of the schema.
  ///
  /// - Throws: ``SQLiteError`` if the database cannot be read.
  static func version(_ session: SQLiteSession) throws(SQLiteError) -> Int64 {
    try session.integer("PRAGMA schema_version") ?? 0
  }
}

/// Layouts that were read from a database, valid until its schema changes.
struct KnownLayouts: Sendable {
  let file: SQLiteFile.Identity?
  let version: Int64
  /// The tables and views, in the order of their creation.
  let layouts: [TableLayout]
  /// Whether the layouts are those of all tables and views.
  let isWhole: Bool

  /// Reads the layouts of all tables and views, or of one.
  ///
  /// - Parameters:
  ///   - session: The connection.
  ///   - wanted: The name of the table or view; nil for all.
  ///   - key: The user's choice of the key.
  ///   - lenses: The user's own lenses.
  ///   - complete: Completes each layout, such as with its expiry.
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  init(
    _ session: SQLiteSession, named wanted: String?, key: KeyChoice, lenses: [TableLens],
    _ complete: (TableLayout) -> TableLayout
  ) throws(SQLiteError) {
    file = session.file
    version = try TableCatalogue.version(session)
    layouts = try TableCatalogue.layouts(session, named: wanted, key: key, lenses: lenses)
      .map(complete)
    isWhole = wanted == nil
  }

  /// Whether the schema is still the one that was read.
  func areCurrent(_ session: SQLiteSession) throws(SQLiteError) -> Bool {
    let version = try TableCatalogue.version(session)
    return file == session.file && self.version == version
  }

  /// The layout of a table or view, or of the collection with a name.
  subscript(name: String) -> TableLayout? {
    layouts.first { $0.name.hasBytes(of: name) }
      ?? layouts.first { $0.shownName.hasBytes(of: name) }
  }
}
