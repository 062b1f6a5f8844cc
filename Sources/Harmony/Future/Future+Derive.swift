extension Future {
  /// The outcome of a derived future: a value, or another future that it follows.
  @usableFromInline
  enum Outcome: Sendable {
    case value(T)
    case future(Future<T>)
  }

  /// Returns the result and marks it as sent, if there is one and closures for the executor may run
  /// on this thread.
  @inlinable
  func takeResult(for executor: any Executor) -> Result? {
    isDirect(executor) ? takeResult() : nil
  }

  /// Returns a future derived from this one's result, if that is not available or needed elsewhere.
  ///
  /// The closure is not called if the derived future has been canceled by then.
  @inlinable
  func derive<K>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable (Result) throws -> Future<K>.Outcome
  ) -> Future<K> {
    let derived = Future<K>(source: self)
    if isDirect(executor) {
      observe { result, cascade in
        derived.complete(by: { try transform(result) }, &cascade)
      }
    } else {
      observe(on: executor, for: derived, transform)
    }
    return derived
  }

  @inlinable
  func complete(by transform: () throws -> Outcome, _ cascade: inout Cascade) {
    guard !isResolved else { return }
    do {
      switch try transform() {
      case .value(let value): complete(.value(value), &cascade)
      case .future(let future): follow(future, &cascade)
      }
    } catch {
      complete(.error(error), &cascade)
    }
  }
}

/// Returns whether closures for an executor run immediately on this thread.
///
/// Comparing types is many times cheaper than a cast.
@inlinable
func isDirect(_ executor: any Executor) -> Bool {
  type(of: executor) == DirectExecutor.self
}

extension Future {
  /// Whether there is a result and it is a value.
  @inlinable
  var hasSettledValue: Bool { isSettled && !room.holdsError }

  /// The value if there is one, without marking it as sent.
  @inlinable
  var settledValue: T? {
    guard isSettled, case .value(let value) = settledResult else { return nil }
    return value
  }

  /// Transforms the value if there is a result; nil if there is none yet.
  ///
  /// This is ``map(_:_:)`` without the cost of an escaping closure.
  @inlinable
  func mapSettled<K>(_ transform: (T) throws -> K) -> Future<K>? {
    guard let result = takeResult() else { return nil }
    return Future<K>(value: { try transform(try result.get()) })
  }
}
