import HarmonySQLite
import LarderModel

/// Finds the row for which a database refuses a transaction because of foreign keys that are
/// checked only at the commit, or were not enforced in a trial.
struct ConstraintDiagnosis {
  let writer: RowWriter
  /// Receives the change that is at fault.
  let scan: Scan?

  /// Whether only the written table and those that refer to it are checked, as an immediate
  /// constraint can only concern these.
  var isNear = false

  /// The number of broken references after which no more rows are checked.
  private static let maximumCount = 1_000

  private var session: SQLiteSession { writer.session }

  /// Returns a more specific error, for which it rolls back the transaction.
  func error(_ error: SQLiteError) throws -> any Error {
    guard error.extendedCode == .foreignKey else { return error }
    return try atEnd()
  }

  /// Returns the error for a transaction that leaves foreign keys broken, and rolls it back.
  func atEnd() throws -> StoreError {
    try reason(Self.late) ?? Self.refusal("a foreign key is not kept" + Self.late)
  }

  /// Returns an error that names the row at fault, and rolls back the transaction.
  ///
  /// A reference that was broken before the change is not at fault.
  ///
  /// - Parameter when: A clause about the time at which it was found.
  /// - Returns: The error; nil if no row is at fault.
  /// - Throws: ``SQLiteError``.
  func reason(_ when: String = "") throws -> StoreError? {
    let check = ForeignKeyCheck(layout: writer.layout, session: session)
    let own = try brokenOnes(check)
    let others = own.isEmpty ? try rowsWithoutParent() : []
    try session.run("ROLLBACK")
    for (key, reference) in own where try !check.isBroken(reference, of: key) {
      scan?.report(fault: key)
      return Self.refusal(check.sentence(key, reference) + when)
    }
    let before = Set(try others.isEmpty ? [] : rowsWithoutParent())
    return others.first { !before.contains($0) }.map { Self.refusal($0.sentence + when) }
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

    var sentence: String {
      let name = row.map { "row \($0)" } ?? "a row"
      return "\(name) of \"\(table)\" would refer to a row of \"\(parent)\" that is not there"
    }
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
      if !isNear, try hasTriggers(name) { return nil }
      for reference in try ForeignKey.referring(to: name, session) {
        near.insert(reference.table)
        if !isNear, known.insert(reference.table.lowercased()).inserted {
          changed.append(reference.table)
        }
      }
    }
    return near
  }

  private func hasTriggers(_ table: String) throws -> Bool {
    try !session.rows(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?) "
        + "LIMIT 1", [.text(table)]
    ).isEmpty
  }

  private func orphans(_ sql: String, _ values: [SQLiteValue] = []) throws -> [Orphan] {
    let rows = try session.rows(sql, values)
    let carried = isNear && !rows.isEmpty ? try carriedReferences() : []
    return rows.compactMap { row in
      guard row.count > 3, case .text(let table) = row[0], case .text(let parent) = row[2],
        case .integer(let reference) = row[3], !carried.contains([row[0], .integer(reference)])
      else { return nil }
      let number: Int64? = if case .integer(let number) = row[1] { number } else { nil }
      return Orphan(table: table, row: number, parent: parent)
    }
  }

  /// Returns the foreign keys whose actions change rows along with their parents, however the change
  /// treats these, by table and number.
  ///
  /// In a trial without foreign keys, these rows are left behind but not at fault.
  private func carriedReferences() throws -> [[SQLiteValue]] {
    let actions =
      (writer.written.hasDeletions ? ["on_delete"] : [])
      + (writer.written.hasUpdates ? ["on_update"] : [])
    guard !actions.isEmpty else { return [] }
    return try session.rows(
      "SELECT m.name, f.id FROM main.sqlite_schema AS m "
        + "JOIN pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table'"
        + actions.map { " AND f.\($0) NOT IN ('NO ACTION', 'RESTRICT')" }.joined())
  }

  private static func refusal(_ reason: String) -> StoreError {
    .failed("the database refuses: \(reason); nothing was written")
  }

  private static let late = ", which was found at the end"
}

/// The keys that were written in a transaction, in order, if they are needed.
final class WrittenKeys {
  /// The number of rows to be deleted that were already gone along with others.
  var goneAlong = 0
  /// Whether rows were deleted.
  var hasDeletions = false
  /// Whether rows were updated.
  var hasUpdates = false
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
