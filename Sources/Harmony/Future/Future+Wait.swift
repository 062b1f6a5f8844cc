import Dispatch

extension Future {
  /// The result, which blocks this thread until it is available.
  ///
  /// It can be read any number of times. Reading it on a thread that the producer needs is a
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
    // Stored separately, because the future may be cleared before this thread continues.
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
  /// Unlike upstream, this does not deliver callbacks: they run when the future is completed.
  @available(*, noasync, message: "Blocks the thread; use get() instead.")
  public func complete() {
    _ = result
  }
}

/// The result for a thread that waits.
private final class Told<Result: Sendable>: Sendable {
  let result = Locked<Result?>(nil)
}
