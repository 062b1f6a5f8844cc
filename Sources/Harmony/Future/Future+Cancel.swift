extension Future: AnyFuture {
  /// Stops the work for this future, if it is not complete.
  ///
  /// The future ends with `CancellationError` after its producer's cancel handlers have been
  /// called. A future derived from others by `map`, `flatMap` and the like cancels those too, and
  /// with them everything else derived from them.
  public func cancel() {
    cancelAll()
  }

  @usableFromInline
  func cancelStep(_ next: inout [any AnyFuture]) {
    guard let pending, pending.claim(phase) != nil else { return }
    store(.error(CancellationError()))
    pending.cancel(phase, self, &next)
  }

  /// Adds a closure that ``cancel()`` calls, or calls it now if the future was canceled.
  @usableFromInline
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    if pending?.onCancel(phase, handler) ?? false { return }
    if isCancelled { handler() }
  }

  /// Whether the future ended with `CancellationError`.
  public var isCancelled: Bool {
    guard isSettled, case .error(let error) = settledResult else { return false }
    return error is CancellationError
  }
}

extension AnyFuture {
  /// Cancels this future and the futures that it was derived from, in a loop.
  func cancelAll() {
    var next: [any AnyFuture] = [self]
    while let future = next.popLast() { future.cancelStep(&next) }
  }
}
