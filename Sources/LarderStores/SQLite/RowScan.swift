import HarmonySQLite
import LarderCore

/// One walk over the rows of a table, which stops between two rows and can go on from there.
///
/// A value: between batches no statement is open, so a long walk holds no lock for long.
struct RowScan: Sendable {
  /// What ended a batch.
  enum Outcome: Sendable {
    case batchEnded, pageFull, budgetSpent, complete
  }

  let prefix: String
  let filter: EntryFilter?
  let detail: EntryPageQuery.Detail
  let limit: Int
  let isBackward: Bool
  /// Whether entries are kept, and not just counted.
  let collects: Bool
  var after: EntryKey?
  var meter: ScanMeter
  var entries: [Entry] = []
  var matchCount = 0
  var outcome = Outcome.batchEnded

  /// The rows of a page.
  init(_ query: EntryPageQuery) {
    prefix = query.prefix
    filter = query.filter
    detail = query.detail
    limit = max(query.limit, 0)
    isBackward = query.direction == .backward
    collects = true
    after = query.after
    meter = ScanMeter(query.scan)
  }

  /// The rows that are counted one by one.
  init(_ query: CountQuery) {
    prefix = query.prefix
    filter = query.filter
    detail = .keys
    limit = .max
    isBackward = false
    collects = false
    meter = ScanMeter(query.scan)
  }

  /// Whether rows are looked at that the answer may not hold.
  func skipsRows(of layout: TableLayout) -> Bool {
    filter != nil || (!prefix.isEmpty && !layout.takesPrefixRange)
  }

  /// Goes on for up to `rows` rows.
  ///
  /// - Throws: ``StoreError`` for a bad pattern or a key of the wrong shape, and ``SQLiteError``.
  mutating func run(_ session: SQLiteSession, _ layout: TableLayout, rows: Int) throws {
    guard limit > 0 else {
      outcome = .pageFull
      return
    }
    outcome = .batchEnded
    if case .ordinal = layout.keys {
      try runByNumber(session, layout)
    } else {
      try runByKey(session, layout, rows: rows)
    }
    meter.report(position: after, isComplete: outcome == .complete)
  }

  private mutating func runByKey(
    _ session: SQLiteSession, _ layout: TableLayout, rows: Int
  ) throws {
    let test = try RowTest(self, layout)
    let usesRange = !prefix.isEmpty && layout.takesPrefixRange
    let segments = layout.segments(
      after: try after.map { try layout.values(of: $0) }, backward: isBackward,
      prefix: usesRange ? prefix : "")
    let select = test.reader.select(values: test.readsValues)
    let mayRepeat = layout.keyColumns.contains(where: \.isNullable)
    let lastRow = meter.examined.addingReportingOverflow(rows)
    let end = lastRow.overflow ? Int.max : lastRow.partialValue
    var stop: EntryKey?
    if collects, limit < 100_000 { entries.reserveCapacity(limit) }

    for segment in segments {
      let statement = try session.statement(select + segment.sql, segment.bindings)
      if test.allowsAll, collects, detail == .keys, stop == nil {
        try takeKeys(statement, test.reader)
        if matchCount >= limit {
          stop = entries.last?.key
          outcome = .pageFull
        }
      }
      while try statement.step() {
        // Rows whose keys hold NULL may be equal to the one before: the next page would begin
        // after all of them, so this one must end there too.
        if let stop, !(mayRepeat && test.reader.key(statement) == stop) {
          after = stop
          return
        }
        take(statement, test)
        let isSpent = meter.countOne()
        if meter.examined % 1_000 == 0 { meter.report(position: after) }
        if stop == nil, matchCount >= limit || isSpent || meter.examined >= end {
          stop = test.reader.key(statement)
          outcome = matchCount >= limit ? .pageFull : isSpent ? .budgetSpent : .batchEnded
        }
      }
      statement.reset()
    }
    outcome = .complete
    after = entries.last?.key ?? after
  }

  /// Keeps the keys of rows up to the limit: the way through that lists millions of keys.
  private mutating func takeKeys(
    _ statement: SQLiteStatement, _ reader: RowReader
  ) throws(SQLiteError) {
    let before = entries.count
    while entries.count < limit, try statement.step() {
      entries.append(Entry(key: reader.key(statement)))
    }
    meter.count(entries.count - before)
    matchCount += entries.count - before
  }

  /// Keeps the current row if it matches.
  private mutating func take(_ statement: SQLiteStatement, _ test: RowTest) {
    var key: EntryKey?
    guard test.allows(statement, key: &key) else { return }
    matchCount += 1
    guard collects else { return }
    entries.append(
      test.reader.entry(statement, key: key ?? test.reader.key(statement), detail))
  }
}

/// Which rows an answer holds.
final class RowTest {
  let reader: RowReader
  let readsValues: Bool
  private let matcher: KeyMatcher?
  private let searchesValues: Bool
  private let prefix: String?

  init(_ scan: RowScan, _ layout: TableLayout) throws(StoreError) {
    reader = RowReader(layout)
    if let filter = scan.filter { matcher = try KeyMatcher(filter) } else { matcher = nil }
    searchesValues = scan.filter?.field == .values
    readsValues = searchesValues || scan.detail != .keys
    prefix = scan.prefix.isEmpty || layout.takesPrefixRange ? nil : scan.prefix
  }

  /// What alone decides, where nothing but the text of the key does.
  var keyMatcher: KeyMatcher? { searchesValues || prefix != nil ? nil : matcher }

  /// Whether every row belongs to the answer.
  var allowsAll: Bool { matcher == nil && prefix == nil }

  /// Whether the current row belongs to the answer; sets the key where it had to be read.
  func allows(_ statement: SQLiteStatement, key: inout EntryKey?) -> Bool {
    if let prefix {
      let read = key ?? reader.key(statement)
      key = read
      guard read.hasPrefix(prefix) else { return false }
    }
    guard let matcher else { return true }
    if searchesValues { return reader.valueMatches(statement, matcher) }
    if let key { return matcher.matches(key) }
    return reader.keyMatches(statement, matcher)
  }
}

extension TableLayout {
  /// The parts of a key as the key columns hold them.
  ///
  /// - Throws: ``StoreError`` where the key does not have this table's parts.
  func values(of key: EntryKey) throws(StoreError) -> [SQLiteValue] {
    let parts: [EntryKey] =
      if case .composite(let parts) = key, keyColumns.count > 1 { parts } else { [key] }
    let values = parts.compactMap { SQLiteValue($0) }
    guard values.count == keyColumns.count, values.count == parts.count else {
      throw .failed(
        "the key \(key.spoken) does not fit \(name), whose keys are (\(keyDescription))")
    }
    return values
  }
}
