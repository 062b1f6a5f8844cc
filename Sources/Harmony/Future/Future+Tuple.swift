extension Future {
  /// Splits a future of a pair.
  ///
  /// - Returns: One future for each value.
  @inlinable
  public func unzip<K: Sendable, L: Sendable>() -> (Future<K>, Future<L>) where T == (K, L) {
    (map { $0.0 }, map { $0.1 })
  }

  /// Splits a future of three values.
  ///
  /// - Returns: One future for each value.
  @inlinable
  public func unzip<K: Sendable, L: Sendable, M: Sendable>() -> (Future<K>, Future<L>, Future<M>)
  where T == (K, L, M) {
    (map { $0.0 }, map { $0.1 }, map { $0.2 })
  }

  /// Splits a future of four values.
  ///
  /// - Returns: One future for each value.
  @inlinable
  public func unzip<K: Sendable, L: Sendable, M: Sendable, N: Sendable>() -> (
    Future<K>, Future<L>, Future<M>, Future<N>
  ) where T == (K, L, M, N) {
    (map { $0.0 }, map { $0.1 }, map { $0.2 }, map { $0.3 })
  }

  /// Combines a pair into one value.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Combines the values.
  /// - Returns: A future of the combined value.
  @inlinable
  public func collapse<K: Sendable, L: Sendable, Z: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (K, L) -> Z
  ) -> Future<Z> where T == (K, L) {
    map(executor) { transform($0.0, $0.1) }
  }

  /// Combines three values into one.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Combines the values.
  /// - Returns: A future of the combined value.
  @inlinable
  public func collapse<K: Sendable, L: Sendable, M: Sendable, Z: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (K, L, M) -> Z
  ) -> Future<Z> where T == (K, L, M) {
    map(executor) { transform($0.0, $0.1, $0.2) }
  }

  /// Combines four values into one.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Combines the values.
  /// - Returns: A future of the combined value.
  @inlinable
  public func collapse<K: Sendable, L: Sendable, M: Sendable, N: Sendable, Z: Sendable>(
    _ executor: any Executor = DirectExecutor(),
    _ transform: @escaping @Sendable (K, L, M, N) -> Z
  ) -> Future<Z> where T == (K, L, M, N) {
    map(executor) { transform($0.0, $0.1, $0.2, $0.3) }
  }
}
