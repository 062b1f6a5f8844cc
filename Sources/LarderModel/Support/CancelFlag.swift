import Synchronization

/// A thread-safe flag that asks an operation to stop.
package final class CancelFlag: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// Asks the operation to stop.
  package func cancel() {
    flag.store(true, ordering: .relaxed)
  }

  /// Whether the operation was asked to stop.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Throws if the operation was asked to stop.
  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
