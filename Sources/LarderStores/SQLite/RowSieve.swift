import HarmonySQLite
import LarderModel

/// A condition with which SQLite skips rows whose keys do not match instead of returning them.
///
/// Now and then it lets a row through regardless, so that the scan can check its time budget. Each
/// row that comes through still has to be tested.
final class RowSieve {
  private let matcher: KeyMatcher
  private let most: Int
  // Used for each of millions of rows, by one thread.
  @exclusivity(unchecked) private var skipped = 0
  /// Whether all further rows come through.
  @exclusivity(unchecked) var isOpen = false
  /// The condition for the statement.
  let condition: String

  /// Creates a sieve that skips at most `most` rows in succession; nil if rows are not tested by a
  /// single-column key alone.
  init?(_ test: RowTest, _ layout: TableLayout, _ session: SQLiteSession, most: Int = 255) {
    guard let matcher = test.keyMatcher, layout.form == .table, layout.keyColumns.count == 1,
      let column = layout.keyColumns.first, session.keepsUTF8
    else { return nil }
    self.matcher = matcher
    self.most = most
    condition = "\(SQLiteSession.rowTest)(\(column.sql))"
  }

  /// Whether a row with a key comes through.
  func keeps(_ key: SQLiteLentValue) -> Bool {
    if isOpen || skipped >= most || matches(key) { return true }
    skipped += 1
    return false
  }

  private func matches(_ key: SQLiteLentValue) -> Bool {
    switch key {
    case .text(let bytes): matcher.matches(bytes)
    case .null: matcher.matches(EntryKey(.null))
    case .integer(let number): matcher.matches(EntryKey(.integer(number)))
    case .real(let number): matcher.matches(EntryKey(.real(number)))
    case .blob(let bytes): matcher.matches(EntryKey(.blob(Array(bytes))))
    }
  }

  /// Returns the number of rows that were skipped since the last call.
  func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }
}
