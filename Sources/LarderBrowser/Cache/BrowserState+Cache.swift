import LarderModel

extension BrowserState {
  /// Reads the contents of larder's own cache while it is shown.
  func inspectCache() -> Effects {
    guard cache != nil, let reference = keys?.store.reference else { return [] }
    return [InspectCache(store: reference)]
  }

  /// Toggles reading through larder's own cache.
  mutating func toggleCache() -> Effects {
    if cache == nil {
      cache = CacheModel()
      if isStoreCache {
        say(Messages.ownCache(readThrough: settings.bindings.call("read-through")))
      }
    } else {
      cache = nil
    }
    return readSelected() + inspectCache()
  }

  mutating func cacheInspected(
    _ reference: StoreReference, _ statuses: [CacheStatus], now: Duration
  ) -> Effects {
    guard keys?.store.reference == reference else { return [] }
    cache?.update(statuses, now: now)
    return keepTicking()
  }

  mutating func ticked(now: Duration) -> Effects {
    clock.isTicking = false
    cache?.now = now
    return keepTicking()
  }

  /// Keeps the clock ticking while something on screen depends on it.
  private mutating func keepTicking() -> Effects {
    guard cache?.isCounting == true, !clock.isTicking else { return [] }
    clock.isTicking = true
    return [Tick()]
  }

  /// Refreshes the selected entry in the cache.
  mutating func refreshCached() -> Effects {
    if meansStoreCache { return changeCache(.refresh) }
    guard let model = keys, let key = model.selected?.key else { return [] }
    let ticket = awaitValue(of: key, in: model.store)
    return [RefreshCached(store: model.store.reference, key: key, ticket: ticket)]
  }

  /// Evicts the selected entry from the cache.
  mutating func evictCached() -> Effects {
    if meansStoreCache { return changeCache(.evict) }
    guard let model = keys, let key = model.selected?.key else { return [] }
    guard cache?.statuses[key] != nil else {
      say(Messages.notCached(text(of: key)))
      return []
    }
    say(Messages.evictedFromOwnCache(text(of: key)))
    let ticket = awaitValue(of: key, in: model.store)
    return [EvictCached(store: model.store.reference, key: key, ticket: ticket)]
  }
}
