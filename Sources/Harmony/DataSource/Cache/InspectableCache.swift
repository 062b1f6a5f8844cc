/// A cache that can be looked into.
///
/// Looking is not a use: it changes neither the statistics nor the order in which entries make
/// room for others.
public protocol InspectableCache<T>: Sendable {
  /// The type of the cached values.
  associatedtype T: Sendable

  /// What the cache has done so far.
  var statistics: CacheStatistics { get }

  /// The time by the clock of the cache, that the times of its entries are of.
  var time: Duration { get }

  /// All entries, expired ones too, in ascending order of their keys.
  ///
  /// - Returns: The entries as they are now.
  func inspect() -> [CachedEntry<T>]

  /// The entry with a key, also if it has expired.
  ///
  /// - Parameter key: The key of the query that the entry answers.
  /// - Returns: The entry as it is now; the value if there are a value and a list.
  func inspect(_ key: String) -> CachedEntry<T>?

  /// The keys of all entries, expired ones too, in ascending order.
  ///
  /// - Returns: The keys; what comes or goes meanwhile is among them or not.
  func inspectKeys() -> [String]

  /// The selected keys of the entries, expired ones too.
  ///
  /// - Parameter selection: Which, in what order, and how many at most.
  /// - Returns: The keys; what comes or goes meanwhile is among them or not.
  func inspectKeys(_ selection: KeySelection) -> [String]

  /// How many keys there are, expired ones too, without a look at each; nil where the cache has to
  /// look.
  func inspectKeyCount() -> Int?

  /// What tells whether keys came or went, without putting them in order; nil where nothing does.
  func inspectKeyDigest() -> KeyDigest?

  /// Reads a value from the inner source, whatever is cached, and keeps nothing of it.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the value in the backing store.
  func getFromSource(_ query: any Query) -> Future<T>

  /// Reads a list from the inner source, whatever is cached, and keeps nothing of it.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the values in the backing store.
  func getAllFromSource(_ query: any Query) -> Future<[T]>

  /// Puts something else, or nothing, in the place of what is cached under a key, if nothing has
  /// come between; the inner source is neither read nor written.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: What has to be cached, as ``inspect(_:)`` has told it; nil if nothing may be.
  ///   - content: What takes its place; nil for nothing, as ``evict(_:)`` leaves it.
  ///   - times: The times that it has; nil as if it were read now.
  /// - Returns: Whether that was cached.
  /// - Throws: ``CoreError/NotImplemented`` where the cache cannot be told.
  @discardableResult
  func exchange(
    _ key: String, expecting expected: CachedEntry<T>?, for content: CachedContent<T>?,
    times: CachedTimes?
  ) throws -> Bool

  /// Forgets what is cached under a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether there was anything.
  @discardableResult
  func evict(_ key: String) -> Bool

  /// Forgets everything that is cached.
  func evictAll()

  /// Says how long what is cached under a key counts from now on; its value and its age stay.
  ///
  /// - Parameters:
  ///   - remaining: The time that is left; zero or less ends it now, nil lets it never end.
  ///   - key: The key.
  /// - Returns: Whether there was anything.
  /// - Throws: ``CoreError/NotImplemented`` where the cache cannot be told.
  @discardableResult
  func setRemaining(_ remaining: Duration?, of key: String) throws -> Bool

  /// Sets when what is cached under a key expires; its value and its age stay.
  ///
  /// - Parameters:
  ///   - expires: When it ends, by the clock of the cache; nil for never.
  ///   - key: The key.
  /// - Returns: Whether there was anything.
  /// - Throws: ``CoreError/NotImplemented`` where the cache cannot be told.
  @discardableResult
  func setExpires(_ expires: Duration?, of key: String) throws -> Bool

  /// Reads a value from the inner source, whatever is cached, and stores it.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the value. If it fails, what is cached under the key is removed.
  func refresh(_ query: any KeyQuery) -> Future<T>

  /// Reads a list from the inner source, whatever is cached, and stores it.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the values. If it fails, what is cached under the key is removed.
  func refreshAll(_ query: any KeyQuery) -> Future<[T]>
}

extension InspectableCache {
  /// The selected keys of the entries, picked out of all.
  public func inspectKeys(_ selection: KeySelection) -> [String] {
    selection.keys(of: inspectKeys())
  }

  /// Nothing: whoever wants to know has to list the keys.
  public func inspectKeyCount() -> Int? { nil }

  /// Nothing: whoever wants to know has to list the keys.
  public func inspectKeyDigest() -> KeyDigest? { nil }

  /// Nothing but zero: the cache tells no times of its own.
  public var time: Duration { .zero }

  /// Refuses: the cache reads lists by itself alone.
  public func getAllFromSource(_ query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }

  /// Refuses: the cache says itself what it keeps.
  @discardableResult
  public func exchange(
    _ key: String, expecting expected: CachedEntry<T>?, for content: CachedContent<T>?,
    times: CachedTimes?
  ) throws -> Bool {
    throw CoreError.NotImplemented("the cache says itself what it keeps")
  }

  /// Refuses: the cache says itself how long it keeps an entry.
  @discardableResult
  public func setRemaining(_ remaining: Duration?, of key: String) throws -> Bool {
    throw CoreError.NotImplemented("the cache says itself how long it keeps an entry")
  }

  /// Refuses: the cache says itself how long it keeps an entry.
  @discardableResult
  public func setExpires(_ expires: Duration?, of key: String) throws -> Bool {
    throw CoreError.NotImplemented("the cache says itself how long it keeps an entry")
  }

  /// Refuses: the cache reads lists again by itself alone.
  public func refreshAll(_ query: any KeyQuery) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }
}
