import Dispatch
import Harmony
import HarmonySQLite
import LarderCore

/// How a scan goes on from one batch of rows to the next.
private struct ScanCourse: Sendable {
  /// How many rows a scan looks at before it gives up its lock and goes on in a new turn.
  private static let batch = 20_000
  /// How many of them at first, where two threads may go on.
  private static let firstBatch = 5_000
  /// How long the turn of two threads should take, in nanoseconds.
  private static let turn: ClosedRange<UInt64> = 4_000_000...12_000_000
  private static let greatestWidth = 256

  let lane: SQLiteDatabase.Lane
  let cancellation = SQLiteCancellation()
  let sideCancellation = SQLiteCancellation()
  /// The keys ahead that part the table.
  private var keys: ArraySlice<SQLiteValue> = []
  /// Whether the rest may be looked at by two threads.
  private(set) var mayPart: Bool
  /// How many keys lead from the start of a stretch to its end.
  private var width = 1
  /// How long the last turn of two threads took.
  private(set) var lastTurn: UInt64 = 0

  init(_ scan: RowScan, _ lane: SQLiteDatabase.Lane) {
    self.lane = lane
    mayPart = lane == .scan && scan.mayPart
  }

  func rows(_ scan: RowScan, _ layout: TableLayout) -> Int {
    guard scan.looksAtMore(of: layout) else { return .max }
    return mayPart ? Self.firstBatch : Self.batch
  }

  /// Goes on to where these keys part the table; on one thread where there are none.
  mutating func goOn(along keys: [SQLiteValue]?) {
    self.keys = keys?[...] ?? []
    mayPart = mayPart && !self.keys.isEmpty
  }

  /// Goes on with one thread.
  mutating func stopParting() { goOn(along: nil) }

  /// The last keys of the next two stretches; nil where the table has to be parted first.
  mutating func nextStretches() -> (first: SQLiteValue, second: SQLiteValue)? {
    guard keys.count >= 2 else { return nil }
    let each = min(width, keys.count / 2)
    let (first, second) = (keys[keys.startIndex + each - 1], keys[keys.startIndex + 2 * each - 1])
    keys = keys.dropFirst(2 * each)
    return (first, second)
  }

  /// Notes how long the turn took that began at a time.
  mutating func noteTurn(since start: UInt64) {
    lastTurn = DispatchTime.now().uptimeNanoseconds - start
    if lastTurn < Self.turn.lowerBound { width = min(width * 2, Self.greatestWidth) }
    if lastTurn > Self.turn.upperBound { width = max(width / 2, 1) }
  }

  func cancel() {
    cancellation.cancel()
    sideCancellation.cancel()
  }
}

extension SQLiteEntrySource {
  /// Walks over rows until the answer is found; over many rows with two threads, each with its own
  /// connection.
  ///
  /// As from one batch to the next, what is written meanwhile may be seen by one and not by the
  /// other.
  func run<Value: Sendable>(
    _ scan: RowScan, _ lane: SQLiteDatabase.Lane,
    _ answer: @escaping @Sendable (RowScan) -> Value
  ) -> Future<Value> {
    Future { resolver in
      let course = ScanCourse(scan, lane)
      resolver.onCancel { course.cancel() }
      goOn(scan, course, resolver, answer)
    }
  }

  private func goOn<Value: Sendable>(
    _ scan: RowScan, _ course: ScanCourse, _ resolver: FutureResolver<Value>,
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
      guard scan.outcome == .batchEnded, current.mayPart else { return (scan, nil) }
      return (scan, try scan.partingKeys(session, layout, path: table.database.path))
    } completion: { [self] (result: Result<(RowScan, [SQLiteValue]?), any Error>) in
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

  /// Walks over the next two stretches at the same time.
  private func walkBoth<Value: Sendable>(
    _ scan: RowScan, _ ends: (first: SQLiteValue, second: SQLiteValue), _ course: ScanCourse,
    _ resolver: FutureResolver<Value>, _ answer: @escaping @Sendable (RowScan) -> Value
  ) {
    if scan.meter.isSpent(in: course.lastTurn) {
      // Half of what two threads find would come too late.
      var scan = scan
      scan.outcome = .budgetSpent
      return resolver.set(answer(scan))
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
      if try !scan.take(first, second) { course.stopParting() }
      course.noteTurn(since: start)
      if scan.outcome == .batchEnded { return goOn(scan, course, resolver, answer) }
      course.sideCancellation.cancel()
      resolver.set(answer(scan))
    }.fail { error in
      current.sideCancellation.cancel()
      resolver.set(error)
    }
  }

  /// Walks over one stretch.
  private func walk(
    _ part: RowScan, _ lane: SQLiteDatabase.Lane, _ cancellation: SQLiteCancellation
  ) -> Future<RowScan> {
    let table = table
    return Future { resolver in
      table.database.connection(lane).perform(cancellation: cancellation) { session in
        var part = part
        try part.run(session, try table.layout(session), rows: .max)
        return part
      } completion: { [sentences] result in
        switch result {
        case .success(let part): resolver.set(part)
        case .failure(let error): resolver.set(sentences.translate(error))
        }
      }
    }
  }
}
