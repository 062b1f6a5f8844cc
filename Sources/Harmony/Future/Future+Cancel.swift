extension Future: AnyFuture {
  /// Stops the work for this future, if it is not complete.
  ///
  /// The future ends in `CancellationError`, after the cancellation handlers of its producer have
  /// been called. A future made from others by `map`, `flatMap` and the like cancels those too,
  /// and with them whatever else was made of them.
  public func cancel() {
    cancelAll()
  }

  @usableFromInline
  func cancelStep(_ next: inout [any AnyFuture]) {
    guard let pending, pending.claim(phase) != nil else { return }
    store(.error(CancellationError()))
    pending.cancel(phase, self, &next)
  }

  /// Adds a closure for ``cancel()`` to call, or calls it if the future was cancelled.
  @usableFromInline
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    if pending?.onCancel(phase, handler) ?? false { return }
    if isCancelled { handler() }
  }

  /// Whether the future ended in `CancellationError`.
  public var isCancelled: Bool {
    guard isSettled, case .error(let error) = settledResult else { return false }
    return error is CancellationError
  }
}

extension AnyFuture {
  /// Cancels this future and what it was made from, in a loop.
  func cancelAll() {
    var next: [any AnyFuture] = [self]
    while let future = next.popLast() { future.cancelStep(&next) }
  }
}
