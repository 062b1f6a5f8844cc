import Foundation
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// A scan of the rows of a table, which stops between two rows and can continue from there.
///
/// It is a value: no statement is open between batches, so a long scan holds no lock for long.
struct RowScan: Sendable {
  /// The reason why a batch ended.
  enum Outcome: Sendable {
    case batchEnded, pageFull, budgetSpent, complete
  }

  /// The maximum size in bytes of the values that are read; nil for no maximum.
  private var maximumSize: Int?
  let prefix: String
  let filter: EntryFilter?
  /// Receives the entries for which it is unknown whether they match.
  let scan: Scan?
  private(set) var expiring: ExpiryRange?
  private(set) var detail = EntryPageQuery.Detail.keys
  private(set) var limit = Int.max
  private(set) var isBackward = false
  /// Whether entries are collected and not only counted.
  let collects: Bool
  var after: EntryKey?
  var meter: ScanMeter
  var entries: [Entry] = []
  var matchCount = 0
  /// The size of all matching values in bytes; nil if it is not requested.
  var byteCount: Int?
  var outcome = Outcome.batchEnded
  /// The query for the page, if it is not in key order.
  private(set) var sorted: EntryPageQuery?
  /// Whether the page is not in key order; stored, as it is needed for each row.
  private var isSorted = false
  /// Selects the rows of a page that is not in key order, once the scan has begun.
  var selection: SortedSelection?

  /// Creates a scan for the rows of a page.
  init(_ query: EntryPageQuery) {
    let inKeyOrder = query.inKeyOrder
    sorted = inKeyOrder == nil ? query : nil
    isSorted = inKeyOrder == nil
    maximumSize = query.maximumSize
    prefix = query.prefix
    filter = query.filter
    scan = query.scan
    expiring = query.expiring
    detail = query.detail
    limit = inKeyOrder == nil && query.limit > 0 ? .max : max(query.limit, 0)
    isBackward = inKeyOrder?.direction == .backward
    collects = true
    after = inKeyOrder?.after
    meter = ScanMeter(query.scan, isWhole: inKeyOrder == nil)
  }

  /// Creates a scan that counts rows one by one.
  init(_ query: CountQuery) {
    prefix = query.prefix
    filter = query.filter
    scan = query.scan
    collects = false
    byteCount = query.measures ? 0 : nil
    meter = ScanMeter(query.scan)
  }

  /// Whether the scan reads rows that may not be part of the answer.
  func looksAtMore(of layout: TableLayout) -> Bool {
    filter != nil || expiring != nil || (!prefix.isEmpty && !layout.takesPrefixRange) || !collects
      || sorted != nil
  }

  /// Continues for up to `rows` rows.
  ///
  /// - Throws: ``StoreError`` for an invalid pattern or a key that does not fit, and
  ///   ``SQLiteError``.
  mutating func run(_ session: SQLiteSession, _ layout: TableLayout, rows: Int) throws {
    guard limit > 0 else {
      outcome = .pageFull
      return
    }
    outcome = .batchEnded
    if let sorted, selection == nil { selection = try selection(for: sorted, session, layout) }
    if case .ordinal = layout.keys {
      try runByNumber(session, layout)
    } else {
      try runByKey(session, layout, rows: rows)
    }
    if outcome == .complete, var selection {
      entries = selection.takePage()
      return meter.report(position: nil, isComplete: !selection.hasMore)
    }
    meter.report(position: after, isComplete: outcome == .complete)
  }

  private func selection(
    for query: EntryPageQuery, _ session: SQLiteSession, _ layout: TableLayout
  ) throws -> SortedSelection {
    try query.checkOrder(layout.known)
    let matcher = try KeyMatcher.of(filter, telling: nil)
    let rank = try query.rankAfter(matcher) { try RowReader(layout).read($0, session) }
    return SortedSelection(query, after: rank)
  }

  private mutating func runByKey(
    _ session: SQLiteSession, _ layout: TableLayout, rows: Int
  ) throws {
    let test = try RowTest(self, layout, session)
    let sieve = RowFilter(test, layout, session)
    try session.testingRows(sieve.map { sieve in { sieve.keeps($0) } }) {
      let lastRow = meter.examined.addingReportingOverflow(rows)
      let lastCount = lastRow.overflow ? Int.max : lastRow.partialValue
      var progress = WalkProgress()
      guard test.readsValues, !test.readsWholeValues else {
        return try walk(session, layout, test, sieve, lastCount: lastCount, &progress)
      }
      if detail == .values {
        return try session.readingValues(upTo: maximumSize, Messages.value(in: layout.name)) {
          try walk(session, layout, test, sieve, lastCount: lastCount, &progress)
        }
      }
      try walkOverLarge(session, layout, test, sieve, lastCount: lastCount, &progress)
    }
  }

