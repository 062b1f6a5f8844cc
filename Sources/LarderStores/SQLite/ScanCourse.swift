import Dispatch
import HarmonySQLite
import LarderModel

/// How a scan goes on from one batch of rows to the next.
struct ScanCourse: Sendable {
  /// How many rows a scan looks at before it gives up its lock and goes on in a new turn.
  private static let batch = 20_000
  /// How many of them at first, where two threads may go on.
  private static let firstBatch = 5_000

  let lane: SQLiteDatabase.Lane
  let cancellation = SQLiteCancellation()
  let sideCancellation = SQLiteCancellation()
  private(set) var pace: ScanPace
  /// Whether two threads have looked at rows for this answer.
  private(set) var hasTurned = false
  /// The keys ahead that part the table.
  private var keys: ArraySlice<SQLiteValue> = []
  /// How many keys lead through each of the stretches that were begun last.
  private var width = 1
  /// Whether the rest may be looked at by two threads.
  private(set) var mayPart: Bool

  /// The course of a scan that begins.
  ///
  /// - Parameters:
  ///   - scan: The scan.
  ///   - lane: Where it runs, or the first of two threads.
  ///   - pace: That of a scan before; of meaning where it was for the same rows.
  init(_ scan: RowScan, _ lane: SQLiteDatabase.Lane, pace: ScanPace?) {
    self.lane = lane
    let own = ScanPace(filter: scan.filter, readsMore: scan.detail != .keys || !scan.collects)
    self.pace = pace.flatMap { $0.isLike(own) ? $0 : nil } ?? own
    mayPart = lane == .scan && scan.mayPart
  }

  /// How many rows one thread looks at next.
  func rows(_ scan: RowScan, _ layout: TableLayout) -> Int {
    guard scan.looksAtMore(of: layout) else { return .max }
    return mayPart ? Self.firstBatch : Self.batch
  }

  /// Goes on to where these keys part the table; on one thread where there are too few.
  mutating func goOn(along keys: [SQLiteValue]) {
    self.keys = keys[...]
    mayPart = mayPart && keys.count >= 2
  }

  /// Goes on with one thread.
  mutating func stopParting() { goOn(along: []) }

  /// The last keys of the next two stretches; nil where the table has to be parted first.
  mutating func nextStretches() -> (first: SQLiteValue, second: SQLiteValue)? {
    guard keys.count >= 2 else { return nil }
    width = min(pace.width, keys.count / 2)
    let (first, second) = (keys.startIndex + width - 1, keys.startIndex + 2 * width - 1)
    defer { keys = keys.dropFirst(2 * width) }
    return (keys[first], keys[second])
  }

  /// Notes how long the turn of two threads took that began at a time, and whether it came to its
  /// end.
  mutating func noteTurn(since start: UInt64, isWhole: Bool) {
    hasTurned = true
    pace.note(DispatchTime.now().uptimeNanoseconds - start, over: width, isWhole: isWhole)
  }

  /// Stops what both threads do.
  func cancel() {
    cancellation.cancel()
    sideCancellation.cancel()
  }
}

/// How fast two threads look at rows, and how many they look at in one turn.
struct ScanPace: Sendable {
  /// How long a turn should take, in nanoseconds: long beside what its start and end cost, and short
  /// beside the budget of an answer.
  private static let wanted = 8_000_000
  private static let maximumWidth = 128

  private let filter: EntryFilter?
  private let readsMore: Bool
  /// How many keys lead from the start of a stretch to its end.
  private(set) var width = 1
  /// How long the next turn will take, in nanoseconds.
  private(set) var turn: UInt64 = 0

  init(filter: EntryFilter?, readsMore: Bool) {
    self.filter = filter
    self.readsMore = readsMore
  }

  /// Whether rows of the other take as long as those of this one.
  func isLike(_ other: ScanPace) -> Bool {
    filter == other.filter && readsMore == other.readsMore
  }

  /// Takes in how long a turn took.
  ///
  /// - Parameters:
  ///   - time: In nanoseconds.
  ///   - width: How many keys lead through each stretch of it.
  ///   - isWhole: Whether it came to its end; of another, nobody knows how long it would have taken.
  mutating func note(_ time: UInt64, over width: Int, isWhole: Bool) {
    let each = min(max(1, Int(clamping: time) / max(width, 1)), .max / 512) * (isWhole ? 1 : 2)
    self.width = min(max(Self.wanted / each, 1), width * 4, Self.maximumWidth)
    turn = UInt64(self.width * each)
  }

  /// Tries a shorter turn the next time: one that was slow for once must not be the last.
  mutating func shorten() {
    width = max(width / 2, 1)
    turn /= 2
  }
}
