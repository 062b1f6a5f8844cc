extension Future {
  /// Completes this future unless it is complete.
  ///
  /// Callbacks have run when this returns, except those on other executors.
  ///
  /// - Parameter result: A value or an error.
  /// - Returns: Whether this call was the one that completed the future.
  @inlinable
  @discardableResult
  public func resolve(_ result: Result) -> Bool {
    var isFirst = false
    Cascade.run { isFirst = complete(result, &$0) }
    return isFirst
  }

  /// Completes this future with a value, unless it is complete.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func set(_ value: T) {
    resolve(.value(value))
  }

  /// Completes this future with an error, unless it is complete.
  ///
  /// - Parameter error: The error.
  @inlinable
  public func set(_ error: any Error) {
    resolve(.error(error))
  }

  /// Completes this future as soon as another one is, with its result.
  ///
  /// Cancelling this future cancels the other one too.
  ///
  /// - Parameter future: The future to follow.
  @inlinable
  public func set(_ future: Future<T>) {
    Cascade.run { follow(future, &$0) }
  }

  /// Completes this future with a value or an error, unless it is complete.
  ///
  /// - Parameters:
  ///   - value: The value, used if there is no error.
  ///   - error: The error. If it and the value are nil the future fails with
  ///     ``CoreError/IllegalArgument``.
  @inlinable
  public func set(value: T?, error: (any Error)?) {
    resolve(Result(value: value, error: error))
  }

  /// Completes this future without a value to speak of, unless it is complete.
  @inlinable
  public func set() where T == Void {
    resolve(.value(()))
  }

  /// Completes this future as part of a cascade, and tells whether it was the first to.
  @inlinable
  @discardableResult
  func complete(_ result: Result, _ cascade: inout Cascade) -> Bool {
    guard !isResolved, let pending, let interceptors = pending.claim(phase) else { return false }
    store(interceptors.isEmpty ? result : intercepted(result, interceptors))
    pending.settle(phase, self, &cascade)
    return true
  }

  /// Stores the result that the caller has claimed.
  @inlinable
  func store(_ result: Result) {
    switch result {
    case .value(let value): room.fill(value: value)
    case .error(let error): room.fill(error: error)
    }
  }

  /// What interceptors make of a result.
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

  /// Makes the cancellation of this future that of another one, of which its result is to be made
  /// from now on; false if it has one already.
  func isMade(from other: any AnyFuture) -> Bool {
    if pending?.setSource(phase, other) ?? false { return true }
    // The caller was cancelled while it made the future, so nobody wants that any more.
    if isCancelled { other.cancelAll() }
    return false
  }
}

extension Future.Result {
  /// The result that a pair of optionals stands for; an error comes before a value.
  @usableFromInline
  init(value: T?, error: (any Error)?) {
    if let error {
      self = .error(error)
    } else if let value {
      self = .value(value)
    } else {
      self = .error(CoreError.IllegalArgument("There must be a value or an error"))
    }
  }
}
