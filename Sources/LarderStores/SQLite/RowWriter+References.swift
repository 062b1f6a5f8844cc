import HarmonySQLite
import LarderCore

/// The foreign keys that carry changes of one table on, each read when it is first asked for.
final class CarryingReferences {
  /// What happens to a row that others may refer to.
  enum Change: String {
    case delete = "on_delete"
    case update = "on_update"
  }

  private let layout: TableLayout
  private let session: SQLiteSession
  /// Whether rows that others refer to stay in any case, though foreign keys are not kept.
  let areAll: Bool
  private var known: [Change: [ForeignKey]] = [:]

  init(_ layout: TableLayout, _ session: SQLiteSession, areAll: Bool = false) {
    self.layout = layout
    self.session = session
    self.areAll = areAll
  }

  /// The foreign keys that a change sets to work; none where foreign keys are not kept.
  func on(_ change: Change) throws(SQLiteError) -> [ForeignKey] {
    let isOfAll = areAll && change == .delete
    guard isOfAll || session.keepsForeignKeys else { return [] }
    if let known = known[change] { return known }
    let declared =
      isOfAll
      ? try ForeignKey.referring(to: layout.name, session)
      : try ForeignKey.carrying(change, of: layout.name, session)
    // One whose columns refer to nothing carries nothing.
    let found = declared.filter { key in key.columns.allSatisfy { !$0.to.isEmpty } }
    known[change] = found
    return found
  }
}

extension RowWriter {
  /// Whether foreign keys may carry what is done to a row on to others, as they do for the
  /// database's own program.
  ///
  /// What becomes of those rows is told, and the journal keeps it. An undo knows only what its step
  /// has done, and leaves rows alone that refer to its own since.
  var carriesOn: Bool { !isUndo && !references.areAll && SQLiteSession.observesChanges }

  /// Refuses the deletion of a row that foreign keys would carry on to rows that nobody named, where
  /// that is not wanted.
  ///
  /// - Throws: ``StoreError`` where other rows would change, and ``SQLiteError``.
  func checkReferences(_ key: EntryKey) throws {
    if carriesOn { return }
    let tables = try tables(referringTo: key)
    guard tables.isEmpty else { throw carried(to: tables, "deleted") }
  }

  /// Changes columns of a row, unless foreign keys would carry that on to rows that nobody named
  /// where that is not wanted.
  ///
  /// - Parameters:
  ///   - entry: The row.
  ///   - columns: The columns that get other values.
  ///   - change: Changes them, and returns the row as it is then.
  /// - Returns: The row as it is then.
  /// - Throws: ``StoreError`` where other rows would change, what the change throws, and
  ///   ``SQLiteError``.
  func keepingReferences(
    to entry: Entry, changing columns: [String], _ change: () throws -> Entry
  ) throws -> Entry {
    if carriesOn { return try change() }
    let tables = try tables(referringTo: entry.key, changing: columns)
    guard tables.isEmpty else { throw carried(to: tables, "changed") }
    // What others refer to may be computed of what changes; only the database can tell.
    var computed: [String: [String]] = [:]
    for column in layout.values where column.isGenerated {
      computed[column.name] = try self.tables(referringTo: entry.key, changing: [column.name])
    }
    let changed = try change()
    let others = computed.filter { name, _ in
      changed.field(name, layout) != entry.field(name, layout)
    }
    let all = Set(others.flatMap(\.value))
    guard all.isEmpty else { throw carried(to: all.sorted(), "changed") }
    return changed
  }

  /// The tables with rows that a foreign key would change along with a row.
  func tables(referringTo key: EntryKey, changing columns: [String]? = nil) throws -> [String] {
    var carrying = try references.on(columns == nil ? .delete : .update)
    if let columns {
      let changed = Set(columns.map { $0.lowercased() })
      carrying.removeAll { reference in
        // What follows a row refers to it afterwards as before.
        reference.followsUpdates
          || !reference.columns.contains { changed.contains($0.to.lowercased()) }
      }
    }
    guard !carrying.isEmpty else { return [] }
    let values = try layout.values(of: key)
    let referring = try carrying.filter {
      try !session.rows(search($0) + " LIMIT 1", values).isEmpty
    }
    return Set(referring.map(\.table)).sorted()
  }

  /// What finds the rows that refer to the row of a key.
  private func search(_ reference: ForeignKey, _ columns: String = "1") -> String {
    var conditions = reference.columns.map {
      // The rules by which the two are compared are those of the column that is referred to.
      "t.\(SQLiteIdentifier.quoted($0.to)) = c.\(SQLiteIdentifier.quoted($0.from))"
    }
    if reference.table.lowercased() == layout.name.lowercased() {
      // A row that refers to itself is not another one.
      let same = layout.keyNames.map { "c.\($0) IS t.\($0)" }
      conditions.append("NOT (\(same.joined(separator: " AND ")))")
    }
    return
      "SELECT \(columns) FROM \(layout.target), main.\(SQLiteIdentifier.quoted(reference.table)) AS c "
      + "WHERE \(layout.keyCondition) AND \(conditions.joined(separator: " AND "))"
  }

  /// Deletes rows one by one, each after those that refer to it.
  ///
  /// - Throws: ``StoreError`` where rows that are not among these refer to one, and what the body
  ///   throws.
  func inOrderOfReferences<Item>(
    _ items: [Item], _ key: (Item) -> EntryKey, delete: (Item) throws -> Void
  ) throws {
    var items = items
    // What triggers delete or change meanwhile may have been all that referred to a row.
    while !items.isEmpty {
      var tables: [EntryKey: [String]] = [:]
      let left = try ReferrersFirst(items, key).take { key in
        let referring = try self.tables(referringTo: key)
        tables[key] = referring
        return referring.isEmpty
      } referrers: {
        try referrers(of: $0)
      } _: {
        try delete($0)
      }
      if carriesOn { return try left.forEach(delete) }
      guard left.count < items.count else {
        let all = Set(left.flatMap { tables[key($0)] ?? [] })
        throw carried(to: all.sorted(), "deleted")
      }
      items = left
    }
  }

  /// The rows of the table itself that refer to the row of a key.
  private func referrers(of key: EntryKey) throws -> [EntryKey] {
    let own = try references.on(.delete).filter {
      $0.table.lowercased() == layout.name.lowercased()
    }
    let columns = layout.keyNames.map { "c." + $0 }.joined(separator: ", ")
    return try own.flatMap { reference in
      var keys: [EntryKey] = []
      try session.query(search(reference, columns), try layout.values(of: key)) { statement in
        while try statement.step() { keys.append(reader.key(statement)) }
      }
      return keys
    }
  }

  private func carried(to tables: [String], _ verb: String) -> StoreError {
    let names = tables.map { "\"\($0)\"" }.joined(separator: ", ")
    guard !references.areAll else {
      return .failed(
        "rows of \(names) refer to what would be deleted; nothing was \(verb). Delete or change "
          + "those rows first")
    }
    return .failed(
      "other rows would be deleted or changed too, by the foreign keys of \(names); "
        + "nothing was \(verb). Delete or change those rows first")
  }
}
