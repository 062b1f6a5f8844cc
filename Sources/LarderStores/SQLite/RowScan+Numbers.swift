import HarmonySQLite
import LarderModel
import LarderStoreBase

extension RowScan {
  /// The number of entries that a backward scan keeps in excess of its limit.
  private static let excess = 1_000

  /// Scans rows whose keys are their numbers, counted from 1.
  ///
  /// A row is found only by stepping to it, so a backward scan steps forwards and keeps the last
  /// entries.
  mutating func runByNumber(_ session: SQLiteSession, _ layout: TableLayout) throws {
    let test = try RowTest(self, layout, session)
    let number: Int64? =
      if case .integer(let number)? = after { max(number, 0) } else { nil }
    let start = isBackward ? 0 : number ?? 0
    let count = isBackward ? number.map { max($0 - 1, 0) } ?? -1 : -1
    let statement = try session.statement(
      test.reader.select(values: test.readsValues) + " LIMIT ? OFFSET ?",
      [.integer(count), .integer(start)])
    var current = start
    while try statement.step() {
      if outcome != .batchEnded { return }
      current += 1
      var key: EntryKey? = .integer(current)
      if test.allows(statement, key: &key), test.isInTime(statement) {
        keep(statement, test, .integer(current))
      }
      let isSpent = try countOne()
      if !isBackward { after = .integer(current) }
      if meter.examined % 1_000 == 0 { meter.report(position: after) }
      if isBackward {
        let extra = entries.count - limit
        if extra > Self.excess { entries.removeFirst(extra) }
      } else if matchCount >= limit {
        outcome = .pageFull
      } else if isSpent {
        outcome = .budgetSpent
      }
    }
    statement.reset()
    outcome = .complete
    guard isBackward else { return }
    if matchCount > limit {
      outcome = .pageFull
      entries.removeFirst(entries.count - limit)
    }
    entries.reverse()
    matchCount = entries.count
    after = entries.last?.key ?? after
  }
}