  /// Scans rows for their sizes, without reading large values.
  private mutating func walkOverLarge(
    _ session: SQLiteSession, _ layout: TableLayout, _ test: RowTest, _ sieve: RowFilter?,
    lastCount: Int, _ progress: inout WalkProgress
  ) throws {
    while true {
      do {
        return try session.limitingValues(to: LargeValues.limit) {
          try walk(session, layout, test, sieve, lastCount: lastCount, &progress)
        }
      } catch let error as SQLiteError where error.code == .tooBig {
        let skipped = sieve?.takeSkipped() ?? 0
        meter.count(skipped)
        guard let segment = progress.segment else { throw error }
        let (key, rows) = try rows(
          in: segment, behind: progress.rowCount + skipped, session, test)
        if let stop = progress.stop, key != stop { return after = stop }
        var isFound = false
        for row in rows {
          isFound = try takeLarge(row, session, test, lastCount, &progress) || isFound
        }
        guard isFound else { throw error }
      }
    }
  }

  /// Tests and adds a row without its large values.
  ///
  /// - Returns: Whether it has any.
  private mutating func takeLarge(
    _ row: RowAddress, _ session: SQLiteSession, _ test: RowTest, _ lastCount: Int,
    _ progress: inout WalkProgress
  ) throws -> Bool {
    let large = try LargeValues(test.reader.layout, row, session)
    test.reader.large = large
    defer { test.reader.large = nil }
    try session.query(test.reader.lookup(row, without: large), row.bindings) { statement in
      guard try statement.step() else { return }
      let (bytes, last) = (byteCount ?? 0, test.reader.key(statement))
      try take(statement, test)
      after = last
      let isSpent = try countOne(bytes: (byteCount ?? 0) - bytes)
      noteEnd(isSpent: isSpent, lastCount: lastCount, last, &progress.stop)
    }
    return !large.values.isEmpty
  }

  /// The progress of a scan until a row that is too large to be read.
  private struct WalkProgress {
    /// The segment that was being read, without the condition of a sieve.
    var segment: KeySegment?
    /// The number of its rows that were read or skipped.
    var rowCount = 0
    /// The last key of the batch, once the batch is full.
    var stop: EntryKey?
  }

  /// Returns the key of the row after `count` others of a segment, and all rows from there on with
  /// the same key: there can be several if a part of it is NULL.
  private func rows(
    in segment: KeySegment, behind count: Int, _ session: SQLiteSession, _ test: RowTest
  ) throws -> (key: EntryKey?, rows: [RowAddress]) {
    let layout = test.reader.layout
    let rowid = layout.form == .table ? layout.rowid.map { "t.\($0)" } : nil
    let columns = layout.keySQL + [rowid ?? "NULL"]
    let sql =
      "SELECT \(columns.joined(separator: ", ")) FROM \(layout.from)" + segment.sql
      + " LIMIT -1 OFFSET \(count)"
    return try session.query(sql, segment.bindings) { statement in
      var key: EntryKey?
      var rows: [RowAddress] = []
      while try statement.step() {
        let found = test.reader.key(statement)
        guard key == nil || key == found else { break }
        key = found
        let values = try layout.values(of: found)
        rows.append(RowAddress(layout, values, rowid: statement.value(at: columns.count - 1)))
        // Only rows with NULL in their keys may have the same.
        if !values.contains(.null) { break }
      }
      return (key, rows)
    }
  }

  /// Records that the batch ends with a row, if it does.
  private mutating func noteEnd(
    isSpent: Bool, lastCount: Int, _ key: @autoclosure () -> EntryKey, _ stop: inout EntryKey?
  ) {
    guard stop == nil, matchCount >= limit || isSpent || meter.examined >= lastCount else { return }
    stop = key()
    outcome = matchCount >= limit ? .pageFull : isSpent ? .budgetSpent : .batchEnded
  }

