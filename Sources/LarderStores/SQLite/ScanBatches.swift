import Dispatch
import HarmonySQLite
import LarderModel

/// The course of a scan from one batch of rows to the next.
struct ScanBatches: Sendable {
  /// The number of rows in a batch, after which a scan releases its lock.
  private static let batch = 20_000
  /// The number of rows in the first batch, if two threads may continue after it.
  private static let firstBatch = 5_000

  let lane: SQLiteDatabase.Lane
  let cancellation = SQLiteCancellation()
  let sideCancellation = SQLiteCancellation()
  private(set) var pace: ScanPace
  /// Whether two threads have read rows for this answer.
  private(set) var hasTurned = false
  /// The keys ahead that split the table.
  private var keys: ArraySlice<SQLiteValue> = []
  /// The width of the latest ranges, in keys.
  private var width = 1
  /// Whether two threads may read the remaining rows.
  private(set) var maySplit: Bool

  /// Creates the course of a new scan.
  ///
  /// - Parameters:
  ///   - scan: The scan.
  ///   - lane: The lane of the only thread, or of the first of two.
  ///   - pace: The pace of an earlier scan, used if it read rows in the same way.
  init(_ scan: RowScan, _ lane: SQLiteDatabase.Lane, pace: ScanPace?) {
    self.lane = lane
    let own = ScanPace(filter: scan.filter, readsMore: scan.detail != .keys || !scan.collects)
    self.pace = pace.flatMap { $0.isLike(own) ? $0 : nil } ?? own
    maySplit = lane == .scan && scan.maySplit
  }

  /// Returns the number of rows that one thread reads next.
  func rows(_ scan: RowScan, _ layout: TableLayout) -> Int {
    guard scan.looksAtMore(of: layout) else { return .max }
    return maySplit ? Self.firstBatch : Self.batch
  }

  /// Continues in ranges that end at these keys; with one thread if there are too few.
  mutating func goOn(along keys: [SQLiteValue]) {
    self.keys = keys[...]
    maySplit = maySplit && keys.count >= 2
  }

  /// Continues with one thread.
  mutating func useOneThread() { goOn(along: []) }

  /// Returns the last keys of the next two ranges; nil if the table has to be split first.
  mutating func nextStretches() -> (first: SQLiteValue, second: SQLiteValue)? {
    guard keys.count >= 2 else { return nil }
    width = min(pace.width, keys.count / 2)
    let (first, second) = (keys.startIndex + width - 1, keys.startIndex + 2 * width - 1)
    defer { keys = keys.dropFirst(2 * width) }
    return (keys[first], keys[second])
  }

  /// Records how long a turn of two threads took, and whether both ranges were read.
  mutating func noteTurn(since start: UInt64, isWhole: Bool) {
    hasTurned = true
    pace.note(DispatchTime.now().uptimeNanoseconds - start, over: width, isWhole: isWhole)
  }

  /// Cancels both threads.
  func cancel() {
    cancellation.cancel()
    sideCancellation.cancel()
  }
}

/// The pace at which two threads read rows, which sets how many they read in a turn.
struct ScanPace: Sendable {
  /// The desired duration of a turn in nanoseconds: long compared with its overhead, short compared
  /// with the time budget of an answer.
  private static let wanted = 8_000_000
  private static let maximumWidth = 128

  private let filter: EntryFilter?
  private let readsMore: Bool
  /// The width of a range, in keys.
  private(set) var width = 1
  /// The expected duration of the next turn in nanoseconds.
  private(set) var turn: UInt64 = 0

  init(filter: EntryFilter?, readsMore: Bool) {
    self.filter = filter
    self.readsMore = readsMore
  }

  /// Whether another scan tests and reads rows in the same way.
  func isLike(_ other: ScanPace) -> Bool {
    filter == other.filter && readsMore == other.readsMore
  }

  /// Adapts the width to the duration of a turn.
  ///
  /// - Parameters:
  ///   - time: The duration in nanoseconds.
  ///   - width: The width of each range in the turn, in keys.
  ///   - isWhole: Whether both ranges were read; if not, a whole turn would have taken twice as
  ///     long.
  mutating func note(_ time: UInt64, over width: Int, isWhole: Bool) {
    let each = min(max(1, Int(clamping: time) / max(width, 1)), .max / 512) * (isWhole ? 1 : 2)
    self.width = min(max(Self.wanted / each, 1), width * 4, Self.maximumWidth)
    turn = UInt64(self.width * each)
  }

  /// Shortens the next turn, so that a single slow turn does not rule out two threads for good.
  mutating func shorten() {
    width = max(width / 2, 1)
    turn /= 2
  }
}
