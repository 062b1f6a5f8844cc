import HarmonySQLite
import LarderCore

/// Gives the sequences of tables the numbers again that they had before a step that is taken back.
struct SequenceRestoration {
  private let recorded: [SideRows.Sequence]
  private let layout: TableLayout
  private let session: SQLiteSession
  private let reachesOthers: Bool
  /// The numbers before anything is taken back.
  private let numbers: RowSequences

  /// Looks at the sequences before anything is taken back.
  ///
  /// - Parameters:
  ///   - recorded: What the step has recorded.
  ///   - layout: The table of the step.
  ///   - reachesOthers: Whether triggers may add rows to other tables.
  ///   - session: The connection, in a transaction.
  /// - Throws: ``SQLiteError`` where the database cannot be read.
  init(
    _ recorded: [SideRows.Sequence], _ layout: TableLayout, reachesOthers: Bool,
    _ session: SQLiteSession
  ) throws(SQLiteError) {
    self.layout = layout
    self.session = session
    self.reachesOthers = reachesOthers || !recorded.isEmpty
    let numbers = try RowSequences(layout, andOthers: self.reachesOthers, session)
    self.numbers = numbers
    // In the others, further rows have numbers.
    self.recorded = recorded.filter { numbers[$0.table] == $0.after }
  }

  /// Restores the numbers, after all else is taken back.
  ///
  /// - Parameter places: Where triggers changed rows meanwhile that stay so; nil where that is not
  ///   known. Numbers that such rows were given stay given.
  /// - Throws: ``SQLiteError``.
  func finish(_ places: Set<TriggerWatch.Place>?) throws(SQLiteError) {
    for sequence in recorded {
      let number = RowSequence(sequence.table, session)
      let known = max(sequence.before ?? 0, sequence.greatestRow ?? 0)
      if let greatest = try number.greatestRow(), greatest > known { continue }
      try number.set(sequence.before)
    }
    let now = try RowSequences(layout, andOthers: reachesOthers, session)
    for change in now.changes(since: numbers)
    where !recorded.contains(where: { $0.table == change.table }) {
      let isGiven = places?.contains { place in
        place.table == change.table && place.row > .integer(change.before ?? 0)
      }
      if isGiven == false { try RowSequence(change.table, session).set(change.before) }
    }
  }
}
