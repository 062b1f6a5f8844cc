import HarmonySQLite
import LarderCore

extension TableLayout {
  private struct Column {
    let name: String
    let type: String
    let isNotNull: Bool
    let keyPlace: Int64
    /// 0 for an ordinary column, 1 for a hidden one of a virtual table, 2 and 3 for generated ones.
    let hidden: Int64
    let hasDefault: Bool

    init?(_ row: [SQLiteValue]) {
      guard case .text(let name) = row[0], case .text(let type) = row[1],
        case .integer(let notNull) = row[2], case .integer(let keyPlace) = row[3],
        case .integer(let hidden) = row[4]
      else { return nil }
      self.name = name
      self.type = type
      isNotNull = notNull != 0
      self.keyPlace = keyPlace
      self.hidden = hidden
      hasDefault = row[5] != .null
    }

    /// As a column of the value; the number of a row is given to it where nobody does.
    var value: ValueColumn {
      ValueColumn(
        name: name, isGenerated: hidden >= 2, hasDefault: hasDefault || keyPlace > 0, type: type,
        isNotNull: isNotNull)
    }

    /// Whether the declared type gives the column the affinity TEXT:
    /// <https://www.sqlite.org/datatype3.html>, 3.1.
    var holdsText: Bool {
      let type = type.uppercased()
      return !type.contains("INT") && ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) }
    }
  }

  /// Reads what a table is made of.
  ///
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
  init(
    _ session: SQLiteSession, name: String, form: Form, isWithoutRowid: Bool, isUTF8: Bool,
    words: SchemaWords
  ) throws(SQLiteError) {
    let columns = try Self.columns(session, name: name, form: form)
    let visible = columns.filter { $0.hidden != 1 }
    let rowid = try Self.rowidName(
      session, name: name, form: form, isWithoutRowid: isWithoutRowid, columns)

    var found: (keys: [KeyColumn], index: String?)?
    let keySource: KeySource?
    var valueColumn: String?
    if form == .table, !isWithoutRowid, let numbered = Self.numberedKey(columns),
      let key = try Self.uniqueKey(session, name: name, numbered.key, columns, isUTF8: isUTF8)
    {
      found = key
      keySource = .uniqueIndex
      valueColumn = numbered.value.name
    } else if form == .table || form == .shadow {
      found = try Self.primaryKey(
        session, name: name, columns, isWithoutRowid: isWithoutRowid, isUTF8: isUTF8)
      var source = KeySource.primaryKey
      if found == nil, form == .table, let key = Self.namedKey(columns) {
        found = try Self.uniqueKey(session, name: name, key, columns, isUTF8: isUTF8)
        source = .uniqueIndex
      }
      keySource = found == nil ? nil : source
    } else {
      keySource = nil
    }

    self.name = name
    self.form = form
    numberedValue = valueColumn
    self.valueColumn = valueColumn
    self.keySource = keySource
    self.rowid = rowid
    self.isWithoutRowid = isWithoutRowid
    declaresConflicts = words.declareConflicts
    isAutoincrement = words.declareAutoincrement
    if let found {
      keys = .columns(found.keys)
      index = found.index
      isKeyedByRowid = false
      let names = Set(found.keys.map { Array($0.name.utf8) })
      values = visible.filter { !names.contains(Array($0.name.utf8)) }.map(\.value)
    } else {
      index = nil
      isKeyedByRowid = rowid != nil
      keys =
        rowid.map { rowid in
          .columns([
            KeyColumn(
              name: rowid, sql: "t.\(rowid)", isDescending: false, isNullable: false,
              isPlainText: false, collation: "BINARY", isCollated: false)
          ])
        } ?? .ordinal
      values = visible.map(\.value)
    }
    isSingleValue =
      found?.keys.count == 1 && values.count == 1 && values.allSatisfy { !$0.isGenerated }
  }

  /// The columns of a table; none where it is made of something that is missing here, such as a table
  /// that was dropped, a function of its program, or a module: the other tables are as they were.
  private static func columns(
    _ session: SQLiteSession, name: String, form: Form
  ) throws(SQLiteError) -> [Column] {
    do {
      return try session.rows(
        "SELECT name, type, \"notnull\", pk, hidden, dflt_value "
          + "FROM pragma_table_xinfo(?, 'main') ORDER BY cid",
        [.text(name)]
      ).compactMap { Column($0) }
    } catch {
      guard [.view, .virtual].contains(form), error.code == .error else { throw error }
      return []
    }
  }

  /// A name that reads the rowid, which columns of that name hide.
  private static func rowidName(
    _ session: SQLiteSession, name: String, form: Form, isWithoutRowid: Bool, _ columns: [Column]
  ) throws(SQLiteError) -> String? {
    guard form != .view, !isWithoutRowid else { return nil }
    let names = Set(columns.map { $0.name.lowercased() })
    let free = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    guard let free, form == .virtual else { return free }
    // A virtual table may be WITHOUT ROWID, and nothing but trying tells.
    let sql = "SELECT t.\(free) FROM main.\(SQLiteIdentifier.quoted(name)) AS t LIMIT 0"
    return (try? session.statement(sql)) == nil ? nil : free
  }

  /// The primary key's columns in the order of its index, or nil where there is none.
  private static func primaryKey(
    _ session: SQLiteSession, name: String, _ columns: [Column], isWithoutRowid: Bool, isUTF8: Bool
  ) throws(SQLiteError) -> ([KeyColumn], String?)? {
    let parts = columns.filter { $0.keyPlace > 0 }
    guard let first = parts.first else { return nil }
    let indexes = try session.rows(
      "SELECT name FROM pragma_index_list(?, 'main') WHERE origin = 'pk'", [.text(name)])
    guard case .text(let index)? = indexes.first?.first else {
      // An INTEGER PRIMARY KEY is the rowid by another name, and has no index.
      guard parts.count == 1 else { return nil }
      let sql = "t." + SQLiteIdentifier.quoted(first.name)
      return (
        [
          KeyColumn(
            name: first.name, sql: sql, isDescending: false, isNullable: false,
            isPlainText: false, collation: "BINARY", isCollated: false)
        ], nil
      )
    }
    let keys = try keyColumns(
      session, name: name, index: index, columns, isWithoutRowid: isWithoutRowid, isUTF8: isUTF8)
    return keys.map { ($0, index) }
  }

  /// The names, in small letters, of columns that hold keys where others hold their values.
  private static let keyNames: Set<String> = [
    "key", "k", "name", "id", "item_key", "itemkey", "_key", "keyname", "key_name",
  ]
  private static let valueNames: Set<String> = [
    "value", "val", "v", "data", "blob", "item_value", "itemvalue", "_value", "content", "contents",
    "payload", "json", "body",
  ]

  /// The column of keys in a table that has one and a column of values, by their names.
  ///
  /// With a further column, such as a time, the row stays a record: nothing is hidden that a person
  /// may have to change along with the value.
  private static func namedKey(_ columns: [Column]) -> Column? {
    guard columns.count == 2, columns.allSatisfy({ $0.hidden == 0 }),
      let key = columns.first(where: { keyNames.contains($0.name.lowercased()) }),
      columns.contains(where: { valueNames.contains($0.name.lowercased()) })
    else { return nil }
    return key
  }

  /// The columns of keys and of values in a table that has these two and numbers its rows.
  private static func numberedKey(_ columns: [Column]) -> (key: Column, value: Column)? {
    let others = columns.filter { $0.keyPlace == 0 }
    guard columns.count == 3, let key = namedKey(others),
      let number = columns.first(where: { $0.keyPlace == 1 }),
      number.type.uppercased() == "INTEGER",
      let value = others.first(where: { !$0.name.hasBytes(of: key.name) })
    else { return nil }
    return (key, value)
  }

  /// A column as the key, if an index keeps any two rows from having the same in it.
  private static func uniqueKey(
    _ session: SQLiteSession, name: String, _ key: Column, _ columns: [Column], isUTF8: Bool
  ) throws(SQLiteError) -> ([KeyColumn], String?)? {
    let indexes = try session.rows(
      "SELECT name FROM pragma_index_list(?, 'main') WHERE \"unique\" AND NOT partial ORDER BY seq",
      [.text(name)])
    for row in indexes {
      guard case .text(let index)? = row.first,
        let keys = try keyColumns(
          session, name: name, index: index, columns, isWithoutRowid: false, isUTF8: isUTF8),
        keys.count == 1, keys.first?.name.hasBytes(of: key.name) == true
      else { continue }
      return (keys, index)
    }
    return nil
  }

  /// The columns of an index in their order; nil where it is not of columns alone.
  private static func keyColumns(
    _ session: SQLiteSession, name: String, index: String, _ columns: [Column],
    isWithoutRowid: Bool, isUTF8: Bool
  ) throws(SQLiteError) -> [KeyColumn]? {
    let rows = try session.rows(
      "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno",
      [.text(index)])
    var keys: [KeyColumn] = []
    for row in rows {
      guard case .text(let part) = row[0], case .integer(let descends) = row[1],
        case .text(let collation) = row[2],
        let column = columns.first(where: { $0.name.hasBytes(of: part) })
      else { return nil }
      let declared = session.collation(ofColumn: part, table: name) ?? "BINARY"
      let isCollated = declared.lowercased() != collation.lowercased()
      let collate = isCollated ? " COLLATE " + SQLiteIdentifier.quoted(collation) : ""
      keys.append(
        KeyColumn(
          name: part, sql: "t." + SQLiteIdentifier.quoted(part) + collate,
          isDescending: descends != 0, isNullable: !isWithoutRowid && !column.isNotNull,
          isPlainText: isUTF8 && column.holdsText && collation.lowercased() == "binary",
          collation: collation, isCollated: isCollated))
    }
    return keys.isEmpty ? nil : keys
  }
}
