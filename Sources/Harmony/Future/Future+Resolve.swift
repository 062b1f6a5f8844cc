import Synchronization

extension Future {
  /// Completes this future unless it is complete.
  ///
  /// Callbacks have run when this returns, except those on other executors.
  ///
  /// - Parameter result: A value or an error.
  /// - Returns: Whether this call was the one that completed the future.
  @discardableResult
  public func resolve(_ result: Result) -> Bool {
    var isFirst = false
    Cascade.run { isFirst = complete(result, &$0) }
    return isFirst
  }

  /// Completes this future with a value, unless it is complete.
  ///
  /// - Parameter value: The value.
  public func set(_ value: T) {
    resolve(.value(value))
  }

  /// Completes this future with an error, unless it is complete.
  ///
  /// - Parameter error: The error.
  public func set(_ error: any Error) {
    resolve(.error(error))
  }

  /// Completes this future as soon as another one is, with its result.
  ///
  /// Cancelling this future cancels the other one too.
  ///
  /// - Parameter future: The future to follow.
  public func set(_ future: Future<T>) {
    Cascade.run { follow(future, &$0) }
  }

  /// Completes this future with a value or an error, unless it is complete.
  ///
  /// - Parameters:
  ///   - value: The value, used if there is no error.
  ///   - error: The error. If it and the value are nil the future fails with
  ///     ``CoreError/IllegalArgument``.
  public func set(value: T?, error: (any Error)?) {
    resolve(Result(value: value, error: error))
  }

  /// Completes this future without a value to speak of, unless it is complete.
  public func set() where T == Void {
    resolve(.value(()))
  }

  /// Completes this future as part of a cascade, and tells whether it was the first to.
  @discardableResult
  func complete(_ result: Result, _ cascade: inout Cascade) -> Bool {
    guard let interceptors = claim() else { return false }
    if interceptors.isEmpty {
      settle(result, &cascade)
    } else {
      let candidate = Candidate(result)
      for interceptor in interceptors { interceptor(candidate) }
      settle(candidate.result, &cascade)
    }
    return true
  }

  /// Makes the caller the one who completes this future, or returns nil if there was one before.
  private func claim() -> [@Sendable (AnyObject) -> Void]? {
    guard !isResolved else { return nil }
    return pending.withLock { pending in
      guard !isResolved else { return nil }
      phase.store(FuturePhase.claimed, ordering: .releasing)
      return pending.interceptors
    }
  }

  /// Stores the result of a future that the caller has claimed.
  func settle(_ result: Result, _ cascade: inout Cascade) {
    let waiting = pending.withLock { store(result, in: &$0) }
    waiting.notify(self, nil, &cascade)
  }

  /// Completes this future with the result of another, now or later.
  func follow(_ other: Future<T>, _ cascade: inout Cascade) {
    guard other !== self else { return }
    let isWanted = pending.withLock { pending in
      guard !isResolved else { return false }
      pending.source = other
      return true
    }
    guard isWanted else {
      // The caller was cancelled while it made the future, so nobody wants that any more.
      if isCancelled { other.cancel() }
      return
    }
    other.observe(&cascade) { result, cascade in self.complete(result, &cascade) }
  }
}

extension Future.Result {
  /// The result that a pair of optionals stands for; an error comes before a value.
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
