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
    observe { _, _ in semaphore.signal() }
    semaphore.wait()
    return takeResult() ?? .error(UnresolvedFutureError())
  }

  /// Waits for the result by blocking this thread, under upstream's name.
  ///
  /// Callbacks need no delivering here: they run when the future is completed.
  @available(*, noasync, message: "Blocks the thread; use get() instead.")
  public func complete() {
    _ = result
  }
}
