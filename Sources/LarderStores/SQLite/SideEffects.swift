import HarmonySQLite
import LarderModel

/// What the triggers of a table, and the foreign keys that refer to it, may do beside a change of it.
struct SideEffects {
  private let table: String
  private let hasTriggers: Bool
  private let hasForeignKeyActions: Bool

  /// What became of a change whose side effects are reported.
  enum State {
    /// It was made, and is not recorded.
    case made
    /// It was made, and undo reverts it with its side effects.
    case recorded
    /// It was only tried out.
    case tried
  }

  /// Looks at the schema.
  ///
  /// - Throws: ``SQLiteError`` where it cannot be read.
  init(of layout: TableLayout, _ session: SQLiteSession) throws(SQLiteError) {
    table = layout.name
    hasForeignKeyActions = try ForeignKey.haveActions(on: layout.name, session)
    hasTriggers = try !session.rows(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?) "
        + "LIMIT 1", [.text(layout.name)]
    ).isEmpty
  }

  /// Whether other rows may change along with those of the table.
  var arePossible: Bool { hasTriggers || hasForeignKeyActions }

  /// What changes other rows, as the subject of a sentence.
  private var cause: String {
    let name = "\"\(table)\""
    if !hasForeignKeyActions { return "the triggers of \(name)" }
    return hasTriggers
      ? "the triggers of \(name) and the foreign keys that refer to it"
      : "the foreign keys that refer to \(name)"
  }

  /// Says what triggers and foreign keys made of the rows that were written, and how many rows changed
  /// along with those that were named.
  ///
  /// - Parameters:
  ///   - counts: How many of each table.
  ///   - written: The rows that were written.
  ///   - state: What became of the change.
  /// - Returns: Sentences; none if all is as it was asked for and no other row changed.
  func remarks(_ counts: [String: Int], _ written: WrittenKeys, _ state: State) -> [String] {
    let others = remarks(counts, named: written.goneAlong, state)
    guard let (row, count) = written.triggered else { return others }
    var changes: [String] = []
    if !row.columns.isEmpty {
      changes.append(
        "other values in \(row.columns.map { JSONText.quote($0) }.joined(separator: ", "))")
    }
    if row.stored != row.asked { changes.append("the key \(row.stored.spoken)") }
    let more =
      switch count {
      case 1: ""
      case 2: ", and another row other values, too"
      default: ", and \(Thousands.text(count - 1)) other rows other values, too"
      }
    return [
      "\(cause) \(state == .tried ? "would give" : "gave") the row "
        + "\(row.asked.spoken) \(changes.joined(separator: " and "))\(more)"
    ] + others
  }

  /// Says how many rows changed along with those that were named.
  ///
  /// - Parameters:
  ///   - counts: How many of each table.
  ///   - named: How many of the table itself had been named, too.
  ///   - state: What became of the change.
  /// - Returns: A sentence; none if no other row changed.
  private func remarks(_ counts: [String: Int], named: Int, _ state: State) -> [String] {
    var counts = counts
    counts[table] = counts[table].flatMap { $0 > named ? $0 - named : nil }
    let count = counts.values.reduce(0, +)
    guard count > 0 else { return [] }
    let names = counts.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      "\(cause) \(state == .tried ? "would also change" : "also changed") "
        + "\(Thousands.text(count)) \(count == 1 ? "row" : "rows") in \(names)"
        + (state == .recorded ? "; undo reverts \(count == 1 ? "it" : "them"), too" : "")
    ]
  }

  /// Says the same of a recorded change that was made again.
  ///
  /// - Parameters:
  ///   - changeset: The rows.
  ///   - count: How many entries it was asked for.
  ///   - state: What became of the change.
  /// - Returns: A sentence; none if no other row changed.
  func remarks(
    of changeset: SQLiteChangeset, count: Int, _ state: State
  ) -> [String] {
    var counts: [String: Int] = [:]
    var direct = 0
    for slot in changeset.slots {
      let table = changeset.tables[slot.table]
      if slot.isDirect {
        direct += table.name == self.table ? 1 : 0
      } else if !table.isShadow {
        counts[table.name, default: 0] += 1
      }
    }
    // Of the rows that were named, those that went along with others.
    return remarks(counts, named: max(0, count - direct), state)
  }
}
