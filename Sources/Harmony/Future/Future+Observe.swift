extension Future {
  /// Calls a closure just before the result is stored.
  ///
  /// Closures are called in the order added, before every other callback. They are not called if
  /// the future is complete already or is cancelled.
  ///
  /// - Parameter closure: What to do.
  public func onSet(_ closure: @escaping @Sendable () -> Void) {
    onSet { _, _ in closure() }
  }

  /// Lets a closure change the result just before it is stored.
  ///
  /// Closures are called in the order added, before every other callback. They are not called if
  /// the future is complete already or is cancelled.
  ///
  /// - Parameter closure: May replace the value and the error; an error comes before a value.
  public func onSet(_ closure: @escaping @Sendable (inout T?, inout (any Error)?) -> Void) {
    pending?.intercept(phase) { candidate in
      let candidate = unsafeDowncast(candidate, to: Candidate<T>.self)
      closure(&candidate.value, &candidate.error)
    }
  }

  /// Detaches everyone who waits for a future that is not complete.
  ///
  /// What was derived from this future ends in `CancellationError`; the future itself can still be
  /// completed, and waited for again. A complete future stays as it is.
  ///
  /// - Returns: This future.
  @discardableResult
  public func clear() -> Future<T> {
    pending?.abandon(CancellationError())
    return self
  }

  /// This future, for code that turns values and futures alike into futures.
  ///
  /// - Returns: This future.
  @inlinable
  public func toFuture() -> Future<T> {
    self
  }

  /// Adds an observer, or runs it if there is a result.
  @inlinable
  func observe(
    _ cascade: inout Cascade, _ observer: @escaping @Sendable (Result, inout Cascade) -> Void
  ) {
    let isPending =
      pending?.observe(phase) { future, error, cascade in
        observer(Self.result(of: future, error), &cascade)
      } ?? false
    guard !isPending else { return }
    markSent()
    observer(settledResult, &cascade)
  }

  /// Adds an observer, or runs it and all that follows if there is a result.
  @inlinable
  func observe(_ observer: @escaping @Sendable (Result, inout Cascade) -> Void) {
    Cascade.run { observe(&$0, observer) }
  }

  /// What an observer is told by the end of a future.
  ///
  /// The future comes back as an argument because an observer that referred to it would be a cycle.
  @inlinable
  static func result(of future: AnyObject?, _ error: (any Error)?) -> Result {
    guard let future else { return .error(error ?? UnresolvedFutureError()) }
    return unsafeDowncast(future, to: Future<T>.self).settledResult
  }
}

/// A result that interceptors may still change.
///
/// One thread uses it, and then lets go of it.
@usableFromInline
final class Candidate<T: Sendable> {
  @usableFromInline var value: T?
  @usableFromInline var error: (any Error)?

  @usableFromInline
  init(_ result: Future<T>.Result) {
    value = result.get(error: &error)
  }

  @usableFromInline var result: Future<T>.Result { Future<T>.Result(value: value, error: error) }
}
