import LarderCore

/// Counts the entries that a scan looks at, and says when its time is spent.
struct ScanMeter: Sendable {
  private(set) var examined: Int
  private let scan: Scan?
  private let deadline: ContinuousClock.Instant?
  private static let interval = 64

  /// Starts counting and, where the scan has a budget, the clock.
  init(_ scan: Scan?) {
    self.scan = scan
    examined = 0
    deadline = scan?.budget.map { ContinuousClock.now + $0 }
  }

  /// Counts one entry.
  ///
  /// - Returns: Whether the budget is spent; looked up now and then only.
  mutating func countOne() -> Bool {
    examined += 1
    guard let deadline, examined % Self.interval == 0 else { return false }
    return ContinuousClock.now >= deadline
  }

  /// Tells whoever waits how far the scan is.
  func report(position: EntryKey?, isComplete: Bool = false) {
    scan?.report(examined: examined, position: position, isComplete: isComplete)
  }
}
