import Dispatch
import Synchronization

/// Work that takes a while, on a thread of its own: those that tasks share go on with others.
package enum Background {
  private static let queue = DispatchQueue(label: "larder.background", attributes: .concurrent)

  /// Does something, and returns what it returns.
  package static func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  /// Does something that can ask whether the task that waits for it was cancelled.
  package static func runCancelling<Result: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping () -> Bool) -> Result
  ) async -> Result {
    let flag = Flag()
    return await withTaskCancellationHandler {
      await run { work { flag.isSet } }
    } onCancel: {
      flag.set()
    }
  }

  private final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
  }
}
