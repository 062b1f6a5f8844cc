import LarderModel
import Harmony

extension EffectRunner {
  /// The greatest number of bytes of values that the cache over a store keeps.
  private static let cacheLimit = 16 << 20

  /// Recognises and opens a location as it was typed, and keeps it open.
  func open(_ id: LocationID, _ text: String) async -> Result<LocationSummary, StoreError> {
    await result {
      let location = try await environment.open(text)
      registry.add(location, as: id)
      return LocationSummary(location)
    }
  }

  /// Opens a store of a location that is open.
  func open(_ reference: StoreReference) async -> Result<StoreSummary, StoreError> {
    await result {
      if let opened = registry.store(reference) {
        return StoreSummary(opened.store, reference: reference)
      }
      guard let location = registry.location(reference.location) else {
        throw StoreError.cannotOpen("the location is not open")
      }
      let store = try await location.store(reference.collection)
      add(store, as: reference)
      return StoreSummary(store, reference: reference)
    }
  }

  /// Lays a timed cache over a store, and keeps both open.
  func add(_ store: Store, as reference: StoreReference) {
    let cache = StoreRegistry.Cache(
      store.source, expiryInterval: environment.timeToLive.inSeconds,
      costLimit: Self.cacheLimit, cost: { $0.entry?.size ?? 1 },
      // Secrets are not kept.
      isCacheable: { !store.hidesValues && ($0 is EntryQuery || $0 is ReplaceQuery) },
      clock: environment.clock)
    registry.add(.init(store: store, cache: cache), as: reference)
  }

  /// A store that is open.
  func opened(_ reference: StoreReference) throws(StoreError) -> StoreRegistry.Opened {
    guard let opened = registry.store(reference) else {
      throw .cannotOpen("the store is not open")
    }
    return opened
  }
}

extension CachedContent<Entry> {
  /// The entry that is cached; lists are not looked at.
  var entry: Entry? {
    if case .value(let entry) = self { entry } else { nil }
  }
}
