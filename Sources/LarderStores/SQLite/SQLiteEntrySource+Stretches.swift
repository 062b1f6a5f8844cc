import Dispatch
import Harmony
import HarmonySQLite
import LarderModel

extension SQLiteEntrySource {
  /// Scans rows until the answer is complete; if they are many, with two threads.
  ///
  /// Each thread has its own connection. As between two batches, one may see a concurrent change
  /// that the other does not.
  func run<Value: Sendable>(
    _ scan: RowScan, _ lane: SQLiteDatabase.Lane,
    _ answer: @escaping @Sendable (RowScan) -> Value
  ) -> Future<Value> {
    Future { resolver in
      let course = ScanBatches(scan, lane, pace: pace.withLock { $0 })
      resolver.onCancel { course.cancel() }
      goOn(scan, course, resolver, answer)
    }
  }

  private func goOn<Value: Sendable>(
    _ scan: RowScan, _ course: ScanBatches, _ resolver: FutureResolver<Value>,
    _ answer: @escaping @Sendable (RowScan) -> Value
  ) {
    var course = course
    if let ends = course.nextStretches() {
      return walkBoth(scan, ends, course, resolver, answer)
    }
    let (table, current) = (table, course)
    table.database.connection(course.lane).perform(cancellation: course.cancellation) { session in
      let layout = try table.layout(session)
      var scan = scan
      try scan.run(session, layout, rows: current.rows(scan, layout))
      guard scan.outcome == .batchEnded, current.maySplit else { return (scan, []) }
      return (scan, try scan.splitKeys(session, layout, path: table.database.path))
    } completion: { [self] (result: Result<(RowScan, [SQLiteValue]), any Error>) in
      switch result {
      case .failure(let error): resolver.set(sentences.translate(error))
      case .success((let scan, let keys)) where scan.outcome == .batchEnded:
        var course = current
        course.goOn(along: keys)
        goOn(scan, course, resolver, answer)
      case .success((let scan, _)): resolver.set(answer(scan))
      }
    }
  }

  /// Scans the next two ranges in parallel.
  private func walkBoth<Value: Sendable>(
    _ scan: RowScan, _ ends: (first: SQLiteValue, second: SQLiteValue), _ course: ScanBatches,
    _ resolver: FutureResolver<Value>, _ answer: @escaping @Sendable (RowScan) -> Value
  ) {
    if scan.meter.isSpent(in: course.pace.turn) {
      // The second range would not be ready within the time budget.
      var (scan, course) = (scan, course)
      scan.outcome = .budgetSpent
      if course.hasTurned { return resolver.set(answer(scan)) }
      pace.withLock { $0?.shorten() }
      course.useOneThread()
      return goOn(scan, course, resolver, answer)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let first = walk(
      scan.stretch(after: scan.after, through: ends.first), course.lane, course.cancellation)
    let second = walk(
      scan.stretch(after: EntryKey(ends.first), through: ends.second), .sideScan,
      course.sideCancellation)
    let both: Future<(RowScan, RowScan?)> = first.flatMap { first in
      guard first.outcome == .stretchEnded else { return Future((first, nil)) }
      return second.map { (first, $0) }
    }
    let (begun, current) = (scan, course)
    both.map { [self] (first, second) in
      var (scan, course) = (begun, current)
      if try !scan.take(first, second) { course.useOneThread() }
      course.noteTurn(since: start, isWhole: second != nil)
      pace.withLock { [pace = course.pace] in $0 = pace }
      if scan.outcome == .batchEnded { return goOn(scan, course, resolver, answer) }
      course.sideCancellation.cancel()
      resolver.set(answer(scan))
    }.fail { error in
      current.sideCancellation.cancel()
      resolver.set(error)
    }
  }

  /// Scans one range.
  private func walk(
    _ part: RowScan, _ lane: SQLiteDatabase.Lane, _ cancellation: SQLiteCancellation
  ) -> Future<RowScan> {
    perform(lane, "nothing was read", cancellation) { [table] session in
      var part = part
      try part.run(session, try table.layout(session), rows: .max)
      return part
    }
  }
}
