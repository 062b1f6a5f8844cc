import Dispatch
import Harmony
package import LarderModel

/// A counter of the entries that a scan examines, which also checks its time budget.
package struct ScanMeter: Sendable {
  package private(set) var examined: Int
  private let scan: Scan?
  /// The end of the time budget, in nanoseconds of a clock that stops while the machine sleeps.
  ///
  /// It is a plain integer because counting an entry is much cheaper than a call through an opaque
  /// type.
  private let deadline: UInt64
  /// The number of bytes examined since the clock was last checked.
  private var bytes = 0
  private static let interval = 64
  private static let byteInterval = 1 << 20

  /// Creates a meter, and starts the clock if the scan has a budget.
  ///
  /// - Parameters:
  ///   - scan: The scan to report to, or nil for none.
  ///   - isWhole: Whether all entries have to be examined, regardless of the budget.
  package init(_ scan: Scan?, isWhole: Bool = false) {
    self.scan = scan
    examined = 0
    guard let budget = scan?.budget, !isWhole else {
      deadline = .max
      return
    }
    let wait = budget.inSeconds * 1e9
    deadline = wait < 1e18 ? DispatchTime.now().uptimeNanoseconds + UInt64(max(wait, 0)) : .max
  }

  /// Counts one entry with the entries skipped before it, and the bytes examined.
  ///
  /// - Returns: Whether the budget is spent; the clock is only checked at intervals.
  package mutating func countOne(bytes size: Int = 0, skipped: Int = 0) -> Bool {
    let before = examined / Self.interval
    examined += 1 + skipped
    guard deadline != .max else { return false }
    bytes &+= size
    guard examined / Self.interval != before || bytes >= Self.byteInterval else { return false }
    bytes = 0
    return DispatchTime.now().uptimeNanoseconds >= deadline
  }

  /// Counts several entries, without checking the clock.
  package mutating func count(_ entries: Int) {
    examined += entries
  }

  /// Counts one entry and those skipped before it in a scan of all entries, and reports progress at
  /// intervals.
  ///
  /// - Throws: `CancellationError` if the scan is canceled.
  package mutating func countOneOfAll(skipped: Int = 0) throws(CancellationError) {
    let before = examined / 1_000
    examined += 1 + skipped
    if examined / 1_000 != before { try scan?.reportRead(examined) }
  }

  /// Reports the progress of the scan.
  package func report(position: EntryKey?, isComplete: Bool = false) {
    scan?.report(examined: examined, position: position, isComplete: isComplete)
  }
}
