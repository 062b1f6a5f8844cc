public import Foundation

extension TimedCacheDataSource {
  /// Creates an empty cache of the answers to every ``KeyQuery``.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - expiryInterval: The time to live of entries in seconds.
  ///   - capacity: How many values and lists to keep at most; nil for as many as there can be,
  ///     2,147,483,647.
  ///   - costLimit: The most that all entries together may cost; nil for any cost.
  ///   - cost: What an entry costs; by default 1.
  ///   - timeToLive: The time to live in seconds for a key, or nil for `expiryInterval`.
  ///   - clock: Tells the age of entries.
  ///   - times: Keeps the times of values for longer than the process lasts, so that another one goes
  ///     on with them: of what the inner source still has, what is not past its time counts for the
  ///     rest of it.
  ///   - date: Tells the time of day for that.
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
      dataSource, CacheShelf(capacity: capacity, costLimit: costLimit), expiryInterval, cost,
      timeToLive, condition: nil, clock, times.map { CacheTimesKeeper($0, date) })
  }

  /// Creates an empty cache of the answers to some queries.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - expiryInterval: The time to live of entries in seconds.
  ///   - capacity: How many values and lists to keep at most; nil for as many as there can be,
  ///     2,147,483,647.
  ///   - costLimit: The most that all entries together may cost; nil for any cost.
  ///   - cost: What an entry costs; by default 1.
  ///   - timeToLive: The time to live in seconds for a key, or nil for `expiryInterval`.
  ///   - isCacheable: Whether answers to a ``KeyQuery`` may be kept; those to others never are. It
  ///     may be asked more than once for one read.
  ///   - clock: Tells the age of entries.
  ///   - times: Keeps the times of values for longer than the process lasts, so that another one goes
  ///     on with them: of what the inner source still has, what is not past its time counts for the
  ///     rest of it.
  ///   - date: Tells the time of day for that.
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
      dataSource, CacheShelf(capacity: capacity, costLimit: costLimit), expiryInterval, cost,
      timeToLive, condition: isCacheable, clock, times.map { CacheTimesKeeper($0, date) })
  }
}
