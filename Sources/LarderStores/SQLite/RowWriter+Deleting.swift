import HarmonySQLite
import LarderModel

extension RowWriter {
  /// Deletes entries; those that are missing are deleted already, unless something was expected.
  func delete(_ request: DeleteRequest) throws {
    switch request {
    case .one(let key, let condition):
      try delete(key, condition)
    case .several(let keys):
      for key in Set(keys) { try delete(key, .anything) }
    case .prefix(let prefix, let scan):
      let count = try delete(prefix: prefix)
      if !isTrial { scan?.reportDeleted(count) }
    case .all:
      guard try !ForeignKey.haveActions(on: layout.name, session) else {
        _ = try deleteOneByOne(prefix: "")
        return
      }
      try session.run("DELETE FROM \(layout.target)")
    }
  }

  /// Deletes one row, if the store holds what it has to.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) throws {
    if case .anything = condition {
      // Nothing is compared, so the value need not be read.
      guard try reader.present(key, session) != nil else {
        written.goneAlong += 1
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
    try session.run("DELETE FROM \(layout.target) WHERE \(condition)", values)
    if session.changes != rows, try ForeignKey.haveActions(on: layout.name, session),
      try session.rows("SELECT 1 FROM \(layout.target) WHERE \(condition) LIMIT 1", values).isEmpty
    {
      // Some went along with rows before that they refer to.
      written.goneAlong += rows - session.changes
      return
    }
    try checkCount("deleted", key, rows)
  }

  /// Deletes the rows whose keys start so, and counts them.
  private func delete(prefix: String) throws -> Int {
    guard try !ForeignKey.haveActions(on: layout.name, session) else {
      return try deleteOneByOne(prefix: prefix)
    }
    var deleted = 0
    if layout.takesPrefixRange, !prefix.isEmpty {
      for var segment in layout.segments(after: nil, backward: false, prefix: prefix) {
        segment.order = []
        try session.run("DELETE FROM \(layout.target)" + segment.sql, segment.bindings)
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

  /// Makes sure that a trigger has kept no row whose key starts so, and put none in its place.
  private func checkNoneKept(_ prefix: String) throws {
    var scan = RowScan(EntryPageQuery(prefix: prefix, limit: 1))
    try scan.run(session, layout, rows: 1)
    guard let entry = scan.entries.first else { return }
    throw StoreError.failed(
      "the database kept the entry \(entry.key.spoken) from being deleted; nothing was deleted")
  }

  /// Deletes the rows of each key that starts so, and counts them.
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

  /// Deletes row by row, as a condition on the key would also find keys that are equal by the
  /// table's collation only.
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
