extension TimedCacheDataSource {
  /// The current time by this cache's clock, starting from zero when the cache was created.
  public var time: Duration { now.since(.zero) }

  /// Sets when the entries of a key expire.
  ///
  /// Value and age stay the same.
  ///
  /// This does not count as using the entry.
  ///
  /// - Parameters:
  ///   - expires: The time at which they expire, by this cache's clock; nil for never.
  ///   - key: The key.
  /// - Returns: Whether there was an entry.
  @discardableResult
  public func setExpires(_ expires: Duration?, of key: String) -> Bool {
    setExpires(expires.map { CacheTime($0) }, expires.map { $0 - time }, of: key)
  }

  func setExpires(_ expires: CacheTime?, _ remaining: Duration?, of key: String) -> Bool {
    let key = StoredKey(key)
    let isThere = withState { $0.shelf.setExpires(expires, of: key) }
    if isThere { keeper?.setRemaining(remaining, of: key) }
    return isThere
  }

  /// Replaces or removes the cached entry of a key if it is still the expected one.
  ///
  /// The backing store is neither read nor written. This does not count as using the entry. Results
  /// of reads in progress are not cached. As after a write, content that is too large for the cache
  /// is not cached either.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: The entry that must be cached, as ``inspect(_:)`` returned it; nil if none may
  ///     be.
  ///   - content: The new content; nil to remove the entry as ``evict(_:)`` does.
  ///   - times: The times of the new entry; nil as if it were read now.
  /// - Returns: Whether the expected entry was cached.
  @discardableResult
  public func exchange(
    _ key: String, expecting expected: CachedEntry<T>?, for content: CachedContent<T>?,
    times: CachedTimes?
  ) -> Bool {
    var stamp = content.map { self.stamp($0, key) }
    if let times {
      // An entry cannot have been stored in the future.
      let stored = min(times.stored, time)
      stamp?.now = CacheTime(stored)
      stamp?.timeToLive = times.expires.map { $0 - stored } ?? .endless
    }
    let key = StoredKey(key)
    let isDone = withState { [stamp] state in
      guard state.shelf.exchange(key, expecting: expected?.number, for: stamp) else { return false }
      state.dropFlights(key)
      return true
    }
    if isDone { keep(stamp, key) }
    return isDone
  }

  /// Saves the times of the exchanged entry, if the cache persists times.
  private func keep(_ stamp: CacheStamp<T>?, _ key: StoredKey) {
    guard let keeper else { return }
    guard let stamp, stamp.list == nil else { return keeper.forget(key) }
    let age = now.since(stamp.now)
    let isEndless = stamp.timeToLive >= .endless
    keeper.setTimes(age: age, remaining: isEndless ? nil : stamp.timeToLive - age, of: key)
  }
}
