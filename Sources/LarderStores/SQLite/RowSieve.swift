import HarmonySQLite
import LarderModel

/// Has SQLite leave out the rows whose keys do not match, each of which would else be a step out of
/// it.
///
/// Now and then a row is let through all the same, so that whoever walks over the rows can look at
/// the clock; each row that comes through has still to be tested.
final class RowSieve {
  private let matcher: KeyMatcher
  private let most: Int
  // Looked at for each of millions of rows, by one thread.
  @exclusivity(unchecked) private var skipped = 0
  /// Whether every row comes through from here on.
  @exclusivity(unchecked) var isOpen = false
  /// The condition for the statement.
  let condition: String

  /// A sieve for the rows of a table, which leaves out `most` one after the other at most; nil where a
  /// row is not tested by a key of one column.
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

  /// How many rows were left out since this was asked for last.
  func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }
}
