extension Future {
  /// Completes this future unless it is already complete.
  ///
  /// All callbacks have run when this returns, except those on other executors.
  ///
  /// - Parameter result: A value or an error.
  /// - Returns: Whether this call completed the future.
  @inlinable
  @discardableResult
  public func resolve(_ result: Result) -> Bool {
    var isFirst = false
    Cascade.run { isFirst = complete(result, &$0) }
    return isFirst
  }

  /// Completes this future with a value, unless it is already complete.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func set(_ value: T) {
    resolve(.value(value))
  }

  /// Completes this future with an error, unless it is already complete.
  ///
  /// - Parameter error: The error.
  @inlinable
  public func set(_ error: any Error) {
    resolve(.error(error))
  }

  /// Completes this future with the result of another one, as soon as there is one.
  ///
  /// Cancelling this future cancels the other one too.
  ///
  /// - Parameter future: The future to follow.
  @inlinable
  public func set(_ future: Future<T>) {
    Cascade.run { follow(future, &$0) }
  }

  /// Completes this future with a value or an error, unless it is already complete.
  ///
  /// - Parameters:
  ///   - value: The value, used if there is no error.
  ///   - error: The error. If both are nil, the future fails with ``CoreError/IllegalArgument``.
  @inlinable
  public func set(value: T?, error: (any Error)?) {
    resolve(Result(value: value, error: error))
  }

  /// Completes this future of `Void`, unless it is already complete.
  @inlinable
  public func set() where T == Void {
    resolve(.value(()))
  }

  /// Completes this future as part of a cascade and returns whether this call did so.
  @inlinable
  @discardableResult
  func complete(_ result: Result, _ cascade: inout Cascade) -> Bool {
    guard !isResolved, let pending, let interceptors = pending.claim(phase) else { return false }
    store(interceptors.isEmpty ? result : intercepted(result, interceptors))
    pending.settle(phase, self, &cascade)
    return true
  }

  /// Stores the result after claiming it.
  @inlinable
  func store(_ result: Result) {
    switch result {
    case .value(let value): room.fill(value: value)
    case .error(let error): room.fill(error: error)
    }
  }

  /// Returns a result after its interceptors have changed it.
  @usableFromInline
  func intercepted(_ result: Result, _ interceptors: [FuturePending.Interceptor]) -> Result {
    let candidate = Candidate(result)
    for interceptor in interceptors { interceptor(candidate) }
    return candidate.result
  }

  /// Completes this future with the result of another, now or later.
  @usableFromInline
  func follow(_ other: Future<T>, _ cascade: inout Cascade) {
    guard other !== self else { return }
    guard isMade(from: other) else { return }
    other.observe(&cascade) { result, cascade in self.complete(result, &cascade) }
  }

  /// Makes cancelling this future cancel another one, which it is now derived from; returns false
  /// if it already has a result.
  func isMade(from other: any AnyFuture) -> Bool {
    if pending?.setSource(phase, other) ?? false { return true }
    // This future was canceled while the other one was created, so its result is not needed.
    if isCancelled { other.cancelAll() }
    return false
  }
}

extension Future.Result {
  /// Creates a result from optionals; an error takes precedence over a value.
  @usableFromInline
  init(value: T?, error: (any Error)?) {
    if let error {
      self = .error(error)
    } else if let value {
      self = .value(value)
    } else {
      self = .error(CoreError.IllegalArgument.noResult)
    }
  }
}
