import Dispatch
import LarderModel

/// Counts the entries that a scan looks at, and says when its time is spent.
struct ScanMeter: Sendable {
  private(set) var examined: Int
  private var scan: Scan?
  /// When the time is spent, in nanoseconds of a clock that only runs while the machine does.
  ///
  /// A plain number, as a step of a scan is far shorter than a call through an opaque type.
  private let deadline: UInt64
  /// How many bytes were looked at since the clock was.
  private var bytes = 0
  private static let interval = 64
  private static let byteInterval = 1 << 20

  /// Starts counting and, where the scan has a budget, the clock.
  ///
  /// - Parameters:
  ///   - scan: Where to report; nil for nowhere.
  ///   - isWhole: Whether there is no answer before all is looked at, whatever the budget.
  init(_ scan: Scan?, isWhole: Bool = false) {
    self.scan = scan
    examined = 0
    guard let budget = scan?.budget, !isWhole else {
      deadline = .max
      return
    }
    let (seconds, attoseconds) = budget.components
    let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let wait = UInt64(clamping: attoseconds / 1_000_000_000)
      .addingReportingOverflow(whole.partialValue)
    let end = DispatchTime.now().uptimeNanoseconds.addingReportingOverflow(wait.partialValue)
    deadline = whole.overflow || wait.overflow || end.overflow ? .max : end.partialValue
  }

  /// Counts one entry and those that were skipped before it, and the bytes that were looked at.
  ///
  /// - Returns: Whether the budget is spent; looked up now and then only.
  mutating func countOne(bytes size: Int = 0, skipped: Int = 0) -> Bool {
    let before = examined / Self.interval
    examined += 1 + skipped
    guard deadline != .max else { return false }
    bytes &+= size
    guard examined / Self.interval != before || bytes >= Self.byteInterval else { return false }
    bytes = 0
    return DispatchTime.now().uptimeNanoseconds >= deadline
  }

  /// One for a part of the scan, which starts at nothing and tells nobody, but has no more time.
  var part: ScanMeter {
    var part = self
    (part.examined, part.scan) = (0, nil)
    return part
  }

  /// Whether the budget would be spent after so many nanoseconds.
  func isSpent(in nanoseconds: UInt64) -> Bool {
    deadline != .max && DispatchTime.now().uptimeNanoseconds &+ nanoseconds >= deadline
  }

  /// Counts several entries at once, without a look at the clock.
  mutating func count(_ entries: Int) {
    examined += entries
  }

  /// Counts one entry of those that are all looked at and those that were skipped before it, and now
  /// and then tells whoever waits.
  ///
  /// - Throws: `CancellationError` where the answer is not wanted any more.
  mutating func countOneOfAll(skipped: Int = 0) throws(CancellationError) {
    let before = examined / 1_000
    examined += 1 + skipped
    if examined / 1_000 != before { try scan?.reportRead(examined) }
  }

  /// Counts entries of those that are all looked at, and tells whoever waits.
  ///
  /// - Throws: `CancellationError` where the answer is not wanted any more.
  mutating func countAll(_ entries: Int) throws(CancellationError) {
    examined += entries
    try scan?.reportRead(examined)
  }

  /// Tells whoever waits how far the scan is.
  func report(position: EntryKey?, isComplete: Bool = false) {
    scan?.report(examined: examined, position: position, isComplete: isComplete)
  }
}
