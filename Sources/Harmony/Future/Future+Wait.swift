import Dispatch

extension Future {
  /// The result, for which this thread is blocked if it has not come yet.
  ///
  /// It can be asked for any number of times. Asking on a thread that the producer needs is a
  /// deadlock; asynchronous code uses ``get()``.
  @available(*, noasync, message: "Blocks the thread; use get() instead.")
  @inlinable
  public var result: Result {
    takeResult() ?? awaitedResult()
  }

  /// Blocks this thread until there is a result.
  @usableFromInline
  func awaitedResult() -> Result {
    let semaphore = DispatchSemaphore(value: 0)
    // Kept, as somebody may clear the future before this thread goes on.
    let told = Told<Result>()
    observe { result, _ in
      told.result.withLock { $0 = result }
      semaphore.signal()
    }
    semaphore.wait()
    return told.result.withLock { $0 } ?? .error(UnresolvedFutureError())
  }

  /// Waits for the result by blocking this thread, under upstream's name.
  ///
  /// Callbacks need no delivering here: they run when the future is completed.
  @available(*, noasync, message: "Blocks the thread; use get() instead.")
  public func complete() {
    _ = result
  }
}

/// What a thread that waits has been told.
private final class Told<Result: Sendable>: Sendable {
  let result = Locked<Result?>(nil)
}
