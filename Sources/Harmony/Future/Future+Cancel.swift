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
    let result = Result.error(CancellationError())
    let pending = storage.withLock { storage in
      storage.pending?.isClaimed == false ? storage.settle(result) : nil
    }
    guard let pending else { return nil }
    for handler in pending.cancelHandlers { handler() }
    Cascade.run { cascade in
      for observer in pending.observers { observer(result, &cascade) }
    }
    return pending.source
  }

  /// Adds a closure for ``cancel()`` to call, or calls it if the future was cancelled.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isPending = storage.withLock { storage in
      storage.pending?.cancelHandlers.append(handler)
      return storage.pending != nil
    }
    if !isPending, isCancelled { handler() }
  }

  /// Whether the future ended in `CancellationError`.
  public var isCancelled: Bool {
    storage.withLock { storage in
      guard case .error(let error) = storage.result else { return false }
      return error is CancellationError
    }
  }
}
