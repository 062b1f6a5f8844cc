import Synchronization

extension Future: AnyFuture {
  /// Stops the work for this future, if it is not complete.
  ///
  /// The future ends in `CancellationError`, after the cancellation handlers of its producer have
  /// been called. A future made from others by `map`, `flatMap` and the like cancels those too,
  /// and with them whatever else was made of them.
  public func cancel() {
    var next: (any AnyFuture)? = self
    while let future = next { next = future.cancelStep() }
  }

  func cancelStep() -> (any AnyFuture)? {
    let error = CancellationError()
    let waiting = pending.withLock { pending -> FuturePending? in
      isResolved ? nil : store(.error(error), in: &pending)
    }
    guard let waiting else { return nil }
    for handler in waiting.cancelHandlers { handler() }
    Cascade.run { waiting.notify(self, nil, &$0) }
    return waiting.source
  }

  /// Adds a closure for ``cancel()`` to call, or calls it if the future was cancelled.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isPending = pending.withLock { pending in
      guard !isSettled else { return false }
      pending.cancelHandlers.append(handler)
      return true
    }
    if !isPending, isCancelled { handler() }
  }

  /// Whether the future ended in `CancellationError`.
  public var isCancelled: Bool {
    guard isSettled, case .error(let error) = settledResult else { return false }
    return error is CancellationError
  }
}
