/// A cache whose entries can be inspected.
///
/// Inspecting an entry does not count as using it: neither the statistics nor the order of eviction
/// change.
public protocol InspectableCache<T>: Sendable {
  /// The type of the cached values.
  associatedtype T: Sendable

  /// The counters of the cache.
  var statistics: CacheStatistics { get }

  /// The current time by the cache's clock, which the times of its entries refer to.
  var time: Duration { get }

  /// Returns all entries, including expired ones, in ascending order of their keys.
  ///
  /// - Returns: A snapshot of the entries.
  func inspect() -> [CachedEntry<T>]

  /// Returns the entry with a key, even if it has expired.
  ///
  /// - Parameter key: The key of the query that the entry answers.
  /// - Returns: A snapshot of the entry; the value if there are both a value and a list.
  func inspect(_ key: String) -> CachedEntry<T>?

  /// Returns the keys of all entries, including expired ones, in ascending order.
  ///
  /// - Returns: The keys. Entries added or removed during the call may be missing or included.
  func inspectKeys() -> [String]

  /// Returns the selected keys of the entries, including expired ones.
  ///
  /// - Parameter selection: The range, the order and the maximum number of keys.
  /// - Returns: The keys. Entries added or removed during the call may be missing or included.
  func inspectKeys(_ selection: KeySelection) -> [String]

  /// Returns the number of keys, including expired ones, if the cache knows it without visiting
  /// each entry; otherwise nil.
  func inspectKeyCount() -> Int?

  /// Returns a digest that shows whether keys were added or removed; nil if not supported.
  func inspectKeyDigest() -> KeyDigest?

  /// Reads a value from the backing store, bypassing the cache in both directions.
  ///
  /// - Parameter query: The query to read.
  /// - Returns: A future of the value in the backing store.
  func getFromSource(_ query: any Query) -> Future<T>

  /// Reads a list from the backing store, bypassing the cache in both directions.
  ///
  /// - Parameter query: The query to read.
  /// - Returns: A future of the values in the backing store.
  func getAllFromSource(_ query: any Query) -> Future<[T]>

  /// Replaces or removes the cached entry of a key if it is still the expected one.
  ///
  /// The backing store is neither read nor written.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: The entry that must be cached, as ``inspect(_:)`` returned it; nil if none may
  ///     be.
  ///   - content: The new content; nil to remove the entry as ``evict(_:)`` does.
  ///   - times: The times of the new entry; nil as if it were read now.
  /// - Returns: Whether the expected entry was cached.
  /// - Throws: ``CoreError/NotImplemented`` if the cache does not support this.
  @discardableResult
  func exchange(
    _ key: String, expecting expected: CachedEntry<T>?, for content: CachedContent<T>?,
    times: CachedTimes?
  ) throws -> Bool

  /// Removes the entries of a key from the cache.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether there was an entry.
  @discardableResult
  func evict(_ key: String) -> Bool

  /// Removes all entries from the cache.
  func evictAll()

  /// Sets the time that is left until the entries of a key expire. Value and age stay the same.
  ///
  /// - Parameters:
  ///   - remaining: The time left; zero or less expires the entry now, nil means never.
  ///   - key: The key.
  /// - Returns: Whether there was an entry.
  /// - Throws: ``CoreError/NotImplemented`` if the cache does not support this.
  @discardableResult
  func setRemaining(_ remaining: Duration?, of key: String) throws -> Bool

  /// Sets when the entries of a key expire. Value and age stay the same.
  ///
  /// - Parameters:
  ///   - expires: The time at which they expire, by the cache's clock; nil for never.
  ///   - key: The key.
  /// - Returns: Whether there was an entry.
  /// - Throws: ``CoreError/NotImplemented`` if the cache does not support this.
  @discardableResult
  func setExpires(_ expires: Duration?, of key: String) throws -> Bool

  /// Reads a value from the backing store even if it is cached, and caches it.
  ///
  /// - Parameter query: The query to read.
  /// - Returns: A future of the value. If the read fails, the entries of the key are removed.
  func refresh(_ query: any KeyQuery) -> Future<T>

  /// Reads a list from the backing store even if it is cached, and caches it.
  ///
  /// - Parameter query: The query to read.
  /// - Returns: A future of the values. If the read fails, the entries of the key are removed.
  func refreshAll(_ query: any KeyQuery) -> Future<[T]>
}

extension InspectableCache {
  /// Returns the selected keys, by filtering all keys.
  public func inspectKeys(_ selection: KeySelection) -> [String] {
    selection.keys(of: inspectKeys())
  }

  /// Returns nil: the keys have to be listed to count them.
  public func inspectKeyCount() -> Int? { nil }

  /// Returns nil: the keys have to be listed to detect changes.
  public func inspectKeyDigest() -> KeyDigest? { nil }

  /// Zero: the cache has no clock of its own.
  public var time: Duration { .zero }

  /// Fails with ``CoreError/NotImplemented``.
  public func getAllFromSource(_ query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }

  /// Throws ``CoreError/NotImplemented``.
  @discardableResult
  public func exchange(
    _ key: String, expecting expected: CachedEntry<T>?, for content: CachedContent<T>?,
    times: CachedTimes?
  ) throws -> Bool {
    throw CoreError.NotImplemented.exchange
  }

  /// Throws ``CoreError/NotImplemented``.
  @discardableResult
  public func setRemaining(_ remaining: Duration?, of key: String) throws -> Bool {
    throw CoreError.NotImplemented.setExpiry
  }

  /// Throws ``CoreError/NotImplemented``.
  @discardableResult
  public func setExpires(_ expires: Duration?, of key: String) throws -> Bool {
    throw CoreError.NotImplemented.setExpiry
  }

  /// Fails with ``CoreError/NotImplemented``.
  public func refreshAll(_ query: any KeyQuery) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }
}