  private mutating func walk(
    _ session: SQLiteSession, _ layout: TableLayout, _ test: RowTest, _ sieve: RowFilter?,
    lastCount: Int, _ progress: inout WalkProgress
  ) throws {
    let usesRange = !prefix.isEmpty && layout.takesPrefixRange
    let segments = layout.segments(
      after: try after.map { try layout.values(of: $0) }, backward: isBackward,
      prefix: usesRange ? prefix : "")
    let select = test.reader.select(values: test.readsValues, only: test.places)
    let mayRepeat = layout.keyColumns.contains(where: \.isNullable)
    if collects, limit < 100_000 { entries.reserveCapacity(limit) }

    for var segment in segments {
      (progress.segment, progress.rowCount) = (segment, 0)
      if let sieve { segment.conditions.append(sieve.condition) }
      let statement = try session.statement(select + segment.sql, segment.bindings)
      while try statement.step() {
        // Rows whose keys contain NULL may have the same key as the one before. The next page
        // starts after all of them, so this one has to include them.
        if let stop = progress.stop, !(mayRepeat && test.reader.key(statement) == stop) {
          after = stop
          return
        }
        let (bytes, examined) = (byteCount ?? 0, meter.examined)
        try take(statement, test)
        let skipped = sieve?.takeSkipped() ?? 0
        let isSpent = try countOne(bytes: (byteCount ?? 0) - bytes, skipped: skipped)
        if meter.examined / 1_000 != examined / 1_000 { meter.report(position: after) }
        progress.rowCount += 1 + skipped
        noteEnd(
          isSpent: isSpent, lastCount: lastCount, test.reader.key(statement), &progress.stop)
        if progress.stop != nil { sieve?.isOpen = true }
      }
      statement.reset()
      if let sieve { meter.count(sieve.takeSkipped()) }
    }
    outcome = .complete
    after = entries.last?.key ?? after
  }

  /// Counts a row and those that SQLite skipped before it; returns whether time is up.
  mutating func countOne(bytes: Int = 0, skipped: Int = 0) throws -> Bool {
    guard isSorted else { return meter.countOne(bytes: bytes, skipped: skipped) }
    try meter.countOneOfAll(skipped: skipped)
    return false
  }

  /// Adds the current row if it matches.
  private mutating func take(_ statement: SQLiteStatement, _ test: RowTest) throws {
    var key: EntryKey?
    guard test.allows(statement, key: &key), test.isInTime(statement) else { return }
    keep(statement, test, key ?? test.reader.key(statement))
  }

  /// Adds the current row to the entries or, if the page is not in key order, to the selection.
  mutating func keep(
    _ statement: SQLiteStatement, _ test: RowTest, _ key: @autoclosure () -> EntryKey
  ) {
    matchCount += 1
    if let bytes = byteCount { byteCount = bytes + test.reader.size(statement) }
    guard collects else { return }
    guard let order = sorted?.order else {
      entries.append(test.reader.entry(statement, key: key(), detail))
      return
    }
    // Created at most once, and for most rows never.
    lazy var made = key()
    selection?.take(test.rank(statement, made, order), made) {
      test.reader.entry(statement, key: $0, detail)
    }
  }
}

/// A test for the rows that belong to an answer.
final class RowTest {
  let reader: RowReader
  let readsValues: Bool
  private let matcher: KeyMatcher?
  let searchesValues: Bool
  /// The indexes of the columns that are read; nil for all.
  let places: Set<Int>?
  /// Whether values themselves are tested, and not only their sizes and types.
  let readsWholeValues: Bool
  private let prefix: String?
  let expiring: ExpiryRange?
  /// The conditions on columns, each with the index of its column in the row.
  private let conditions: [(matcher: ColumnMatcher, place: Int)]
  /// The index of the column that the rows are sorted by; nil if they are not sorted by a column.
  private let orderPlace: Int?

