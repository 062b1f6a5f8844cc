import HarmonySQLite
import LarderModel

/// The side effects of changes to a table, by its triggers and by foreign keys that refer to it.
struct SideEffects {
  private let table: String
  private let hasTriggers: Bool
  private let hasForeignKeyActions: Bool

  /// The outcome of a change whose side effects are reported.
  enum State {
    /// Made, but not recorded.
    case made
    /// Made and recorded: undo also reverts the side effects.
    case recorded
    /// Tried out and rolled back.
    case tried
  }

  /// Reads the schema.
  ///
  /// - Throws: ``SQLiteError`` if it cannot be read.
  init(of layout: TableLayout, _ session: SQLiteSession) throws(SQLiteError) {
    table = layout.name
    hasForeignKeyActions = try ForeignKey.haveActions(on: layout.name, session)
    hasTriggers = try Self.areTriggered(by: layout.name, session)
  }

  /// Whether a table has triggers.
  static func areTriggered(by table: String, _ session: SQLiteSession) throws(SQLiteError) -> Bool {
    try !session.rows(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?) "
        + "LIMIT 1", [.text(table)]
    ).isEmpty
  }

  /// Whether changing rows of the table may change other rows.
  var arePossible: Bool { hasTriggers || hasForeignKeyActions }

  /// The cause of side effects, as the subject of a sentence.
  private var cause: String {
    Messages.cause(
      of: table, hasTriggers: hasTriggers, hasForeignKeys: hasForeignKeyActions)
  }

  /// Returns warnings about rows that triggers stored differently, and about others that changed.
  ///
  /// - Parameters:
  ///   - counts: The number of rows that side effects changed, by table.
  ///   - written: The rows that were written.
  ///   - state: The outcome of the change.
  /// - Returns: Sentences; empty if there were no side effects.
  func warnings(_ counts: [String: Int], _ written: WrittenKeys, _ state: State) -> [String] {
    let others = warnings(counts, state)
    guard let (row, count) = written.triggered else { return others }
    return [
      Messages.storedOther(
        cause, row.asked, columns: row.columns, key: row.stored == row.asked ? nil : row.stored,
        others: count - 1, isTrial: state == .tried)
    ] + others
  }

  /// Returns a warning about other rows that changed.
  ///
  /// - Parameters:
  ///   - counts: The number of rows that side effects changed, by table.
  ///   - state: The outcome of the change.
  /// - Returns: A sentence; empty if no other row changed.
  private func warnings(_ counts: [String: Int], _ state: State) -> [String] {
    let count = counts.values.reduce(0, +)
    guard count > 0 else { return [] }
    return [Messages.alsoChanged(cause, count, in: counts.keys.sorted(), state)]
  }

  /// Returns a warning about the rows of a changeset that side effects changed.
  ///
  /// - Parameters:
  ///   - changeset: The rows that changed.
  ///   - state: The outcome of the change.
  /// - Returns: A sentence; empty if no other row changed.
  func warnings(of changeset: SQLiteChangeset, _ state: State) -> [String] {
    let tables = changeset.slots.filter { !$0.isDirect }.map { changeset.tables[$0.table] }
    return warnings(
      Dictionary(tables.filter { !$0.isShadow }.map { ($0.name, 1) }, uniquingKeysWith: +), state)
  }
}
