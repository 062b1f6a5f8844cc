extension TimedCacheDataSource {
  /// The time by the clock of this cache, counted from when it was made.
  public var time: Duration { now.since(.zero) }

  /// Sets when what is cached under a key expires; its value and its age stay.
  ///
  /// It is no use of the entry.
  ///
  /// - Parameters:
  ///   - expires: When it ends, by the clock of this cache; nil for never.
  ///   - key: The key.
  /// - Returns: Whether there was anything.
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

  /// Puts something else, or nothing, in the place of what is cached under a key, if nothing has
  /// come between; the inner source is neither read nor written.
  ///
  /// It is no use of the entry. What a read that is under way answers is not kept. What is too large
  /// for this cache is not kept, either, as after a write.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: What has to be cached, as ``inspect(_:)`` has told it; nil if nothing may be.
  ///   - content: What takes its place; nil for nothing, as ``evict(_:)`` leaves it.
  ///   - times: The times that it has; nil as if it were read now.
  /// - Returns: Whether that was cached.
  @discardableResult
  public func exchange(
    _ key: String, expecting expected: CachedEntry<T>?, for content: CachedContent<T>?,
    times: CachedTimes?
  ) -> Bool {
    var stamp = content.map { self.stamp($0, key) }
    if let times {
      // Nothing was read in the time to come.
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

  /// Keeps the times of what was exchanged, where times are kept.
  private func keep(_ stamp: CacheStamp<T>?, _ key: StoredKey) {
    guard let keeper else { return }
    guard let stamp, stamp.list == nil else { return keeper.forget(key) }
    let age = now.since(stamp.now)
    let isEndless = stamp.timeToLive >= .endless
    keeper.setTimes(age: age, remaining: isEndless ? nil : stamp.timeToLive - age, of: key)
  }
}
