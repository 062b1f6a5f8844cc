import Harmony
import HarmonySQLite
import LarderModel
import LarderStoreBase

extension SQLiteEntrySource {
  /// The number of rows below which an estimate is an exact count.
  private static let countable = 10_000
  /// The number of rows in a batch, after which a scan releases its lock.
  private static let batch = 20_000

  /// Returns a page, read on the connection for scans if rows have to be filtered or sorted.
  func page(_ query: EntryPageQuery, lane: SQLiteDatabase.Lane = .page) -> Future<[Entry]> {
    let isSorted = query.inKeyOrder == nil
    let isScan = query.filter != nil || query.expiring != nil || !query.prefix.isEmpty || isSorted
    return run(RowScan(query), isScan ? .scan : lane) { $0.entries }
  }

  /// Scans rows, batch by batch, until the answer is complete.
  private func run<Value: Sendable>(
    _ scan: RowScan, _ lane: SQLiteDatabase.Lane,
    _ answer: @escaping @Sendable (RowScan) -> Value
  ) -> Future<Value> {
    Future { resolver in
      let cancellation = SQLiteCancellation()
      resolver.onCancel { cancellation.cancel() }
      goOn(scan, lane, cancellation, resolver)
    }.map(answer)
  }

  private func goOn(
    _ scan: RowScan, _ lane: SQLiteDatabase.Lane, _ cancellation: SQLiteCancellation,
    _ resolver: FutureResolver<RowScan>
  ) {
    perform(lane, Messages.nothingRead, cancellation) { [table] session in
      let layout = try table.layout(session)
      var scan = scan
      try scan.run(session, layout, rows: scan.looksAtMore(of: layout) ? Self.batch : .max)
      return scan
    }.then { [self] scan in
      guard scan.outcome == .batchEnded else { return resolver.set(scan) }
      goOn(scan, lane, cancellation, resolver)
    }.fail { resolver.set($0) }
  }

  /// Returns the number of rows, counted by SQLite itself where it can.
  func count(_ query: CountQuery) -> Future<Entry> {
    if query.precision == .estimate { return estimate(query) }
    // SQLite's own count reports no progress and measures no values.
    guard query.filter == nil, query.scan == nil, !query.measures else { return countRows(query) }
    return future(.scan) { session, layout -> Entry? in
      guard !query.prefix.isEmpty else {
        return CountQuery.answer(try session.count("FROM \(layout.target)"))
      }
      guard layout.takesPrefixRange else { return nil }
      var count = 0
      for var segment in layout.segments(after: nil, backward: false, prefix: query.prefix) {
        segment.order = []
        count += try session.count("FROM \(layout.from)" + segment.sql, segment.bindings)
      }
      return CountQuery.answer(count)
    }.flatMap { [self] entry in entry.map { Future($0) } ?? countRows(query) }
  }

  /// Returns the number of rows, counted one by one.
  private func countRows(_ query: CountQuery) -> Future<Entry> {
    run(RowScan(query), .scan) {
      CountQuery.answer(
        $0.matchCount, bytes: $0.byteCount, isExact: $0.outcome == .complete)
    }
  }

  /// Estimates the number of rows at little cost.
  ///
  /// The result is exact for a small table; otherwise it is that of ANALYZE or extrapolated from
  /// some rowids.
  private func estimate(_ query: CountQuery) -> Future<Entry> {
    guard query.filter == nil, query.prefix.isEmpty else { return query.unsupported() }
    return future(.page) { session, layout in
      if case .ordinal = layout.keys { throw CoreError.QueryNotSupported.noEstimate }
      let few = try session.count("FROM (SELECT 1 FROM \(layout.target) LIMIT \(Self.countable))")
      if few < Self.countable { return CountQuery.answer(few) }
      let analysed = try? session.integer(
        "SELECT max(CAST(stat AS INTEGER)) FROM main.sqlite_stat1 WHERE tbl = ?",
        [.text(layout.name)])
      if let count = analysed, count >= few {
        return CountQuery.answer(Int(count), isExact: false)
      }
      guard let rowid = layout.rowid, layout.form == .table else {
        throw CoreError.QueryNotSupported.noEstimate
      }
      guard let count = try RowEstimate.count(session, layout, rowid: rowid) else {
        throw CoreError.QueryNotSupported.noEstimate
      }
      return CountQuery.answer(max(count, few), isExact: false)
    }
  }
}

extension SQLiteSession {
  /// Returns the result of `SELECT count(*)`.
  func count(_ from: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
    Int(try integer("SELECT count(*) " + from, values) ?? 0)
  }

  /// Returns the first result of a statement, if it is an integer.
  func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int64? {
    if case .integer(let number)? = try rows(sql, values).first?.first { number } else { nil }
  }
}
