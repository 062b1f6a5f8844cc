extension TimedCacheDataSource: InspectableCache {
  /// What this cache has done so far.
  public var statistics: CacheStatistics {
    withState { state in
      var statistics = CacheStatistics()
      statistics.hits = state.hits
      statistics.misses = state.misses
      statistics.evictions = state.shelf.evictions
      return statistics
    }
  }

  /// All entries, expired ones too, in ascending order of their keys.
  ///
  /// - Returns: The entries as they are now.
  public func inspect() -> [CachedEntry<T>] {
    let now = self.now
    return withState { $0.shelf }.entries(at: now)
  }

  /// The entry with a key, also if it has expired.
  ///
  /// - Parameter key: The key of the query that the entry answers.
  /// - Returns: The entry as it is now; the value if there are a value and a list.
  public func inspect(_ key: String) -> CachedEntry<T>? {
    let now = self.now
    let key = StoredKey(key)
    return withState { $0.shelf.entry(key, at: now) }
  }

  /// The keys of all entries, expired ones too, in ascending order.
  ///
  /// Readers wait no longer than for a thousand keys, however many there are.
  ///
  /// - Returns: The keys; what comes or goes meanwhile is among them or not.
  public func inspectKeys() -> [String] {
    inspectKeys(KeySelection())
  }

  /// The selected keys of the entries, expired ones too.
  ///
  /// Readers wait no longer than for a thousand keys, however many there are. It takes as long as a
  /// look at each, and not as putting them in order does, where few are wanted.
  ///
  /// - Parameter selection: Which, in what order, and how many at most.
  /// - Returns: The keys; what comes or goes meanwhile is among them or not.
  public func inspectKeys(_ selection: KeySelection) -> [String] {
    var picker = KeyPicker(selection)
    var place = 0
    while let found = withState({ [place] in $0.shelf.keys(from: place, atMost: 1_024) }) {
      for key in found.keys { picker.take(key.text) }
      place = found.next
    }
    return picker.takeAll()
  }

  /// How many keys there are, expired ones too, without a look at each; nil where lists of values are
  /// cached that could be under the keys of others.
  public func inspectKeyCount() -> Int? {
    withState { $0.shelf.keyCount }
  }

  /// What tells whether keys came or went.
  ///
  /// Readers wait no longer than for a thousand keys, however many there are.
  ///
  /// - Returns: What is another once there are other keys.
  public func inspectKeyDigest() -> KeyDigest? {
    var digest = KeyDigest()
    var place = 0
    while let found = withState({ [place] in $0.shelf.hashes(from: place, atMost: 1_024) }) {
      digest.take(found.sum)
      place = found.next
    }
    return digest
  }

  /// Reads a value from the inner source, whatever is cached, and keeps nothing of it.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the value in the backing store.
  public func getFromSource(_ query: any Query) -> Future<T> {
    dataSource.get(query)
  }

  /// Reads a list from the inner source, whatever is cached, and keeps nothing of it.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the values in the backing store.
  public func getAllFromSource(_ query: any Query) -> Future<[T]> {
    dataSource.getAll(query)
  }

  /// Forgets what is cached under a key; what a read that is under way answers is not kept.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether there was anything.
  @discardableResult
  public func evict(_ key: String) -> Bool {
    let key = StoredKey(key)
    keeper?.forget(key)
    return withState { state in
      state.dropFlights(key)
      return state.shelf.removeAll(key)
    }
  }

  /// Forgets everything that is cached; what reads that are under way answer is not kept.
  public func evictAll() {
    keeper?.forget(nil)
    withState { $0.invalidateAll() }
  }

  /// Says how long what is cached under a key counts from now on; its value and its age stay.
  ///
  /// It is no use of the entry. The next read of the inner source, or the next write, gives the entry
  /// the time to live again that the cache was made with.
  ///
  /// - Parameters:
  ///   - remaining: The time that is left; zero or less ends it now, nil lets it never end.
  ///   - key: The key.
  /// - Returns: Whether there was anything.
  @discardableResult
  public func setRemaining(_ remaining: Duration?, of key: String) -> Bool {
    let expires = remaining.map { now.advanced(by: CacheTime($0)) }
    return setExpires(expires, remaining, of: key)
  }

  /// Reads a value from the inner source, whatever is cached, and stores it.
  ///
  /// - Parameter query: What to read; if it is not cacheable the answer is not stored.
  /// - Returns: A future of the value. If it fails, what is cached under the key is removed.
  public func refresh(_ query: any KeyQuery) -> Future<T> {
    guard isCacheable(query) else { return dataSource.get(query) }
    return getValue(query, query.key, isForced: true)
  }

  /// Reads a list from the inner source, whatever is cached, and stores it.
  ///
  /// - Parameter query: What to read; if it is not cacheable the answer is not stored.
  /// - Returns: A future of the values. If it fails, what is cached under the key is removed.
  public func refreshAll(_ query: any KeyQuery) -> Future<[T]> {
    guard isCacheable(query), Self.hasListOfItsOwn(query) else {
      return dataSource.getAll(query)
    }
    return getList(query, isForced: true)
  }
}
