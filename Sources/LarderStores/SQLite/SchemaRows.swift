import LarderModel
import HarmonySQLite

/// The columns and unique indexes of tables, read with the same few statements for one or all.
struct SchemaRows {
  /// A column of a table.
  struct Column {
    let name: String
    let type: String
    let isNotNull: Bool
    let keyPlace: Int64
    /// 0 for an ordinary column, 1 for a hidden one of a virtual table, 2 and 3 for generated ones.
    let hidden: Int64
    /// The default as a user would type it, or its SQL; nil if there is none.
    let defaultText: String?
    /// Whether the default is SQLite's current time, which is in UTC and names no zone.
    let isTimedInUTC: Bool

    init?(_ row: ArraySlice<SQLiteValue>) {
      let row = Array(row)
      guard row.count == 6, case .text(let name) = row[0], case .text(let type) = row[1],
        case .integer(let notNull) = row[2], case .integer(let keyPlace) = row[3],
        case .integer(let hidden) = row[4]
      else { return nil }
      self.name = name
      self.type = type
      isNotNull = notNull != 0
      self.keyPlace = keyPlace
      self.hidden = hidden
      defaultText = if case .text(let sql) = row[5] { Self.literal(sql) } else { nil }
      isTimedInUTC = if case .text(let text) = row[5] { Self.isInUTC(text) } else { false }
    }

    /// Returns the text of a literal in single quotes, and other SQL unchanged.
    private static func literal(_ sql: String) -> String {
      guard sql.count >= 2, sql.hasPrefix("'"), sql.hasSuffix("'") else { return sql }
      return String(sql.dropFirst().dropLast()).replacing("''", with: "'")
    }

    private static func isInUTC(_ sql: String) -> Bool {
      let words = sql.lowercased().filter { !$0.isWhitespace && !"()".contains($0) }
      return words == "current_timestamp"
        || words.hasPrefix("datetime'now'") && !words.contains("localtime")
    }
  }

  /// A unique index and its columns.
  struct Index {
    /// A part of an index; its name is nil for an expression.
    typealias Part = (name: String?, isDescending: Bool, collation: String)

    let name: String
    let isPrimaryKey: Bool
    let isPartial: Bool
    var parts: [Part] = []
  }

  /// Whether text is stored as UTF-8.
  let isUTF8: Bool
  private var columns: [[UInt8]: [Column]] = [:]
  private var indexes: [[UInt8]: [Index]] = [:]
  /// The collations of indexes that only the database's own program has, in lowercase.
  private var missingCollations: Set<String> = []

  private static let columnList =
    "c.name, c.type, c.\"notnull\", c.pk, c.hidden, c.dflt_value"

  /// Reads the schema of all tables, or of one.
  ///
  /// - Throws: ``SQLiteError`` if it cannot be read.
  init(_ session: SQLiteSession, named wanted: String?) throws(SQLiteError) {
    let wanted = wanted.map { SQLiteValue.text($0) } ?? .null
    isUTF8 = try session.rows("PRAGMA encoding").first?.first == .text("UTF-8")
    var collations: Set<String> = []
    // Views and virtual tables have no root page.
    let tables =
      "main.sqlite_schema AS s %@ WHERE s.type = 'table' AND s.rootpage > 0 "
      + "AND (?1 IS NULL OR s.name = ?1)"
    let ofColumns = tables.replacing("%@", with: "JOIN pragma_table_xinfo(s.name, 'main') AS c")
    for row in try session.rows(
      "SELECT s.name, \(Self.columnList) FROM \(ofColumns) ORDER BY s.rowid, c.cid", [wanted])
    {
      guard case .text(let table) = row[0], let column = Column(row.dropFirst()) else { continue }
      columns[Array(table.utf8), default: []].append(column)
    }
    let ofIndexes = tables.replacing(
      "%@",
      with: "JOIN pragma_index_list(s.name, 'main') AS i "
        + "JOIN pragma_index_xinfo(i.name, 'main') AS p")
    for row in try session.rows(
      "SELECT s.name, i.name, i.origin, i.partial, p.name, p.\"desc\", p.coll FROM \(ofIndexes) "
        + "AND i.\"unique\" AND p.key ORDER BY s.rowid, i.seq, p.seqno", [wanted])
    {
      guard case .text(let table) = row[0], case .text(let name) = row[1],
        case .text(let collation) = row[6]
      else { continue }
      var known = indexes[Array(table.utf8)] ?? []
      if known.last?.name.hasBytes(of: name) != true {
        known.append(
          Index(
            name: name, isPrimaryKey: row[2] == .text("pk"), isPartial: row[3] != .integer(0)))
      }
      let part: String? = if case .text(let part) = row[4] { part } else { nil }
      known[known.count - 1].parts.append((part, row[5] != .integer(0), collation))
      indexes[Array(table.utf8)] = known
      collations.insert(collation.lowercased())
    }
    // SQLite's list of collations also contains those that a schema merely names.
    missingCollations = collations.filter { name in
      (try? session.check("SELECT 1 ORDER BY 'a' COLLATE \(SQLiteIdentifier.quoted(name))")) == nil
    }
  }

  /// Returns the columns of a table; empty if it depends on something that is missing.
  ///
  /// That may be a dropped table, a function of the database's own program, or a module. Other
  /// tables are unaffected.
  func columns(
    of table: String, _ form: TableLayout.Form, _ session: SQLiteSession
  ) throws(SQLiteError) -> [Column] {
    if let known = columns[Array(table.utf8)] { return known }
    do {
      return try session.rows(
        "SELECT \(Self.columnList) FROM pragma_table_xinfo(?, 'main') AS c ORDER BY c.cid",
        [.text(table)]
      ).compactMap { Column($0[...]) }
    } catch {
      guard [.view, .virtual].contains(form), error.code == .error else { throw error }
      return []
    }
  }

  /// Returns the index of the primary key; nil if the key is the rowid or there is none.
  func primaryKey(of table: String) -> Index? {
    indexes[Array(table.utf8)]?.first(where: \.isPrimaryKey)
  }

  /// Returns the unique indexes of a table that cover all of its rows.
  func uniqueIndexes(of table: String) -> [Index] {
    indexes[Array(table.utf8)]?.filter { !$0.isPartial } ?? []
  }

  /// Whether SQLite has a collation, and not only the database's own program.
  func hasCollation(_ name: String) -> Bool {
    !missingCollations.contains(name.lowercased())
  }
}
