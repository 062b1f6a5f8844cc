extension Future {
  /// Goes on with another future once this one has a value, which is dropped.
  ///
  /// - Parameter future: The future that decides the result.
  /// - Returns: A future that ends as the other one does, or with this future's error.
  @inlinable
  public func chain<K>(_ future: Future<K>) -> Future<K> {
    flatMap { _ in future }
  }

  /// Turns a missing value into an error.
  ///
  /// - Returns: A future of the value, which fails with ``NilValueError`` if it is nil.
  @inlinable
  public func unwrap<K: Sendable>() -> Future<K> where T == K? {
    map { value in
      guard let value else { throw NilValueError() }
      return value
    }
  }

  /// Makes the value optional, to fit where it may be missing.
  ///
  /// - Returns: A future of the same value.
  @inlinable
  public func optional() -> Future<T?> {
    map { $0 }
  }

  /// Puts a value in the place of a missing one.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - closure: Makes the value, if it is needed.
  /// - Returns: A future of a value that is not missing.
  @inlinable
  public func fill<K: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ closure: @escaping @Sendable () -> K
  ) -> Future<K> where T == K? {
    map(executor) { $0 ?? closure() }
  }

  /// Goes on with another future in the place of a missing value.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - closure: Makes the future, if it is needed.
  /// - Returns: A future of a value that is not missing.
  @inlinable
  public func flatFill<K: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ closure: @escaping @Sendable () -> Future<K>
  ) -> Future<K> where T == K? {
    flatMap(executor) { $0.map { Future<K>($0) } ?? closure() }
  }

  /// Computes another value from one that may be missing, and stays missing.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Computes the value, if there is one.
  /// - Returns: A future of the computed value, or of nil.
  @inlinable
  public func unwrappedMap<K: Sendable, P: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (K) -> P
  ) -> Future<P?> where T == K? {
    map(executor) { $0.map(transform) }
  }
}