  init(_ scan: RowScan, _ layout: TableLayout, _ session: SQLiteSession) throws {
    let reader = RowReader(layout)
    matcher = try KeyMatcher.of(scan.filter, telling: scan.scan)
    searchesValues = scan.filter?.field == .values
    if searchesValues { reader.contents = try ValueContents(layout, session) }
    self.reader = reader
    conditions = try (matcher?.columns ?? []).map { ($0, try layout.place(of: $0.column)) }
    orderPlace =
      if case .column(let name) = scan.sorted?.order.field { try layout.place(of: name) } else {
        nil
      }
    readsWholeValues = searchesValues || !conditions.isEmpty || orderPlace != nil
    let readsAll =
      searchesValues || scan.detail != .keys || scan.byteCount != nil || scan.expiring != nil
    places =
      readsAll || !readsWholeValues
      ? nil : Set(conditions.map(\.place) + (orderPlace.map { [$0] } ?? []))
    readsValues =
      readsWholeValues || scan.detail != .keys || scan.sorted?.order.needsFacts == true
      || scan.byteCount != nil || scan.expiring != nil
    expiring = scan.expiring
    prefix = scan.prefix.isEmpty || layout.takesPrefixRange ? nil : scan.prefix
  }

  /// Returns the rank of the current row in an order.
  func rank(
    _ statement: SQLiteStatement, _ key: @autoclosure () -> EntryKey, _ order: EntryOrder
  ) -> EntryOrder.Rank {
    switch order.field {
    case .size: .known(Double(reader.size(statement)))
    case .type: EntryOrder.rank(of: reader.type(statement))
    case .match: matcher?.rank(of: key()) ?? .unknown
    case .expires:
      known(reader.expires(statement))
    case .modified: known(reader.uses(statement).made)
    case .used: known(reader.uses(statement).used)
    case .hits: reader.uses(statement).hits.map { .known(Double($0)) } ?? .unknown
    case .column:
      orderPlace.map { EntryOrder.Rank(StoredValue(statement.value(at: $0))) } ?? .unknown
    case .key: .unknown
    }
  }

  private func known(_ date: Date?) -> EntryOrder.Rank {
    date.map { .known($0.timeIntervalSinceReferenceDate) } ?? .unknown
  }

  /// Whether the current row expires in the requested span.
  func isInTime(_ statement: SQLiteStatement) -> Bool {
    guard let expiring else { return true }
    return expiring.contains(reader.expires(statement))
  }

  /// The matcher, if the text of the key alone decides; otherwise nil.
  var keyMatcher: KeyMatcher? {
    let isAlone = !searchesValues && prefix == nil && conditions.isEmpty
    return isAlone && matcher?.hasTerms == true ? matcher : nil
  }

  /// The matcher, if the values in the table alone decide; otherwise nil.
  var valueMatcher: KeyMatcher? {
    let isAlone = searchesValues && prefix == nil && conditions.isEmpty && reader.contents == nil
    guard isAlone, let matcher, matcher.hasTerms, matcher.isDecisive else { return nil }
    return matcher
  }

  /// Whether every row belongs to the answer.
  var allowsAll: Bool { matcher == nil && prefix == nil && expiring == nil }

  /// Whether the current row belongs to the answer; sets `key` if it had to be read.
  func allows(_ statement: SQLiteStatement, key: inout EntryKey?) -> Bool {
    if let prefix {
      let read = key ?? reader.key(statement)
      key = read
      guard read.hasPrefix(prefix) else { return false }
    }
    guard let matcher else { return true }
    for (condition, place) in conditions
    where !condition.matches(StoredValue(statement.value(at: place))) {
      return false
    }
    guard matcher.hasTerms else { return true }
    if searchesValues { return reader.valueMatches(statement, matcher, key: key) }
    if let key { return matcher.matches(key) }
    return reader.keyMatches(statement, matcher)
  }
}

extension TableLayout {
  /// Returns the index of a column in a whole row, in which key columns come first.
  ///
  /// - Throws: ``StoreError`` if there is no such column.
  func place(of column: String) throws(StoreError) -> Int {
    if let place = keyColumns.firstIndex(where: { $0.name.hasBytes(of: column) }) { return place }
    guard let place = values.firstIndex(where: { $0.name.hasBytes(of: column) }) else {
      throw .noColumn(column, of: name, among: values.map(\.name))
    }
    return keyColumns.count + place
  }

  /// Returns the parts of a key as the key columns store them.
  ///
  /// - Throws: ``StoreError`` if the key does not have the parts of this table's keys.
  func values(of key: EntryKey) throws(StoreError) -> [SQLiteValue] {
    let parts: [EntryKey] =
      if case .composite(let parts) = key, keyColumns.count > 1 { parts } else { [key] }
    let values = parts.compactMap { SQLiteValue($0) }
    guard values.count == keyColumns.count, values.count == parts.count else {
      throw .misfit(key, name, keys: keyDescription)
    }
    return values
  }
}
