import HarmonySQLite
import LarderModel

extension RowScan {
  /// The number of rows that are read at a time when scanning backwards.
  private static let window: Int64 = 4_096

  /// Scans rows whose keys are their numbers, counted from 1.
  mutating func runByNumber(_ session: SQLiteSession, _ layout: TableLayout) throws {
    let test = try RowTest(self, layout, session)
    let number: Int64? =
      if case .integer(let number)? = after { max(number, 0) } else { nil }
    if isBackward {
      try walkBack(session, layout, test, from: number)
    } else {
      try walk(session, test, from: number ?? 0)
    }
  }

  private mutating func walk(_ session: SQLiteSession, _ test: RowTest, from start: Int64) throws {
    let statement = try session.statement(
      test.reader.select(values: test.readsValues) + " LIMIT -1 OFFSET ?", [.integer(start)])
    var number = start
    while try statement.step() {
      if outcome == .pageFull || outcome == .budgetSpent { return }
      number += 1
      var key: EntryKey? = .integer(number)
      if test.allows(statement, key: &key), test.isInTime(statement) {
        keep(statement, test, .integer(number))
      }
      let isSpent = try countOne()
      if meter.examined % 1_000 == 0 { meter.report(position: .integer(number)) }
      after = .integer(number)
      if matchCount >= limit {
        outcome = .pageFull
      } else if isSpent {
        outcome = .budgetSpent
      }
    }
    statement.reset()
    outcome = .complete
  }

  /// Scans backwards in windows, which are read forwards and then reversed.
  private mutating func walkBack(
    _ session: SQLiteSession, _ layout: TableLayout, _ test: RowTest, from number: Int64?
  ) throws {
    var end: Int64
    if let number {
      end = max(number - 1, 0)
    } else {
      let count = try session.statement("SELECT count(*) FROM \(layout.target)")
      end = try count.step() ? count.integer(at: 0) : 0
      count.reset()
    }
    let sql = test.reader.select(values: test.readsValues) + " LIMIT ? OFFSET ?"
    while end > 0 {
      let window =
        filter == nil && expiring == nil ? min(Int64(limit - matchCount), Self.window) : Self.window
      let start = max(end - window, 0)
      var found: [Entry] = []
      let statement = try session.statement(sql, [.integer(end - start), .integer(start)])
      var current = start
      var isSpent = false
      while try statement.step() {
        current += 1
        var key: EntryKey? = .integer(current)
        if test.allows(statement, key: &key), test.isInTime(statement) {
          found.append(test.reader.entry(statement, key: .integer(current), detail))
        }
        if meter.countOne() { isSpent = true }
      }
      statement.reset()
      let taken = found.reversed().prefix(limit - matchCount)
      entries.append(contentsOf: taken)
      matchCount += taken.count
      let isFull = matchCount >= limit
      let last = isFull ? (taken.last?.key ?? .integer(start + 1)) : .integer(start + 1)
      after = last
      end = start
      if isFull, last != .integer(1) {
        outcome = .pageFull
        return
      }
      if isSpent, end > 0 {
        outcome = .budgetSpent
        return
      }
    }
    outcome = .complete
  }
}
