/// What a cache holds under a key: a value, or a list.
public enum CachedContent<T: Sendable>: Sendable {
  /// What `get` answered or `put` stored.
  case value(T)
  /// What `getAll` answered or `putAll` stored.
  case list([T])
}

extension CachedContent: Equatable where T: Equatable {}

/// An entry of a cache as it was when somebody looked.
public struct CachedEntry<T: Sendable>: Sendable {
  /// The key of the query that the entry answers.
  public let key: String

  /// The cached value or list.
  public let content: CachedContent<T>

  /// The time since it was read from the inner source or written to it.
  public let age: Duration

  /// How old it may become.
  public let timeToLive: Duration

  /// How often it has answered a query.
  public let hits: Int

  /// The time since it answered a query, or since it was stored if it never did.
  public let lastUsed: Duration

  /// What it counts for against the cost limit of the cache.
  public let cost: Int

  /// When it was read from the inner source or written to it, by the clock of the cache: see
  /// ``InspectableCache/time``.
  public let stored: Duration

  /// When it ends, by the clock of the cache.
  public let expires: Duration

  /// What tells it from what was or will be cached under its key.
  @usableFromInline let number: Int

  /// The time that is left; zero or negative if there is none.
  public var remaining: Duration { timeToLive - age }

  /// Whether it has no end that anybody will see: its life is longer than times can be counted.
  public var isEndless: Bool { timeToLive >= .endless }

  /// Whether the next query goes to the inner source.
  public var isExpired: Bool { remaining <= .zero }
}

/// Since when an entry of a cache counts and when, by the clock of the cache.
public struct CachedTimes: Sendable, Hashable {
  /// When it was read from the inner source or written to it.
  public var stored: Duration
  /// When it ends; nil for never.
  public var expires: Duration?

  /// Says the times of an entry.
  public init(stored: Duration, expires: Duration?) {
    self.stored = stored
    self.expires = expires
  }
}

extension Duration {
  /// A life without an end, which is longer than a cache can count: 300 years.
  @usableFromInline static var endless: Duration { .seconds(9_467_280_000) }
}

/// What a cache has done so far.
public struct CacheStatistics: Sendable, Hashable {
  /// How many queries the cache has answered itself.
  public internal(set) var hits = 0

  /// How many cacheable reads needed the inner source.
  public internal(set) var misses = 0

  /// How many entries have made room for others.
  public internal(set) var evictions = 0

  /// Creates the statistics of a cache that was never used.
  public init() {}
}
