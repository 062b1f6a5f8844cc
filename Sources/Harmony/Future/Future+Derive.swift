extension Future {
  /// How a derived future ends: with a value, or as another future does.
  @usableFromInline
  enum Outcome: Sendable {
    case value(T)
    case future(Future<T>)
  }

  /// The result, which is now handed out, if there is one and a closure for this executor may run
  /// on this thread.
  @inlinable
  func takeResult(for executor: any Executor) -> Result? {
    isDirect(executor) ? takeResult() : nil
  }

  /// Makes a future of this one's result, which has not come yet or is wanted elsewhere.
  ///
  /// Nothing is transformed for a derived future that was cancelled meanwhile.
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

/// Whether closures for an executor run at once, on this thread.
///
/// A comparison of types, which is many times cheaper than a cast.
@inlinable
func isDirect(_ executor: any Executor) -> Bool {
  type(of: executor) == DirectExecutor.self
}

extension Future {
  /// Whether there is a result, and it is a value.
  @inlinable
  var hasSettledValue: Bool { isSettled && !room.holdsError }

  /// The value of a future that has one, which does not count as handing it out.
  @inlinable
  var settledValue: T? {
    guard isSettled, case .value(let value) = settledResult else { return nil }
    return value
  }

  /// What a closure makes of the result, if there is one; nil if it has not come yet.
  ///
  /// It is ``map(_:_:)`` without the cost of a closure that has to outlive the call.
  @inlinable
  func mapSettled<K>(_ transform: (T) throws -> K) -> Future<K>? {
    guard let result = takeResult() else { return nil }
    return Future<K>(value: { try transform(try result.get()) })
  }
}
