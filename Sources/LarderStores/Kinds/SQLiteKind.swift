import LarderFiles
import Harmony
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// SQLite databases: every table and view is a collection of rows.
enum SQLiteKind: OpenableKind {
  static let kind = StoreKind(
    name: "sqlite", recognizedBy: "a file with an SQLite header, whatever its name",
    collections: "tables and views",
    keys:
      "the primary key, or the unique text key of a cache; without one, the rowid, or in a view "
      + "the row's number",
    reportsSideEffects: true, check: .database)

  private static let magic = Array("SQLite format 3\0".utf8)

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, _) = probe.target, isHeader(bytes) else { return nil }
    return Messages.sqlite
  }

  /// Returns whether a file that starts with these bytes is a database.
  static func isHeader(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let path = probe.location.path
    try checkLength(probe)
    let database = SQLiteDatabase(
      path: path, busyTimeout: options.busyTimeout, isShared: options.opensOneCollection)
    let sentences = SQLiteMessages(path: path)
    let lenses = options.lenses.map(TableLens.init)
    // The expiry column given by the user may be that of another table, so check all of them.
    let wanted =
      options.opensOneCollection && options.expiry.column == nil ? probe.collection : nil
    let catalogue: KnownLayouts
    let facts: [OpenStore.Fact]
    do {
      let look: @Sendable (SQLiteSession) throws -> (KnownLayouts, [OpenStore.Fact]) = { session in
        let catalogue = try KnownLayouts(
          session, named: wanted, key: options.key, lenses: lenses
        ) { layout in
          // A view may be slow, and a table of a missing module cannot be read.
          (try? layout.recognizingExpiry(choice(of: layout, path, options), session))
            ?? layout
        }
        let layouts = catalogue.layouts
        return (
          catalogue,
          try Self.facts(session) + Self.keyValueFacts(layouts) + ExpiryFacts.all(layouts)
            + Self.otherFacts(layouts, options.lenses)
        )
      }
      do {
        (catalogue, facts) = try await database.perform(.page, look)
      } catch let error as SQLiteError
        where error.extendedCode == .readOnlyRollback && !options.isReadOnly
      {
        // A transaction of a killed process has to be rolled back by the next one that opens the
        // database for writing, as SQLite intends.
        _ = try await database.perform(.write) { try $0.rows("SELECT 1 FROM sqlite_schema") }
        (catalogue, facts) = try await database.perform(.page, look)
      }
    } catch {
      throw sentences.storeError(error)
    }
    let layouts = catalogue.layouts
    if let column = options.expiry.column,
      !layouts.contains(where: { $0.valueColumn(named: column) != nil })
    {
      throw .noColumn(column, in: path)
    }
    let isReadOnly = options.isReadOnly
    let reason = isReadOnly ? OpeningMessages.openedReadOnly : WriteObstacle.ofDatabase(path)
    let store: OpenStore.Opening = { collection, key in
      do {
        var options = options
        // Without a choice for this collection, one for all of them is for those that have it.
        options.opensOneCollection = options.opensOneCollection || key != nil
        let key = key ?? options.key
        // The layouts that were read are of another key.
        let known = key == options.key ? catalogue : nil
        options.key = key
        return try await Self.store(collection, database, known, options, reason: reason)
      } catch {
        throw sentences.storeError(error)
      }
    }
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence, readOnlyReason: reason,
      collections: layouts.map { layout in
        StoreCollection(
          name: layout.shownName, form: layout.form.rawValue,
          isWritable: layout.isWritable && reason == nil, keys: layout.keyDescription,
          readOnlyReason: layout.readOnlyReason, expiry: layout.timing?.summary,
          program: layout.lens?.program)
      },
      facts: facts, opening: store)
  }

  private static func store(
    _ collection: String?, _ database: SQLiteDatabase, _ catalogue: KnownLayouts?,
    _ options: OpenOptions, reason: String?
  ) async throws -> Store {
    let lenses = options.lenses.map(TableLens.init)
    let (table, layout, valueType, references) = try await database.perform(.page) { session in
      let known = try catalogue?.areCurrent(session) == true ? catalogue : nil
      let chosen = try choose(
        collection, known, session, path: database.path, key: options.key, lenses)
      try checkReadable(chosen, session, path: database.path)
      let choice = choice(of: chosen, database.path, options)
      if options.opensOneCollection,
        let refusal = options.key.refusal(
          in: chosen.keyChoices, of: "\(database.path)#\(chosen.name)")
      {
        throw refusal
      }
      let table = SQLiteTable(
        database, name: chosen.name, choice: choice, key: chosen.choice, lenses: lenses, in: known)
      let layout = try table.layout(session)
      try checkChoice(options.expiry, layout)
      return (
        table, layout, try layout.valueType(session),
        try referredTables(layout, known, session, lenses)
      )
    }
    var capabilities: StoreCapabilities = [.searchable]
    capabilities.formUnion(layout.known)
    if case .columns = layout.keys { capabilities.insert(.ordered) }
    if layout.takesPrefixRange, !layout.keyColumns.contains(where: \.isDescending) {
      capabilities.insert(.prefixes)
    }
    if layout.isWritable && reason == nil {
      capabilities.insert(.writable)
      if layout.lens?.takesNewRows != false { capabilities.insert(.creates) }
    }
    let warnings = WarningCollector()
    let source = SQLiteEntrySource(
      table, isReadOnly: options.isReadOnly, warnings: warnings)
    var newKey: (@Sendable () async throws -> EntryKey)?
    if layout.isKeyedByNumber, layout.isWritable, layout.lens?.takesNewRows != false {
      newKey = { try await source.newKey() }
    }
    return Store(
      kind: kind, location: StoreLocation(path: database.path, collection: layout.shownName),
      capabilities: capabilities, keyStyle: .typed, template: template(layout),
      newColumns: layout.newColumns,
      computedFields: layout.values.filter(\.isGenerated).map(\.name),
      columns: layout.isSingleValue ? [] : layout.values.map(\.name), references: references,
      valueField: layout.valueColumn, expiryField: layout.timing?.column,
      valueType: valueType,
      keyColumns: layout.keyColumns.map(\.typed), keyChoices: layout.keyChoices,
      keyChoice: layout.choice,
      readOnlyReason: reason ?? layout.readOnlyReason, warnings: warnings,
      source: AnyDataSource(source), expiry: layout.mayExpire ? source : nil,
      newKey: newKey,
      dryRun: source,
      changeFeed: { source.changeFeed() }, undoSupport: SQLiteUndo(source: source))
  }

  /// Returns the columns that reference the keys of other tables.
  private static func referredTables(
    _ layout: TableLayout, _ known: KnownLayouts?, _ session: SQLiteSession, _ lenses: [TableLens]
  ) throws -> [String: String] {
    guard layout.form == .table else { return [:] }
    var references = layout.lens?.references ?? [:]
    for key in try ForeignKey.of(layout.name, session) where !key.isParentMissing {
      guard key.columns.count == 1, let (from, to) = key.columns.first,
        let column = layout.values.first(where: { $0.name.lowercased() == from.lowercased() })?
          .name,
        let parent = try known?[key.parent]
          ?? TableCatalogue.layouts(session, named: key.parent, lenses: lenses).first,
        parent.keyColumns.count == 1,
        parent.keyColumns.first?.name.lowercased() == to.lowercased()
      else { continue }
      references[column] = parent.name
    }
    return references
  }

  /// Throws an error if the table cannot be read, for example because of a missing collation,
  /// module or function.
  private static func checkReadable(
    _ layout: TableLayout, _ session: SQLiteSession, path: String
  ) throws {
    do throws(SQLiteError) {
      for segment in layout.segments(after: nil, backward: false) {
        try session.check(RowReader(layout).select(values: true) + segment.sql)
      }
    } catch {
      // The rows of a table without rowids are stored in its index, for which SQLite's error
      // message is less specific.
      let missing = layout.isWithoutRowid ? layout.missingCollation : nil
      let gap = (missing.map(UnsupportedSchema.init(collation:)) ?? UnsupportedSchema(error))?
        .sentence(
          of: layout.name, session)
      throw StoreError.unreadableTable(layout.name, of: path, gap ?? error.message)
    }
  }

  /// Returns the user's choice of the expiry column for a table, whose rule may have either name.
  private static func choice(
    of layout: TableLayout, _ path: String, _ options: OpenOptions
  ) -> ExpiryChoice {
    let paths = [path, ResolvedPath.of(path)].compactMap(\.self)
    var (choice, rule) = options.expiry(of: paths, layout.shownName)
    if rule == nil { (choice, rule) = options.expiry(of: paths, layout.name) }
    choice.rule = rule?.place
    return choice
  }

  /// Throws an error if the expiry column named by the user does not contain expiries.
  private static func checkChoice(
    _ choice: ExpiryChoice, _ layout: TableLayout
  ) throws(StoreError) {
    guard let column = choice.column, layout.valueColumn(named: column) != nil, layout.timing == nil
    else { return }
    throw .notExpiry(column, of: layout.name, layout.expiry.obstacle)
  }

  /// Returns a record with the columns that a new row requires and null values, or nil if the value
  /// is not a record.
  private static func template(_ layout: TableLayout) -> StoredValue? {
    guard !layout.isSingleValue else { return nil }
    return .record(
      layout.values.filter { !$0.isGenerated && !layout.hasDefault($0) }
        .map { StoredValue.Field($0.name, .null) })
  }

  /// Returns the table with the given name, or the only one if the name is nil.
  private static func choose(
    _ collection: String?, _ known: KnownLayouts?, _ session: SQLiteSession, path: String,
    key: KeyChoice, _ lenses: [TableLens]
  ) throws -> TableLayout {
    if let collection {
      if let layout = known?[collection] { return layout }
      if let layout = try TableCatalogue.layouts(
        session, named: collection, key: key, lenses: lenses
      ).first {
        return layout
      }
    }
    let layouts =
      try known?.isWhole == true
      ? known?.layouts ?? [] : TableCatalogue.layouts(session, key: key, lenses: lenses)
    if collection == nil, layouts.count == 1, let only = layouts.first { return only }
    let tables = layouts.filter { $0.form == .table }
    if collection == nil, tables.count == 1, let only = tables.first { return only }
    guard !layouts.isEmpty else { throw StoreError.without(Messages.tablesOrViews, in: path) }
    let names = layouts.map(\.shownName)
    throw collection.map { StoreError.missing(Messages.tableOrView, $0, in: path, of: names) }
      ?? .several("tables", in: path, names)
  }

  /// Throws an error if the file is truncated, which SQLite itself notices only when it reads a
  /// missing page.
  private static func checkLength(_ probe: StoreProbe) throws(StoreError) {
    guard case .file(let header, let size) = probe.target else { return }
    let path = probe.location.path
    guard header.count >= 100 else {
      throw .noHeader(path, size: size)
    }
    func number(_ start: Int) -> Int64 {
      header[start..<(start + 4)].reduce(0) { $0 << 8 | Int64($1) }
    }
    let stated = Int64(header[16]) << 8 | Int64(header[17])
    let pageSize = stated == 1 ? 65_536 : stated
    // The page count is only valid if this header field was written by a current version of SQLite,
    // and only complete if the file does not use a write-ahead log.
    guard number(24) == number(92), header[18] == 1, header[19] == 1,
      size < number(28) * pageSize
    else { return }
    throw .cutShort(path, size: size, of: number(28) * pageSize)
  }

  /// Returns a fact about the tables that are shown as keys and values rather than records.
  private static func keyValueFacts(_ layouts: [TableLayout]) -> [OpenStore.Fact] {
    OpenStore.Fact.listing("key-value", layouts.compactMap(\.keyValueEvidence))
  }

  /// Returns the library that made the database, and the reasons why lenses of the settings do not
  /// apply to their tables.
  private static func otherFacts(
    _ layouts: [TableLayout], _ lenses: [LensRule]
  ) -> [OpenStore.Fact] {
    let isRoom = layouts.contains {
      $0.name == "room_master_table" && $0.valueColumn(named: "identity_hash") != nil
    }
    let obstacles = lenses.compactMap { lens in
      layouts.first { $0.name == lens.table }.flatMap(lens.obstacle).map {
        Messages.unusableRule(lens.name, lens.place, table: lens.table, $0)
      }
    }
    return (isRoom ? [OpenStore.Fact("library", Messages.room)] : [])
      + (obstacles.isEmpty
        ? []
        : [OpenStore.Fact("lenses", obstacles.joined(separator: "; "), lines: obstacles)])
  }

  private static func facts(_ session: SQLiteSession) throws(SQLiteError) -> [OpenStore.Fact] {
    var facts: [OpenStore.Fact] = []
    for (name, pragma) in [
      ("page size", "page_size"), ("pages", "page_count"), ("free pages", "freelist_count"),
      ("encoding", "encoding"), ("user version", "user_version"),
      ("application id", "application_id"),
    ] {
      switch try session.rows("PRAGMA \(pragma)").first?.first {
      case .integer(let number): facts.append(OpenStore.Fact(name, String(number)))
      case .text(let text): facts.append(OpenStore.Fact(name, text))
      default: break
      }
    }
    return facts
  }
}
