extension Future {
  /// Takes a future of a pair apart.
  ///
  /// - Returns: One future for each value.
  @inlinable
  public func unzip<K: Sendable, L: Sendable>() -> (Future<K>, Future<L>) where T == (K, L) {
    (map { $0.0 }, map { $0.1 })
  }

  /// Takes a future of three values apart.
  ///
  /// - Returns: One future for each value.
  @inlinable
  public func unzip<K: Sendable, L: Sendable, M: Sendable>() -> (Future<K>, Future<L>, Future<M>)
  where T == (K, L, M) {
    (map { $0.0 }, map { $0.1 }, map { $0.2 })
  }

  /// Takes a future of four values apart.
  ///
  /// - Returns: One future for each value.
  @inlinable
  public func unzip<K: Sendable, L: Sendable, M: Sendable, N: Sendable>() -> (
    Future<K>, Future<L>, Future<M>, Future<N>
  ) where T == (K, L, M, N) {
    (map { $0.0 }, map { $0.1 }, map { $0.2 }, map { $0.3 })
  }

  /// Computes one value from a pair.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Computes the value.
  /// - Returns: The future of the computed value.
  @inlinable
  public func collapse<K: Sendable, L: Sendable, Z: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (K, L) -> Z
  ) -> Future<Z> where T == (K, L) {
    map(executor) { transform($0.0, $0.1) }
  }

  /// Computes one value from three.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Computes the value.
  /// - Returns: The future of the computed value.
  @inlinable
  public func collapse<K: Sendable, L: Sendable, M: Sendable, Z: Sendable>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (K, L, M) -> Z
  ) -> Future<Z> where T == (K, L, M) {
    map(executor) { transform($0.0, $0.1, $0.2) }
  }

  /// Computes one value from four.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Computes the value.
  /// - Returns: The future of the computed value.
  @inlinable
  public func collapse<K: Sendable, L: Sendable, M: Sendable, N: Sendable, Z: Sendable>(
    _ executor: any Executor = DirectExecutor(),
    _ transform: @escaping @Sendable (K, L, M, N) -> Z
  ) -> Future<Z> where T == (K, L, M, N) {
    map(executor) { transform($0.0, $0.1, $0.2, $0.3) }
  }
}
