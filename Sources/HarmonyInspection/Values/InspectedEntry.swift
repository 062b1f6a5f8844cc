/// An entry of a live source, as somebody sees it who looks.
public struct InspectedEntry: Sendable, Hashable, Codable {
  /// The key.
  public var key: String
  /// The value, or its beginning in a list of entries; nil where it is gone.
  public var value: InspectedValue?
  /// The number of bytes of the whole value.
  public var size: Int
  /// What the cache knows of it; nil where the source is no cache, or does not hold it.
  public var cached: CachedState?

  /// Creates an entry.
  public init(key: String, value: InspectedValue?, size: Int, cached: CachedState? = nil) {
    self.key = key
    self.value = value
    self.size = size
    self.cached = cached
  }

  /// What a timed cache knows of an entry, as of when it was asked.
  public struct CachedState: Sendable, Hashable, Codable {
    /// The seconds since it was fetched or written.
    public var age: Double
    /// How many seconds old it may become.
    public var timeToLive: Double
    /// How often it has answered a query.
    public var hits: Int
    /// The seconds since it last answered one, or was stored.
    public var lastUsed: Double
    /// What it counts for against the limit of the cache.
    public var cost: Int
    /// When it was fetched or written, in seconds since 1970 by the clock of the program; nil where
    /// the program does not tell, as it speaks version 2 of the protocol or 1.
    public var stored: Double?
    /// When it ends, in seconds since 1970 by the clock of the program, ``never`` for an end that
    /// nobody will see; nil where the program does not tell.
    ///
    /// Two looks at one entry say the same, however long the answers take.
    public var expires: Double?

    /// The time of an end that does not come.
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

/// A source that a process shows.
public struct InspectedSource: Sendable, Hashable, Codable {
  /// The name that the program gave it.
  public var name: String
  /// The name of the type of its values in the program.
  public var type: String
  /// Whether those who look may write and delete.
  public var isWritable: Bool
  /// Whether it is a timed cache.
  public var isCache: Bool
  /// Whether its keys can be listed.
  public var listsKeys: Bool

  /// Describes a source.
  public init(name: String, type: String, isWritable: Bool, isCache: Bool, listsKeys: Bool) {
    self.name = name
    self.type = type
    self.isWritable = isWritable
    self.isCache = isCache
    self.listsKeys = listsKeys
  }
}

/// What a timed cache of another process has done so far.
public struct InspectedStatistics: Sendable, Hashable, Codable {
  /// How many queries it has answered itself.
  public var hits: Int
  /// How many reads needed the backing store.
  public var misses: Int
  /// How many entries have made room for others.
  public var evictions: Int

  /// Creates statistics.
  public init(hits: Int, misses: Int, evictions: Int) {
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }
}
