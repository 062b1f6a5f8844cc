import HarmonySQLite
import LarderCore

extension RowWriter {
  /// Deletes entries; those that are missing are deleted already, unless something was expected.
  func delete(_ request: DeleteRequest) throws {
    try withoutCascades(.delete) {
      switch request {
      case .one(let key, let condition):
        let current = try reader.read(key, session)
        guard condition.allows(current) else { throw StoreError.conflict(current: current) }
        return try current == nil ? 0 : delete(key)
      case .several(let keys):
        return try keys.reduce(0) { count, key in
          try reader.read(key, session) == nil ? count : count + delete(key)
        }
      case .prefix(let prefix, let scan):
        let count = try delete(prefix: prefix)
        scan?.reportDeleted(count)
        return count
      case .all:
        try session.run("DELETE FROM \(layout.target)")
        return session.changes
      }
    }
  }

  private func delete(_ key: EntryKey) throws -> Int {
    try delete(key, where: layout.keyCondition, layout.values(of: key))
    return 1
  }

  private func delete(
    _ key: EntryKey, where condition: String, _ values: [SQLiteValue], rows: Int = 1
  ) throws {
    try session.run("DELETE FROM \(layout.target) WHERE \(condition)", values)
    try checkCount("deleted", key, rows)
  }

  /// Deletes the rows whose keys start so, and counts them.
  private func delete(prefix: String) throws -> Int {
    var deleted = 0
    if layout.takesPrefixRange, !prefix.isEmpty {
      for var segment in layout.segments(after: nil, backward: false, prefix: prefix) {
        segment.order = []
        try session.run("DELETE FROM \(layout.target)" + segment.sql, segment.bindings)
        deleted += session.changes
      }
    } else if let rowid = layout.rowid {
      deleted = try delete(prefix: prefix, rowid: rowid)
    } else {
      var scan = RowScan(EntryPageQuery(prefix: prefix, limit: .max))
      try scan.run(session, layout, rows: .max)
      var counts: [EntryKey: Int] = [:]
      for entry in scan.entries { counts[entry.key, default: 0] += 1 }
      deleted = scan.entries.count
      for (key, count) in counts {
        try delete(key, where: layout.keyCondition, layout.values(of: key), rows: count)
      }
    }
    return deleted
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
