public import Foundation

extension TimedCacheDataSource {
  /// Creates an empty cache that accepts the answers to every ``KeyQuery``.
  ///
  /// - Parameters:
  ///   - dataSource: The backing store.
  ///   - expiryInterval: The TTL of entries in seconds.
  ///   - capacity: The maximum number of values and lists; nil for the largest possible number,
  ///     2,147,483,647.
  ///   - costLimit: The maximum total cost of all entries; nil for no limit.
  ///   - cost: Returns the cost of an entry; by default 1.
  ///   - timeToLive: Returns the TTL in seconds for a key, or nil for `expiryInterval`.
  ///   - clock: The clock that the age of entries is measured with.
  ///   - times: Persists the times of values, so that another process can resume with them: a value
  ///     that is still in the backing store and has not expired stays fresh for the time that was
  ///     left.
  ///   - date: Returns the current date for persisted times.
  @inlinable
  public convenience init(
    _ dataSource: D, expiryInterval: TimeInterval = 300, capacity: Int? = nil,
    costLimit: Int? = nil,
    cost: @escaping @Sendable (CachedContent<T>) -> Int = { _ in 1 },
    timeToLive: @escaping @Sendable (_ key: String) -> TimeInterval? = { _ in nil },
    clock: any CacheClock = MonotonicClock(), times: (any CacheTimesStore)? = nil,
    date: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      dataSource, LRUStorage(capacity: capacity, costLimit: costLimit), expiryInterval, cost,
      timeToLive, condition: nil, clock, times.map { CacheTimesKeeper($0, date) })
  }

  /// Creates an empty cache that accepts the answers to some queries.
  ///
  /// - Parameters:
  ///   - dataSource: The backing store.
  ///   - expiryInterval: The TTL of entries in seconds.
  ///   - capacity: The maximum number of values and lists; nil for the largest possible number,
  ///     2,147,483,647.
  ///   - costLimit: The maximum total cost of all entries; nil for no limit.
  ///   - cost: Returns the cost of an entry; by default 1.
  ///   - timeToLive: Returns the TTL in seconds for a key, or nil for `expiryInterval`.
  ///   - isCacheable: Returns whether the answer to a ``KeyQuery`` may be cached; answers to other
  ///     queries never are. It may be called more than once for a read.
  ///   - clock: The clock that the age of entries is measured with.
  ///   - times: Persists the times of values, so that another process can resume with them: a value
  ///     that is still in the backing store and has not expired stays fresh for the time that was
  ///     left.
  ///   - date: Returns the current date for persisted times.
  @inlinable
  public convenience init(
    _ dataSource: D, expiryInterval: TimeInterval = 300, capacity: Int? = nil,
    costLimit: Int? = nil,
    cost: @escaping @Sendable (CachedContent<T>) -> Int = { _ in 1 },
    timeToLive: @escaping @Sendable (_ key: String) -> TimeInterval? = { _ in nil },
    isCacheable: @escaping @Sendable (any Query) -> Bool,
    clock: any CacheClock = MonotonicClock(), times: (any CacheTimesStore)? = nil,
    date: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      dataSource, LRUStorage(capacity: capacity, costLimit: costLimit), expiryInterval, cost,
      timeToLive, condition: isCacheable, clock, times.map { CacheTimesKeeper($0, date) })
  }
}
