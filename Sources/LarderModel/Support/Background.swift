import Dispatch

/// Work that takes a while, on a thread of its own: those that tasks share go on with others.
package enum Background {
  private static let queue = DispatchQueue(label: "larder.background", attributes: .concurrent)

  /// What is done there is done one after the other: each may take as much memory as a value does.
  private static let lonely = DispatchQueue(label: "larder.background.lonely")

  /// Does something that can ask whether the task that waits for it was cancelled.
  ///
  /// - Parameters:
  ///   - isAlone: Whether it waits for what was begun before it with this.
  ///   - work: What to do.
  /// - Returns: What it returns; nil where the task was cancelled before it began.
  package static func runCancelling<Result: Sendable>(
    isAlone: Bool = false,
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Result
  ) async -> Result? {
    let flag = CancelFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        (isAlone ? lonely : queue).async {
          continuation.resume(returning: flag.isCancelled ? nil : work { flag.isCancelled })
        }
      }
    } onCancel: {
      flag.cancel()
    }
  }
}
