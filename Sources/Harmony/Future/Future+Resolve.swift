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
    let claim = storage.withLock { storage -> Claim in
      guard let pending = storage.pending, !pending.isClaimed else { return .lost }
      guard !pending.interceptors.isEmpty else {
        return storage.settle(result).map(Claim.settled) ?? .lost
      }
      storage.pending?.isClaimed = true
      return .claimed(pending.interceptors)
    }
    switch claim {
    case .lost: return false
    case .settled(let pending):
      pending.notify(result, &cascade)
    case .claimed(let interceptors):
      let final = Self.intercept(result, by: interceptors)
      storage.withLock { $0.settle(final) }?.notify(final, &cascade)
    }
    return true
  }

  /// What came of the attempt to be the one who completes the future.
  private enum Claim {
    case lost
    case settled(Pending)
    case claimed([Interceptor])
  }

  private static func intercept(_ result: Result, by interceptors: [Interceptor]) -> Result {
    var error: (any Error)?
    var value = result.get(error: &error)
    for interceptor in interceptors { interceptor(&value, &error) }
    return Result(value: value, error: error)
  }

  /// Completes this future with the result of another, now or later.
  func follow(_ other: Future<T>, _ cascade: inout Cascade) {
    guard other !== self else { return }
    let isWanted = storage.withLock { storage in
      storage.pending?.source = other
      return storage.pending != nil
    }
    guard isWanted else {
      // The caller was cancelled while it made the future, so nobody wants that any more.
      if isCancelled { other.cancel() }
      return
    }
    other.observe(&cascade) { result, cascade in self.complete(result, &cascade) }
  }
}

extension Future.Pending {
  /// Hands the result to the observers, in the cascade's next round.
  fileprivate func notify(_ result: Future.Result, _ cascade: inout Cascade) {
    guard !observers.isEmpty else { return }
    cascade.append { [observers] cascade in
      for observer in observers { observer(result, &cascade) }
    }
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
