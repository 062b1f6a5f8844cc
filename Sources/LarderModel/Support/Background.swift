import Dispatch

/// Runs long operations on separate threads, so that they do not block the threads that tasks
/// share.
package enum Background {
  private static let queue = DispatchQueue(label: "larder.background", attributes: .concurrent)

  /// A serial queue for operations that may each need as much memory as a value.
  private static let lonely = DispatchQueue(label: "larder.background.lonely")

  /// Runs an operation that can check whether its task was canceled.
  ///
  /// - Parameters:
  ///   - isAlone: Whether to wait for earlier operations started with this option.
  ///   - work: The operation.
  /// - Returns: The result, or nil if the task was canceled before the operation started.
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
