import HarmonySQLite
import LarderModel

/// Finds the row for which a database refuses to commit a transaction because of foreign keys.
struct ConstraintDiagnosis {
  let writer: RowWriter
  /// Receives the change that is at fault.
  let scan: Scan?

  /// The number of broken references after which no more rows are checked.
  private static let maximumCount = 1_000

  private var session: SQLiteSession { writer.session }

  /// Returns an error that names the row at fault, and rolls back the transaction.
  ///
  /// A reference that was broken before the change is not at fault.
  ///
  /// - Throws: ``SQLiteError``.
  func error() throws -> StoreError {
    let check = ForeignKeyCheck(layout: writer.layout, session: session)
    let own = try brokenOnes(check)
    let others = own.isEmpty ? try rowsWithoutParent() : []
    try session.run("ROLLBACK")
    for (key, reference) in own where try !check.isBroken(reference, of: key) {
      scan?.report(fault: key)
      return .refused(check.sentence(key, reference))
    }
    let before = Set(try others.isEmpty ? [] : rowsWithoutParent())
    return .refused(
      others.first { !before.contains($0) }?.sentence ?? Messages.brokenForeignKey)
  }

  /// Returns the written rows whose parents are missing.
  private func brokenOnes(
    _ check: ForeignKeyCheck
  ) throws -> [(key: EntryKey, reference: ForeignKey)] {
    let references = try ForeignKey.of(writer.layout.name, session)
    var found: [(EntryKey, ForeignKey)] = []
    for key in writer.written.keys {
      for reference in references where try check.isBroken(reference, of: key) {
        found.append((key, reference))
      }
      if found.count >= Self.maximumCount { break }
    }
    return found
  }

  /// A row whose parent is missing.
  private struct Orphan: Hashable {
    let table: String
    /// The rowid, if there is one.
    let row: Int64?
    let parent: String

    var sentence: String { Messages.wouldOrphan(row, of: table, from: parent) }
  }

  private func rowsWithoutParent() throws -> [Orphan] {
    guard let tables = try nearTables() else {
      return try orphans("PRAGMA main.foreign_key_check")
    }
    return try tables.sorted().flatMap { table in
      try orphans("SELECT * FROM pragma_foreign_key_check(?, 'main')", [.text(table)])
    }
  }

  /// Returns the tables whose rows may have lost their parents: the written table, those that refer
  /// to it, and those that refer to tables that it may change in turn; nil if triggers may have
  /// changed any table.
  private func nearTables() throws -> Set<String>? {
    var near: Set<String> = [writer.layout.name]
    var changed = [writer.layout.name]
    var known: Set<String> = [writer.layout.name.lowercased()]
    while let name = changed.popLast() {
      if try SideEffects.areTriggered(by: name, session) { return nil }
      for reference in try ForeignKey.referring(to: name, session) {
        near.insert(reference.table)
        if known.insert(reference.table.lowercased()).inserted {
          changed.append(reference.table)
        }
      }
    }
    return near
  }

  private func orphans(_ sql: String, _ values: [SQLiteValue] = []) throws -> [Orphan] {
    try session.rows(sql, values).compactMap { row in
      guard row.count > 3, case .text(let table) = row[0], case .text(let parent) = row[2] else {
        return nil
      }
      let number: Int64? = if case .integer(let number) = row[1] { number } else { nil }
      return Orphan(table: table, row: number, parent: parent)
    }
  }
}

/// The keys that were written in a transaction, in order, if they are needed.
final class WrittenKeys {
  /// A row that triggers stored differently.
  struct Triggered {
    let asked: EntryKey
    let stored: EntryKey
    /// The columns with different values.
    let columns: [String]
  }

  /// The first such row, and their number.
  private(set) var triggered: (first: Triggered, count: Int)?
  private(set) var keys: [EntryKey] = []
  private let isNeeded: Bool

  /// Creates an empty list, which stores keys only if they are needed.
  init(isNeeded: Bool = false) {
    self.isNeeded = isNeeded
  }

  /// Records that triggers stored a row differently.
  func note(asked: EntryKey, stored: EntryKey, columns: [String]) {
    let first =
      triggered?.first ?? Triggered(asked: asked, stored: stored, columns: columns)
    triggered = (first, (triggered?.count ?? 0) + 1)
  }

  /// Adds a key, if keys are needed.
  func add(_ key: EntryKey) {
    if isNeeded { keys.append(key) }
  }
}
