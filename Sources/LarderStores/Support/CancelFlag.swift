import Synchronization

/// Says to work that is under way that nobody waits for it any more.
final class CancelFlag: Sendable {
  private let flag = Atomic(false)

  /// Asks the work to stop.
  func cancel() {
    flag.store(true, ordering: .relaxed)
  }

  /// Whether the work was asked to stop.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Stops the work if it was asked to.
  func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
