extension Future {
  /// Calls a closure just before the result is stored.
  ///
  /// Closures are called in the order added, before all other callbacks. They are not called if the
  /// future is already complete or is canceled.
  ///
  /// - Parameter closure: The closure.
  public func onSet(_ closure: @escaping @Sendable () -> Void) {
    onSet { _, _ in closure() }
  }

  /// Calls a closure that can change the result just before it is stored.
  ///
  /// Closures are called in the order added, before all other callbacks. They are not called if the
  /// future is already complete or is canceled.
  ///
  /// - Parameter closure: May replace the value and the error; an error takes precedence over a
  ///   value.
  public func onSet(_ closure: @escaping @Sendable (inout T?, inout (any Error)?) -> Void) {
    pending?.intercept(phase) { candidate in
      let candidate = unsafeDowncast(candidate, to: Candidate<T>.self)
      closure(&candidate.value, &candidate.error)
    }
  }

  /// Removes all observers of a future that is not complete.
  ///
  /// Futures derived from it end with `CancellationError`. The future itself can still be
  /// completed, and new observers can be added. A complete future stays as it is.
  ///
  /// - Returns: This future.
  @discardableResult
  public func clear() -> Future<T> {
    pending?.abandon(CancellationError())
    return self
  }

  /// Returns this future, for code that converts both values and futures to futures.
  ///
  /// - Returns: This future.
  @inlinable
  public func toFuture() -> Future<T> {
    self
  }

  /// Adds an observer, or runs it now if there is a result.
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

  /// Adds an observer, or runs it and everything that it causes now if there is a result.
  @inlinable
  func observe(_ observer: @escaping @Sendable (Result, inout Cascade) -> Void) {
    Cascade.run { observe(&$0, observer) }
  }

  /// Returns the result that an observer receives when a future ends.
  ///
  /// The future is passed as an argument, because an observer that captured it would be a reference
  /// cycle.
  @inlinable
  static func result(of future: AnyObject?, _ error: (any Error)?) -> Result {
    guard let future else { return .error(error ?? UnresolvedFutureError()) }
    return unsafeDowncast(future, to: Future<T>.self).settledResult
  }
}

/// A result that interceptors may still change.
///
/// Only one thread uses it before it is released.
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
