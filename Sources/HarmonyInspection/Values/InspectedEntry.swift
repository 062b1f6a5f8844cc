/// An entry of a live source.
public struct InspectedEntry: Sendable, Hashable, Codable {
  /// The key.
  public var key: String
  /// The value, or a prefix of it in a list of entries; nil if it was removed in the meantime.
  public var value: InspectedValue?
  /// The number of bytes of the whole value.
  public var size: Int
  /// The state of the entry in the cache; nil if the source is not a cache or the entry is not
  /// cached.
  public var cached: CachedState?

  /// Creates an entry.
  public init(key: String, value: InspectedValue?, size: Int, cached: CachedState? = nil) {
    self.key = key
    self.value = value
    self.size = size
    self.cached = cached
  }

  /// The state of an entry in a timed cache, at the time of the request.
  public struct CachedState: Sendable, Hashable, Codable {
    /// The time since it was fetched or written, in seconds.
    public var age: Double
    /// The TTL in seconds.
    public var timeToLive: Double
    /// The number of queries that it has answered.
    public var hits: Int
    /// The time since it last answered a query or was stored, in seconds.
    public var lastUsed: Double
    /// The cost, which adds to the limit of the cache.
    public var cost: Int
    /// The time at which it was fetched or written, in seconds since 1970 by the program's clock;
    /// nil if the program uses version 1 or 2 of the protocol.
    public var stored: Double?
    /// The expiry in seconds since 1970 by the program's clock, or ``never``; nil if the program
    /// uses version 1 or 2 of the protocol.
    ///
    /// All requests for an unchanged entry return the same value, however long the answers take.
    public var expires: Double?

    /// The expiry of an entry that never expires.
    public static let never = 1e12

    /// Creates a state.
    public init(
      age: Double, timeToLive: Double, hits: Int, lastUsed: Double, cost: Int,
      stored: Double? = nil, expires: Double? = nil
    ) {
      self.age = age
      self.timeToLive = timeToLive
      self.hits = hits
      self.lastUsed = lastUsed
      self.cost = cost
      self.stored = stored
      self.expires = expires
    }
  }
}

/// A source that a process exposes.
public struct InspectedSource: Sendable, Hashable, Codable {
  /// The name that the program gave it.
  public var name: String
  /// The name of its value type in the program.
  public var type: String
  /// Whether clients may write and delete.
  public var isWritable: Bool
  /// Whether it is a timed cache.
  public var isCache: Bool
  /// Whether its keys can be listed.
  public var listsKeys: Bool

  /// Creates a description of a source.
  public init(name: String, type: String, isWritable: Bool, isCache: Bool, listsKeys: Bool) {
    self.name = name
    self.type = type
    self.isWritable = isWritable
    self.isCache = isCache
    self.listsKeys = listsKeys
  }
}

/// The counters of a timed cache in another process.
public struct InspectedStatistics: Sendable, Hashable, Codable {
  /// The number of queries that it has answered itself.
  public var hits: Int
  /// The number of reads that needed the backing store.
  public var misses: Int
  /// The number of entries evicted to make room for others.
  public var evictions: Int

  /// Creates statistics.
  public init(hits: Int, misses: Int, evictions: Int) {
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }
}
