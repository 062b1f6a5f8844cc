import LarderModel

extension BrowserState {
  /// Asks what the cache holds, while it is looked at.
  func inspectCache() -> [BrowserEffect] {
    guard cache != nil, let reference = keys?.store.reference else { return [] }
    return [.inspectCache(reference)]
  }

  /// Shows the store through its timed cache, or without it again.
  mutating func toggleCache() -> [BrowserEffect] {
    if cache == nil {
      cache = CacheModel()
      if isStoreCache {
        let again = bindings.call("cache")
        say("this is larder's own cache, in front of the program's; \(again) again leaves it")
      }
    } else {
      cache = nil
    }
    return readSelected() + inspectCache()
  }

  mutating func cacheInspected(
    _ reference: StoreReference, _ statuses: [CacheStatus], now: Duration
  ) -> [BrowserEffect] {
    guard keys?.store.reference == reference else { return [] }
    cache?.update(statuses, now: now)
    return keepTicking()
  }

  mutating func ticked(now: Duration) -> [BrowserEffect] {
    isTicking = false
    cache?.now = now
    return keepTicking()
  }

  /// Time passes on screen only while something on screen depends on it.
  private mutating func keepTicking() -> [BrowserEffect] {
    guard cache?.isCounting == true, !isTicking else { return [] }
    isTicking = true
    return [.tick]
  }

  /// Reads the selected entry anew into the cache.
  mutating func refreshCached() -> [BrowserEffect] {
    if meansStoreCache { return changeCache(.refresh) }
    guard let model = keys, let key = model.selected?.key else { return [] }
    let token = awaitValue(of: key, in: model.store)
    return [.refreshCached(model.store.reference, key, token: token)]
  }

  /// Takes the selected entry out of the cache.
  mutating func evictCached() -> [BrowserEffect] {
    if meansStoreCache { return changeCache(.evict) }
    guard let model = keys, let key = model.selected?.key else { return [] }
    guard cache?.statuses[key] != nil else {
      say("\(text(of: key)) is not cached")
      return []
    }
    say("\(text(of: key)) is out of the cache; the store still has it")
    let token = awaitValue(of: key, in: model.store)
    return [.evictCached(model.store.reference, key, token: token)]
  }
}
