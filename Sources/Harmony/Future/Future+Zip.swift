extension Future {
  /// Waits for this future and another one, which run concurrently.
  ///
  /// Cancelling the result cancels both.
  ///
  /// - Parameter other: The other future.
  /// - Returns: A future of both values, or of the first error.
  @inlinable
  public func zip<K>(_ other: Future<K>) -> Future<(T, K)> {
    guard let first = takeResult() else { return pendingZip(other) }
    guard let second = other.takeResult() else { return pendingZip(other) }
    return Future<(T, K)>(value: { (try first.get(), try second.get()) })
  }

  @usableFromInline
  func pendingZip<K>(_ other: Future<K>) -> Future<(T, K)> {
    let pair = Future<(T, K)>()
    pair.cancelsToo([self, other])
    let parts = Parts<T, K>()
    observe { result, cascade in
      switch result {
      case .value(let value):
        if let both = parts.setFirst(value) { pair.complete(.value(both), &cascade) }
      case .error(let error): pair.complete(.error(error), &cascade)
      }
    }
    other.observe { result, cascade in
      switch result {
      case .value(let value):
        if let both = parts.setSecond(value) { pair.complete(.value(both), &cascade) }
      case .error(let error): pair.complete(.error(error), &cascade)
      }
    }
    return pair
  }

  /// Waits for this future and two others, which run concurrently.
  ///
  /// - Parameters:
  ///   - second: The second future.
  ///   - third: The third future.
  /// - Returns: A future of all values, or of the first error.
  @inlinable
  public func zip<K, L>(_ second: Future<K>, _ third: Future<L>) -> Future<(T, K, L)> {
    zip(second).zip(third).map { ($0.0, $0.1, $1) }
  }

  /// Waits for this future and three others, which run concurrently.
  ///
  /// - Parameters:
  ///   - second: The second future.
  ///   - third: The third future.
  ///   - fourth: The fourth future.
  /// - Returns: A future of all values, or of the first error.
  @inlinable
  public func zip<K, L, M>(
    _ second: Future<K>, _ third: Future<L>, _ fourth: Future<M>
  ) -> Future<(T, K, L, M)> {
    zip(second, third).zip(fourth).map { ($0.0, $0.1, $0.2, $1) }
  }
}

/// Two values that may be set in any order.
private final class Parts<A: Sendable, B: Sendable>: Sendable {
  private let parts = Locked<(first: A?, second: B?)>((nil, nil))

  func setFirst(_ value: A) -> (A, B)? {
    parts.withLock { parts in
      parts.first = .some(value)
      return parts.second.map { (value, $0) }
    }
  }

  func setSecond(_ value: B) -> (A, B)? {
    parts.withLock { parts in
      parts.second = .some(value)
      return parts.first.map { ($0, value) }
    }
  }
}

/// Waits for two futures, as ``Future/zip(_:)`` does.
///
/// - Parameters:
///   - left: The first future.
///   - right: The second future.
/// - Returns: A future of both values, or of the first error.
@inlinable
public func + <T, K>(left: Future<T>, right: Future<K>) -> Future<(T, K)> {
  left.zip(right)
}

infix operator <^> : AdditionPrecedence

/// Transforms the value, as ``Future/map(_:_:)`` does.
///
/// - Parameters:
///   - future: The future of the value.
///   - transform: Transforms the value.
/// - Returns: A future of the transformed value, or of the error.
@inlinable
public func <^> <T, K>(
  future: Future<T>, transform: @escaping @Sendable (T) throws -> K
) -> Future<K> {
  future.map { try transform($0) }
}
