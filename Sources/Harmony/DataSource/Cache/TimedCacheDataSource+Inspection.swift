extension TimedCacheDataSource: InspectableCache {
  /// The counters of this cache.
  public var statistics: CacheStatistics {
    withState { state in
      var statistics = CacheStatistics()
      statistics.hits = state.hits
      statistics.misses = state.misses
      statistics.evictions = state.shelf.evictions
      return statistics
    }
  }

  /// Returns all entries, including expired ones, in ascending order of their keys.
  ///
  /// - Returns: A snapshot of the entries.
  public func inspect() -> [CachedEntry<T>] {
    let now = self.now
    return withState { $0.shelf }.entries(at: now)
  }

  /// Returns the entry with a key, even if it has expired.
  ///
  /// - Parameter key: The key of the query that the entry answers.
  /// - Returns: A snapshot of the entry; the value if there are both a value and a list.
  public func inspect(_ key: String) -> CachedEntry<T>? {
    let now = self.now
    let key = StoredKey(key)
    return withState { $0.shelf.entry(key, at: now) }
  }

  /// Returns the keys of all entries, including expired ones, in ascending order.
  ///
  /// The lock is held for about a thousand keys at a time, so other callers never wait for the
  /// whole list.
  ///
  /// - Returns: The keys. Entries added or removed during the call may be missing or included.
  public func inspectKeys() -> [String] {
    inspectKeys(KeySelection())
  }

  /// Returns the selected keys of the entries, including expired ones.
  ///
  /// The lock is held for about a thousand keys at a time. Selecting a few keys takes time
  /// proportional to the number of entries, without sorting all of them.
  ///
  /// - Parameter selection: The range, the order and the maximum number of keys.
  /// - Returns: The keys. Entries added or removed during the call may be missing or included.
  public func inspectKeys(_ selection: KeySelection) -> [String] {
    var picker = KeyPicker(selection)
    var place = 0
    while let found = withState({ [place] in $0.shelf.keys(from: place, atMost: 1_024) }) {
      for key in found.keys { picker.take(key.text) }
      place = found.next
    }
    return picker.takeAll()
  }

  /// Returns the number of keys, including expired ones, without visiting each entry; nil if lists
  /// are cached, whose keys may also be those of other entries.
  public func inspectKeyCount() -> Int? {
    withState { $0.shelf.keyCount }
  }

  /// Returns a digest that shows whether keys were added or removed.
  ///
  /// The lock is held for about a thousand keys at a time.
  ///
  /// - Returns: A digest that changes when the set of keys does.
  public func inspectKeyDigest() -> KeyDigest? {
    var digest = KeyDigest()
    var place = 0
    while let found = withState({ [place] in $0.shelf.hashes(from: place, atMost: 1_024) }) {
      digest.take(found.sum)
      place = found.next
    }
    return digest
  }

  /// Reads a value from the backing store, bypassing the cache in both directions.
  ///
  /// - Parameter query: The query to read.
  /// - Returns: A future of the value in the backing store.
  public func getFromSource(_ query: any Query) -> Future<T> {
    dataSource.get(query)
  }

  /// Reads a list from the backing store, bypassing the cache in both directions.
  ///
  /// - Parameter query: The query to read.
  /// - Returns: A future of the values in the backing store.
  public func getAllFromSource(_ query: any Query) -> Future<[T]> {
    dataSource.getAll(query)
  }

  /// Removes the entries of a key from the cache; results of reads in progress are not cached.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether there was an entry.
  @discardableResult
  public func evict(_ key: String) -> Bool {
    let key = StoredKey(key)
    keeper?.forget(key)
    return withState { state in
      state.dropFlights(key)
      return state.shelf.removeAll(key)
    }
  }

  /// Removes all entries from the cache; results of reads in progress are not cached.
  public func evictAll() {
    keeper?.forget(nil)
    withState { $0.invalidateAll() }
  }

  /// Sets the time that is left until the entries of a key expire.
  ///
  /// Value and age stay the same.
  ///
  /// This does not count as using the entry. The next read of the backing store, or the next write,
  /// restores the TTL that the cache was created with.
  ///
  /// - Parameters:
  ///   - remaining: The time left; zero or less expires the entry now, nil means never.
  ///   - key: The key.
  /// - Returns: Whether there was an entry.
  @discardableResult
  public func setRemaining(_ remaining: Duration?, of key: String) -> Bool {
    let expires = remaining.map { now.advanced(by: CacheTime($0)) }
    return setExpires(expires, remaining, of: key)
  }

  /// Reads a value from the backing store even if it is cached, and caches it.
  ///
  /// - Parameter query: The query to read; if it is not cacheable, the answer is not cached.
  /// - Returns: A future of the value. If the read fails, the entries of the key are removed.
  public func refresh(_ query: any KeyQuery) -> Future<T> {
    guard isCacheable(query) else { return dataSource.get(query) }
    return getValue(query, query.key, isForced: true)
  }

  /// Reads a list from the backing store even if it is cached, and caches it.
  ///
  /// - Parameter query: The query to read; if it is not cacheable, the answer is not cached.
  /// - Returns: A future of the values. If the read fails, the entries of the key are removed.
  public func refreshAll(_ query: any KeyQuery) -> Future<[T]> {
    guard isCacheable(query), Self.hasListOfItsOwn(query) else {
      return dataSource.getAll(query)
    }
    return getList(query, isForced: true)
  }
}
