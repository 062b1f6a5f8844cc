import HarmonySQLite
import LarderModel
import LarderStoreBase

/// A condition with which SQLite skips rows that do not match instead of returning them.
///
/// Now and then it lets a row through regardless, so that the scan can check its time budget. Each
/// row that comes through still has to be tested.
final class RowFilter {
  private enum Subject {
    case key(KeyMatcher)
    case values(KeyMatcher)
    case expiry(TableExpiry, ExpiryRange)
  }

  /// The number of arguments that SQLite allows by default.
  private static let maximumColumns = 100

  private let subject: Subject
  private let most: Int
  // Used for each of millions of rows, by one thread.
  @exclusivity(unchecked) private var skipped = 0
  /// Whether all further rows come through.
  @exclusivity(unchecked) var isOpen = false
  /// The condition for the statement.
  let condition: String

  /// Creates a sieve that skips at most `most` rows in succession; nil if rows are not tested by
  /// their key, their values or their expiry alone.
  init?(_ test: RowTest, _ layout: TableLayout, _ session: SQLiteSession, most: Int = 255) {
    guard layout.form == .table, session.keepsUTF8 else { return nil }
    let columns: [String]
    if let matcher = test.keyMatcher {
      subject = .key(matcher)
      columns = layout.keySQL
    } else if let matcher = test.valueMatcher {
      subject = .values(matcher)
      columns = layout.values.map(\.sql)
    } else if let span = test.expiring, let timing = layout.timing {
      subject = .expiry(timing, span)
      columns = [timing.column, timing.since].compactMap { name in
        name.flatMap { layout.column($0)?.sql }
      }
    } else {
      return nil
    }
    guard (1...Self.maximumColumns).contains(columns.count) else { return nil }
    self.most = most
    condition = "\(SQLiteSession.rowTest)(\(columns.joined(separator: ", ")))"
  }

  /// Whether SQLite should test rows in the order in which the table stores them, and sort those
  /// that match: in the order of keys, it would have to look up each row to read its values.
  func prefersTableOrder(_ layout: TableLayout) -> Bool {
    if case .values = subject { layout.index != nil && !layout.isWithoutRowid } else { false }
  }

  /// Whether a row with these values in the columns of the condition comes through.
  func keeps(_ values: SQLiteLentValues) -> Bool {
    if isOpen || skipped >= most || matches(values) { return true }
    skipped += 1
    return false
  }

  private func matches(_ values: SQLiteLentValues) -> Bool {
    switch subject {
    case .key(let matcher): matcher.matches(keyOf: values.count) { values[$0] }
    case .values(let matcher):
      matcher.allHold(inAnyOf: values.count) { $0.occurs(in: values[$1]) }
    case .expiry(let timing, let span):
      span.contains(timing.date(values[0].copy, since: values[1].copy))
    }
  }

  /// Returns the number of rows that were skipped since the last call.
  func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }
}
