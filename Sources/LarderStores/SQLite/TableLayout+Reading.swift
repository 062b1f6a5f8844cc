import HarmonySQLite
import LarderModel

extension TableLayout {
  /// Reads the structure of a table.
  ///
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  init(
    _ session: SQLiteSession, _ schema: SchemaRows, name: String, form: Form, isWithoutRowid: Bool,
    declaresConflicts: Bool, key choice: KeyChoice, lenses: [TableLens], _ coreData: CoreDataSchema?
  ) throws(SQLiteError) {
    let columns = try schema.columns(of: name, form, session)
    let visible = columns.filter { $0.hidden != 1 }
    let rowid = try Self.rowidName(
      session, name: name, form: form, isWithoutRowid: isWithoutRowid, columns)

    let unique =
      form == .table
      ? Self.uniqueKeys(session, schema, name: name, columns, isWithoutRowid: isWithoutRowid) : []
    keyChoices = unique.map { $0.keys.map(\.name) }
    var choice = choice
    // A choice that is possible in another table only.
    if case .columns = choice, choice.index(in: keyChoices) == nil { choice = .recognized }
    let mayRecognize = form == .table && choice == .recognized
    var found: FoundKey?
    let keySource: KeySource?
    var valueColumn: String?
    var joined: [ValueColumn] = []
    if let place = choice.index(in: keyChoices) {
      found = unique[place]
      keySource = .chosen
    } else if mayRecognize, !isWithoutRowid,
      let (lens, columnsElsewhere) = try TableLens.of(
        name, columns, schema, session, lenses, coreData),
      case let key = Self.lensKey(session, schema, lens, columns), key != nil || lens.key.isEmpty
    {
      found = key
      keySource = .lens(lens)
      valueColumn = lens.value
      joined = columnsElsewhere
    } else if mayRecognize, !isWithoutRowid, let numbered = Self.numberedKey(columns),
      let key = Self.uniqueKey(session, schema, name: name, numbered.key, columns),
      !Self.hasNull(in: key, name, session)
    {
      found = key
      keySource = .uniqueIndex
      valueColumn = numbered.value.name
    } else if mayRecognize, !isWithoutRowid, let cached = Self.cacheKey(columns, unique),
      !Self.hasNull(in: cached.key, name, session)
    {
      found = cached.key
      keySource = .uniqueIndex
      valueColumn = cached.value
    } else if form == .table || form == .shadow {
      found = Self.primaryKey(
        session, schema, name: name, columns, isWithoutRowid: isWithoutRowid)
      var source = KeySource.primaryKey
      if found == nil, mayRecognize, let key = Self.namedKey(columns) {
        found = Self.uniqueKey(session, schema, name: name, key, columns)
        source = .uniqueIndex
      }
      keySource = found == nil ? nil : source
    } else {
      keySource = nil
    }

    // An INTEGER PRIMARY KEY is the rowid by another name, and has no index.
    let parts = columns.filter { $0.keyPlace > 0 }
    let number = schema.primaryKey(of: name) == nil && parts.count == 1 ? parts.first?.name : nil
    self.name = name
    shownName = coreData?.entity(of: name) ?? name
    self.form = form
    numberedValue = valueColumn
    self.valueColumn = valueColumn
    self.keySource = keySource
    self.rowid = rowid
    self.isWithoutRowid = isWithoutRowid
    missingCollation =
      schema.primaryKey(of: name)?.parts.first { !schema.hasCollation($0.collation) }?.collation
    self.declaresConflicts = declaresConflicts
    let names = Set(found.map { $0.keys.map { Array($0.name.utf8) } } ?? [])
    let lens: TableLens? = if case .lens(let lens) = keySource { lens } else { nil }
    let own = visible.filter {
      !names.contains(Array($0.name.utf8)) && lens?.numbers.contains($0.name) != true
    }.map { $0.value(isRowNumber: $0.name == number, shownAs: lens?.shown[$0.name]) }
    // The title is next to the key.
    values =
      own.filter { $0.storedName == lens?.title } + own.filter { $0.storedName != lens?.title }
      + joined
    if let found {
      keys = .columns(found.keys)
      index = found.index
      isKeyedByRowid = false
    } else {
      index = nil
      isKeyedByRowid = rowid != nil
      keys =
        rowid.map { rowid in
          .columns([
            KeyColumn(name: rowid, type: "INTEGER", sql: "t.\(rowid)")
          ])
        } ?? .ordinal
    }
    self.choice = choice
    isSingleValue =
      choice == .recognized && found?.keys.count == 1 && values.count == 1
      && values.allSatisfy { !$0.isGenerated }
  }

  /// Returns a name of the rowid that no column hides; nil if there is none.
  private static func rowidName(
    _ session: SQLiteSession, name: String, form: Form, isWithoutRowid: Bool,
    _ columns: [SchemaRows.Column]
  ) throws(SQLiteError) -> String? {
    guard form != .view, !isWithoutRowid else { return nil }
    let names = Set(columns.map { $0.name.lowercased() })
    let free = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    guard let free, form == .virtual else { return free }
    // A virtual table may be WITHOUT ROWID, which only a query shows.
    let sql = "SELECT t.\(free) FROM main.\(SQLiteIdentifier.quoted(name)) AS t LIMIT 0"
    return (try? session.statement(sql)) == nil ? nil : free
  }

