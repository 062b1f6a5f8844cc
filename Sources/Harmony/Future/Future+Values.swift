extension Future {
  /// Continues with another future once this one has a value, which is discarded.
  ///
  /// - Parameter future: The future that provides the result.
  /// - Returns: A future that follows the other one, or fails with this future's error.
  @inlinable
  public func chain<K>(_ future: Future<K>) -> Future<K> {
    flatMap { _ in future }
  }

  /// Fails if the value is nil.
  ///
  /// - Returns: A future of the value, which fails with ``NilValueError`` if it is nil.
  @inlinable
  public func unwrap<K: Sendable>() -> Future<K> where T == K? {
    map { value in
      guard let value else { throw NilValueError() }
      return value
    }
  }

  /// Wraps the value in an optional.
  ///
  /// - Returns: A future of the same value.
  @inlinable
  public func optional() -> Future<T?> {
    map { $0 }
  }

  /// Replaces nil with a value.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - closure: Returns the replacement, if it is needed.
  /// - Returns: A future of the value or its replacement.
  @inlinable
  public func fill<K: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ closure: @escaping @Sendable () -> K
  ) -> Future<K> where T == K? {
    map(executor) { $0 ?? closure() }
  }

  /// Continues with another future if the value is nil.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - closure: Returns the other future, if it is needed.
  /// - Returns: A future of the value or its replacement.
  @inlinable
  public func flatFill<K: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ closure: @escaping @Sendable () -> Future<K>
  ) -> Future<K> where T == K? {
    flatMap(executor) { $0.map { Future<K>($0) } ?? closure() }
  }

  /// Transforms the value unless it is nil.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Transforms the value, if there is one.
  /// - Returns: A future of the transformed value, or of nil.
  @inlinable
  public func unwrappedMap<K: Sendable, P: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (K) -> P
  ) -> Future<P?> where T == K? {
    map(executor) { $0.map(transform) }
  }
}
