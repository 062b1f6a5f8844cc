import HarmonySQLite
import LarderModel
import LarderStoreBase

extension RowWriter {
  /// Deletes entries; a missing one is an error only if its condition expects it.
  func delete(_ request: DeleteRequest) throws {
    switch request {
    case .one(let key, let condition):
      try delete(key, condition)
    case .several(let keys):
      for key in Set(keys) { try delete(key, .anything) }
    case .prefix(let prefix, let scan):
      let count = try delete(prefix: prefix)
      scan?.reportDeleted(count)
    case .all: try deleteRows("")
    }
  }

  /// Deletes the row of a key, if the condition allows it.
  ///
  /// - Throws: ``StoreError`` if the condition is not met, or the database refuses.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) throws {
    let current: Entry?
    if case .anything = condition {
      // Nothing is compared, so the value need not be read.
      current = try reader.present(key, session)
    } else {
      current = try reader.read(key, session)
      guard condition.allows(current) else { throw StoreError.conflict(current: current) }
    }
    guard current != nil else { return }
    try deleteRows(" WHERE \(layout.keyCondition)", layout.values(of: key))
    try checkCount("deleted", key)
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
        throw StoreError.stillReferred(column, of: table, layout.lens?.program ?? "")
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
    if layout.takesPrefixRange, !prefix.isEmpty {
      return try layout.segments(after: nil, backward: false, prefix: prefix).reduce(0) {
        count, segment in
        var segment = segment
        segment.order = []
        return try count + delete(prefix, segment.sql, segment.bindings)
      }
    }
    // The condition compares the keys themselves, not by the collation of the table.
    let keyCount = layout.keyColumns.count
    let condition = "\(SQLiteSession.rowTest)(\(layout.keySQL.joined(separator: ", ")))"
    return try session.testingRows { values in
      EntryKey(parts: (0..<keyCount).map { values.copy($0) }).hasPrefix(prefix)
    } _: {
      try delete(prefix, " WHERE \(condition)")
    }
  }

  /// Deletes the rows that a WHERE clause finds, and checks that none with the prefix is left.
  private func delete(
    _ prefix: String, _ clause: String, _ values: [SQLiteValue] = []
  ) throws -> Int {
    // Foreign keys may delete some of the rows along with others, which the session does not count.
    let count =
      try ForeignKey.haveActions(on: layout.name, session)
      ? session.count("FROM \(layout.target)\(clause)", values) : nil
    try deleteRows(clause, values)
    let deleted = session.changes
    try checkNoneKept(prefix)
    return count ?? deleted
  }

  /// Checks that no trigger has kept or replaced a row whose key has a prefix.
  private func checkNoneKept(_ prefix: String) throws {
    var scan = RowScan(EntryPageQuery(prefix: prefix, limit: 1))
    // The scan ends with the first match.
    try scan.run(session, layout, rows: .max)
    guard let entry = scan.entries.first else { return }
    throw StoreError.unaffected(entry.key, "deleted")
  }
}