  /// Key columns, and the index that sorts them, or nil if the rows are sorted by them.
  private typealias FoundKey = (keys: [KeyColumn], index: String?)

  /// Returns the keys that rows can be shown by: the primary key, and unique indexes of columns
  /// that are stored.
  private static func uniqueKeys(
    _ session: SQLiteSession, _ schema: SchemaRows, name: String, _ columns: [SchemaRows.Column],
    isWithoutRowid: Bool
  ) -> [FoundKey] {
    let primary = primaryKey(
      session, schema, name: name, columns, isWithoutRowid: isWithoutRowid)
    let computed = Set(columns.filter { $0.hidden != 0 }.map(\.name))
    let others = schema.uniqueIndexes(of: name).filter { !$0.isPrimaryKey }
      .compactMap { index -> FoundKey? in
        keyColumns(session, schema, name: name, index, columns, isWithoutRowid: false)
          .map { ($0, index.name) }
      }
      .filter { $0.keys.allSatisfy { !computed.contains($0.name) } }
    var keys: [FoundKey] = primary.map { [$0] } ?? []
    for key in others where !keys.contains(where: { $0.keys.map(\.name) == key.keys.map(\.name) }) {
      keys.append(key)
    }
    return keys
  }

  /// Returns the columns of the primary key in the order of its index; nil if there is none.
  private static func primaryKey(
    _ session: SQLiteSession, _ schema: SchemaRows, name: String, _ columns: [SchemaRows.Column],
    isWithoutRowid: Bool
  ) -> FoundKey? {
    let parts = columns.filter { $0.keyPlace > 0 }
    guard let first = parts.first else { return nil }
    guard let index = schema.primaryKey(of: name) else {
      // An INTEGER PRIMARY KEY is the rowid by another name, and has no index.
      guard parts.count == 1 else { return nil }
      let sql = "t." + SQLiteIdentifier.quoted(first.name)
      return ([KeyColumn(name: first.name, type: first.type, sql: sql)], nil)
    }
    let keys = keyColumns(
      session, schema, name: name, index, columns, isWithoutRowid: isWithoutRowid)
    return keys.map { ($0, index.name) }
  }

  /// The names, in lowercase, of key columns in tables of keys and values.
  private static let keyNames: Set<String> = [
    "key", "k", "name", "id", "item_key", "itemkey", "_key", "keyname", "key_name",
  ]
  private static let valueNames: Set<String> = [
    "value", "val", "v", "data", "blob", "item_value", "itemvalue", "_value", "content", "contents",
    "payload", "json", "body",
  ]

  /// Returns the key column of a table that consists of a key and a value, by their names.
  ///
  /// With a third column, such as a time, a row remains a record, so that nothing is hidden that a
  /// user may have to change along with the value.
  private static func namedKey(_ columns: [SchemaRows.Column]) -> SchemaRows.Column? {
    guard columns.count == 2, columns.allSatisfy({ $0.hidden == 0 }),
      let key = columns.first(where: { keyNames.contains($0.name.lowercased()) }),
      columns.contains(where: { valueNames.contains($0.name.lowercased()) })
    else { return nil }
    return key
  }

  /// Returns the key and value columns of a table that has only these two and a row number.
  private static func numberedKey(
    _ columns: [SchemaRows.Column]
  ) -> (key: SchemaRows.Column, value: SchemaRows.Column)? {
    let others = columns.filter { $0.keyPlace == 0 }
    guard columns.count == 3, let key = namedKey(others),
      let number = columns.first(where: { $0.keyPlace == 1 }),
      number.type.uppercased() == "INTEGER",
      let value = others.first(where: { !$0.name.hasBytes(of: key.name) })
    else { return nil }
    return (key, value)
  }

  /// Names, in lowercase, that are those of keys even without an expiry.
  private static let certainKeyNames: Set<String> = ["key", "k", "hash", "url", "uri", "sid"]

