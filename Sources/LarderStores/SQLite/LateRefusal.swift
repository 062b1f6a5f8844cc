import HarmonySQLite
import LarderModel

/// Finds out which row it is for which a database refuses a transaction: at its end, where it looks
/// at the foreign keys that were left until all was written, or where they were not looked at.
struct LateRefusal {
  let writer: RowWriter
  /// Who is told which of the changes it is.
  let scan: Scan?

  /// Whether only the table that was written and those that refer to it are looked at, and no further
  /// ones: what a refusal at once is about.
  var isNear = false

  /// The most rows of which it is looked whether they were so before.
  private static let maximumCount = 1_000

  private var session: SQLiteSession { writer.session }

  /// The error that says more than the database does; it ends the transaction.
  func error(_ error: SQLiteError) throws -> any Error {
    guard error.extendedCode == .foreignKey else { return error }
    return try atEnd()
  }

  /// The error of a transaction that leaves foreign keys broken; it ends the transaction.
  func atEnd() throws -> StoreError {
    try reason(Self.late) ?? Self.refusal("a foreign key is not kept" + Self.late)
  }

  /// Which of the rows stands against what was written, as an error; it ends the transaction.
  ///
  /// Rows may have referred to nothing before: those are nobody's fault now.
  ///
  /// - Parameters:
  ///   - when: When it was found, as a clause.
  ///   - advice: What to do where another row would refer to nothing, as a sentence.
  /// - Returns: The error; nil where no row stands against it.
  /// - Throws: ``SQLiteError``.
  func reason(_ when: String = "", advice: String? = nil) throws -> StoreError? {
    let check = ForeignKeyCheck(layout: writer.layout, session: session)
    let own = try brokenOnes(check)
    let others = own.isEmpty ? try rowsWithoutParent() : []
    try session.run("ROLLBACK")
    for (key, reference) in own where try !check.isBroken(reference, of: key) {
      scan?.report(fault: key)
      return Self.refusal(check.sentence(key, reference) + when)
    }
    let before = Set(try others.isEmpty ? [] : rowsWithoutParent())
    return others.first { !before.contains($0) }.map { Self.refusal($0.sentence + when, advice) }
  }

  /// Written rows that refer to rows that are not there.
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

  /// A row that refers to one that is not there.
  private struct Orphan: Hashable {
    let table: String
    /// The rowid, where it has one.
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

  /// The tables whose rows the change may have left without what they refer to: its own, and those
  /// that refer to it, or to what it carries its changes on to; nil where triggers may have changed
  /// any other.
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

  /// The foreign keys, each by its table and number, by which rows go along with what they refer to:
  /// where a change is tried without foreign keys, they stay behind, and stand against nothing.
  private func carriedReferences() throws -> [[SQLiteValue]] {
    try session.rows(
      "SELECT m.name, f.id FROM main.sqlite_schema AS m "
        + "JOIN pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table' "
        + "AND f.on_delete NOT IN ('NO ACTION', 'RESTRICT') "
        + "AND f.on_update NOT IN ('NO ACTION', 'RESTRICT')")
  }

  private static func refusal(_ reason: String, _ advice: String? = nil) -> StoreError {
    .failed(
      "the database refuses: \(reason); nothing was written" + (advice.map { ". \($0)" } ?? ""))
  }

  private static let late = ", which was found at the end"
}

/// The keys that were written in a transaction, in order, where they may be asked for.
final class WrittenKeys {
  /// How many rows that were to be deleted had gone along with others by then.
  var goneAlong = 0
  /// A row of which triggers made another than was asked for.
  struct Triggered {
    let asked: EntryKey
    let stored: EntryKey
    /// The columns that have other values.
    let columns: [String]
  }

  /// The first of these rows, and how many there are.
  private(set) var triggered: (first: Triggered, count: Int)?
  private(set) var keys: [EntryKey] = []
  private let isNeeded: Bool

  /// Keeps keys only where somebody may ask for them.
  init(isNeeded: Bool = false) {
    self.isNeeded = isNeeded
  }

  /// Notes that triggers made another of a row.
  func note(asked: EntryKey, stored: EntryKey, columns: [String]) {
    let first =
      triggered?.first ?? Triggered(asked: asked, stored: stored, columns: columns)
    triggered = (first, (triggered?.count ?? 0) + 1)
  }

  /// Adds a key.
  func add(_ key: EntryKey) {
    if isNeeded { keys.append(key) }
  }
}
