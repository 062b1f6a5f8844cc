/// The content of a cache entry: a value or a list.
public enum CachedContent<T: Sendable>: Sendable {
  /// A value that `get` returned or `put` stored.
  case value(T)
  /// A list that `getAll` returned or `putAll` stored.
  case list([T])
}

extension CachedContent: Equatable where T: Equatable {}

/// A snapshot of a cache entry.
public struct CachedEntry<T: Sendable>: Sendable {
  /// The key of the query that the entry answers.
  public let key: String

  /// The cached value or list.
  public let content: CachedContent<T>

  /// The time since the entry was read from the backing store or written to it.
  public let age: Duration

  /// The TTL of the entry.
  public let timeToLive: Duration

  /// The number of queries that the entry has answered.
  public let hits: Int

  /// The time since the entry last answered a query, or since it was stored if it never did.
  public let lastUsed: Duration

  /// The cost of the entry, which adds to the cost limit of the cache.
  public let cost: Int

  /// The time at which the entry was read from the backing store or written to it, by the cache's
  /// clock: see ``InspectableCache/time``.
  public let stored: Duration

  /// The time at which the entry expires, by the cache's clock.
  public let expires: Duration

  /// A number that distinguishes the entry from earlier and later ones under its key.
  @usableFromInline let number: Int

  /// The time left until the entry expires; zero or negative if it has expired.
  public var remaining: Duration { timeToLive - age }

  /// Whether the entry never expires: its TTL is longer than times can represent.
  public var isEndless: Bool { timeToLive >= .endless }

  /// Whether the entry has expired, so that the next query reads the backing store.
  public var isExpired: Bool { remaining <= .zero }
}

/// The times at which a cache entry was stored and expires, by the cache's clock.
public struct CachedTimes: Sendable, Hashable {
  /// The time at which the entry was read from the backing store or written to it.
  public var stored: Duration
  /// The time at which the entry expires; nil for never.
  public var expires: Duration?

  /// Creates the times of an entry.
  public init(stored: Duration, expires: Duration?) {
    self.stored = stored
    self.expires = expires
  }
}

extension Duration {
  /// The TTL of an entry that never expires, longer than a cache can represent: 300 years.
  @usableFromInline static var endless: Duration { .seconds(9_467_280_000) }
}

/// The counters of a cache.
public struct CacheStatistics: Sendable, Hashable {
  /// The number of queries that the cache has answered itself.
  public internal(set) var hits = 0

  /// The number of cacheable reads that needed the backing store.
  public internal(set) var misses = 0

  /// The number of entries evicted to make room for others.
  public internal(set) var evictions = 0

  /// Creates the statistics of an unused cache.
  public init() {}
}
