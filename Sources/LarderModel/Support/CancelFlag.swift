import Synchronization

/// Says to work that is under way that nobody waits for it any more.
package final class CancelFlag: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// Asks the work to stop.
  package func cancel() {
    flag.store(true, ordering: .relaxed)
  }

  /// Whether the work was asked to stop.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Stops the work if it was asked to.
  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
