import HarmonySQLite
import LarderModel

extension RowWriter {
  /// Deletes entries; a missing one is an error only if its condition expects it.
  func delete(_ request: DeleteRequest) throws {
    written.hasDeletions = true
    switch request {
    case .one(let key, let condition):
      try delete(key, condition)
    case .several(let keys):
      // Only if a deletion can delete other rows does it matter which were there before.
      let areCounted = try SideEffects(of: layout, session).arePossible
      let present =
        try areCounted ? Set(keys).filter { try reader.present($0, session) != nil } : Set(keys)
      for key in present { try delete(key, .anything, wasPresent: areCounted) }
    case .prefix(let prefix, let scan):
      let count = try delete(prefix: prefix)
      if !isTrial { scan?.reportDeleted(count) }
    case .all:
      guard try !ForeignKey.haveActions(on: layout.name, session) else {
        _ = try deleteOneByOne(prefix: "")
        return
      }
      try deleteRows("")
    }
  }

  /// Deletes the row of a key, if the condition allows it.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - condition: The condition.
  ///   - wasPresent: Whether there was a row before the change, so that one that is missing now was
  ///     deleted as a side effect.
  /// - Throws: ``StoreError`` if the condition is not met, or the database refuses.
  func delete(
    _ key: EntryKey, _ condition: WriteRequest.Condition, wasPresent: Bool = false
  ) throws {
    written.hasDeletions = true
    if case .anything = condition {
      // Nothing is compared, so the value need not be read.
      guard try reader.present(key, session) != nil else {
        if wasPresent { written.goneAlong += 1 }
        return
      }
    } else {
      let current = try reader.read(key, session)
      guard condition.allows(current) else { throw StoreError.conflict(current: current) }
      guard current != nil else { return }
    }
    try delete(key, where: layout.keyCondition, layout.values(of: key))
  }

  private func delete(
    _ key: EntryKey, where condition: String, _ values: [SQLiteValue], rows: Int = 1
  ) throws {
    try deleteRows(" WHERE \(condition)", values)
    if session.changes != rows, try ForeignKey.haveActions(on: layout.name, session),
      try session.rows("SELECT 1 FROM \(layout.target) WHERE \(condition) LIMIT 1", values).isEmpty
    {
      // Foreign keys have deleted some of the rows along with earlier ones.
      written.goneAlong += rows - session.changes
      return
    }
    try checkCount("deleted", key, rows)
  }

  /// Deletes the rows that a WHERE clause finds, and those joined to them.
  ///
  /// The session's number of changes is then that of the table itself.
  private func deleteRows(_ clause: String, _ values: [SQLiteValue] = []) throws {
    for (table, column) in layout.lens?.referrers ?? [] {
      let deleted =
        "(SELECT \(layout.keySQL.joined(separator: ", ")) FROM \(layout.target)\(clause))"
      // A row that is deleted as well does not matter.
      let isOwn = table == layout.name && layout.keyColumns.count == 1
      let others =
        isOwn
        ? " AND r.\(SQLiteIdentifier.quoted(layout.keyColumns[0].name)) NOT IN \(deleted)" : ""
      let referrers = try session.rows(
        "SELECT 1 FROM main.\(SQLiteIdentifier.quoted(table)) AS r "
          + "WHERE r.\(SQLiteIdentifier.quoted(column)) IN \(deleted)\(others) LIMIT 1",
        isOwn ? values + values : values)
      guard referrers.isEmpty else {
        throw StoreError.notSupported(
          "\(column) of \(table) still refers to it, and only \(layout.lens?.program ?? "") knows what "
            + "else must change; nothing was deleted. Change or delete that row first"
        )
      }
    }
    for join in Set(layout.values.filter { !$0.isGenerated }.compactMap(\.join)) {
      try session.run(
        "DELETE FROM main.\(SQLiteIdentifier.quoted(join.table)) WHERE \(join.column) IN "
          + "(SELECT t.\(join.column) FROM \(layout.target)\(clause))", values)
    }
    try session.run("DELETE FROM \(layout.target)\(clause)", values)
  }

  /// Deletes the rows whose keys have a prefix, and returns their number.
  private func delete(prefix: String) throws -> Int {
    guard try !ForeignKey.haveActions(on: layout.name, session) else {
      return try deleteOneByOne(prefix: prefix)
    }
    var deleted = 0
    if layout.takesPrefixRange, !prefix.isEmpty {
      for var segment in layout.segments(after: nil, backward: false, prefix: prefix) {
        segment.order = []
        try deleteRows(segment.sql, segment.bindings)
        deleted += session.changes
      }
      try checkNoneKept(prefix)
    } else if let rowid = layout.rowid {
      deleted = try delete(prefix: prefix, rowid: rowid)
    } else {
      return try deleteOneByOne(prefix: prefix)
    }
    return deleted
  }

  /// Checks that no trigger has kept or replaced a row whose key has a prefix.
  private func checkNoneKept(_ prefix: String) throws {
    var scan = RowScan(EntryPageQuery(prefix: prefix, limit: 1))
    try scan.run(session, layout, rows: 1)
    guard let entry = scan.entries.first else { return }
    throw StoreError.failed(
      "the database kept the entry \(entry.key.spoken) from being deleted; nothing was deleted")
  }

  /// Deletes the rows whose keys have a prefix, key by key, and returns their number.
  private func deleteOneByOne(prefix: String) throws -> Int {
    var scan = RowScan(EntryPageQuery(prefix: prefix, limit: .max))
    try scan.run(session, layout, rows: .max)
    var counts: [EntryKey: Int] = [:]
    for entry in scan.entries { counts[entry.key, default: 0] += 1 }
    for (key, count) in counts {
      try delete(key, where: layout.keyCondition, layout.values(of: key), rows: count)
    }
    return scan.entries.count
  }

  /// Deletes row by row, as a condition on the key would also match keys that are equal only by the
  /// table's collation.
  private func delete(prefix: String, rowid: String) throws -> Int {
    let columns = (layout.keySQL + ["t.\(rowid)"]).joined(separator: ", ")
    let statement = try session.statement("SELECT \(columns) FROM \(layout.target)")
    var rows: [Int64] = []
    while try statement.step() {
      guard reader.key(statement).hasPrefix(prefix) else { continue }
      rows.append(statement.integer(at: layout.keySQL.count))
    }
    statement.reset()
    for row in rows {
      try delete(.integer(row), where: "t.\(rowid) = ?", [.integer(row)])
    }
    return rows.count
  }
}