  /// Returns the key and the value column of a numbered table that is a cache by its columns; nil
  /// for one of records.
  ///
  /// Such a table has one unique index of text columns, a value, and apart from these only columns
  /// about the value and its use.
  private static func cacheKey(
    _ columns: [SchemaRows.Column], _ unique: [FoundKey]
  ) -> (key: FoundKey, value: String)? {
    let numbers = columns.filter { $0.keyPlace > 0 }
    let indexes = unique.filter { $0.index != nil }
    guard numbers.count == 1, numbers.first?.type.uppercased() == "INTEGER", indexes.count == 1,
      let key = indexes.first, columns.allSatisfy({ $0.hidden == 0 }),
      key.keys.allSatisfy({ ColumnAffinity(declared: $0.type) == .text })
    else { return nil }
    let names = Set(key.keys.map(\.name))
    let others = columns.filter { $0.keyPlace == 0 && !names.contains($0.name) }
      .map { ($0.name, ColumnRole($0.name, type: $0.type)) }
    var values: [String] = []
    var expires = false
    for (name, role) in others {
      switch role {
      case .value: values.append(name)
      case .expiry(isWeak: false), .lifetime: expires = true
      case .expiry, .created, .accessed, .useCount, .size, .tag, .detail: break
      case .key, .other: return nil
      }
    }
    guard let value = values.first, values.count == 1,
      ColumnRole.values.contains(ColumnName(value).last),
      names.contains(where: {
        (expires ? ColumnRole.keys : certainKeyNames).contains(ColumnName($0).last)
      })
    else { return nil }
    return (key, value)
  }

  /// Whether rows have NULL in their keys, so that several may have the same.
  ///
  /// A table that cannot be read has none, as it must not keep others from being opened.
  private static func hasNull(in key: FoundKey, _ name: String, _ session: SQLiteSession) -> Bool {
    let tests = key.keys.filter(\.isNullable).map { "\($0.sql) IS NULL" }
    guard !tests.isEmpty else { return false }
    let sql =
      "SELECT 1 FROM main.\(SQLiteIdentifier.quoted(name)) AS t "
      + "WHERE \(tests.joined(separator: " OR ")) LIMIT 1"
    return (try? session.rows(sql).isEmpty) == false
  }

  /// Returns a column as the key, if it has a unique index.
  private static func uniqueKey(
    _ session: SQLiteSession, _ schema: SchemaRows, name: String, _ key: SchemaRows.Column,
    _ columns: [SchemaRows.Column]
  ) -> FoundKey? {
    for index in schema.uniqueIndexes(of: name) {
      guard
        let keys = keyColumns(session, schema, name: name, index, columns, isWithoutRowid: false),
        keys.count == 1, keys.first?.name.hasBytes(of: key.name) == true
      else { continue }
      return (keys, index.name)
    }
    return nil
  }

  /// Returns the columns that a program uses as the key, in its order, if the table has the
  /// program's unique index.
  private static func lensKey(
    _ session: SQLiteSession, _ schema: SchemaRows, _ lens: TableLens,
    _ columns: [SchemaRows.Column]
  ) -> FoundKey? {
    let primary = primaryKey(session, schema, name: lens.table, columns, isWithoutRowid: false)
    if let primary, primary.index == nil, primary.keys.map(\.name) == lens.key { return primary }
    for index in schema.uniqueIndexes(of: lens.table) where !lens.key.isEmpty {
      let names = index.parts.compactMap(\.name)
      guard lens.index.map({ $0 == names }) ?? Set(names).isSuperset(of: lens.key),
        let parts = keyColumns(
          session, schema, name: lens.table, index, columns, isWithoutRowid: false)
      else { continue }
      let own = lens.key.compactMap { name in parts.first { $0.name == name } }
      let others = lens.index == nil ? parts.filter { !lens.key.contains($0.name) } : []
      return (own + others, index.name)
    }
    return nil
  }

  /// Returns the columns of an index in order; nil if larder cannot find rows by it.
  ///
  /// Such an index contains an expression, or a collation that only the database's own program has.
  private static func keyColumns(
    _ session: SQLiteSession, _ schema: SchemaRows, name: String, _ index: SchemaRows.Index,
    _ columns: [SchemaRows.Column], isWithoutRowid: Bool
  ) -> [KeyColumn]? {
    var keys: [KeyColumn] = []
    for (part, isDescending, collation) in index.parts {
      guard let part, schema.hasCollation(collation),
        let column = columns.first(where: { $0.name.hasBytes(of: part) })
      else { return nil }
      let declared = session.collation(ofColumn: part, table: name) ?? "BINARY"
      let collate =
        declared.lowercased() == collation.lowercased()
        ? "" : " COLLATE " + SQLiteIdentifier.quoted(collation)
      keys.append(
        KeyColumn(
          name: part, type: column.type, sql: "t." + SQLiteIdentifier.quoted(part) + collate,
          isDescending: isDescending, isNullable: !isWithoutRowid && !column.isNotNull,
          isPlainText: schema.isUTF8 && ColumnAffinity(declared: column.type) == .text
            && collation.lowercased() == "binary"))
    }
    return keys.isEmpty ? nil : keys
  }
}

extension SchemaRows.Column {
  /// Returns the column as part of the value; the database numbers a row whose number is not
  /// written.
  fileprivate func value(isRowNumber: Bool, shownAs shown: String?) -> TableLayout.ValueColumn {
    TableLayout.ValueColumn(
      name: shown ?? name, storedName: name, isGenerated: hidden >= 2,
      defaultText: defaultText ?? (isRowNumber ? "next number" : nil),
      isTimedInUTC: isTimedInUTC, type: type, isNotNull: isNotNull, isRowNumber: isRowNumber)
  }
}
