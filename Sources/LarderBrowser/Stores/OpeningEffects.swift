import LarderModel
import Harmony

extension EffectSlot {
  static let openStore = EffectSlot("open store", isOfTab: true)
}

/// Recognises and opens a location as it was typed, and keeps it open.
package struct OpenLocation: BrowserEffect {
  package let id: LocationID
  package let text: String

  package init(id: LocationID, text: String) {
    self.id = id
    self.text = text
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        let location = try await runner.environment.open(text)
        runner.registry.add(location, as: id)
        return LocationSummary(location)
      })
  }

  package func receive(_ reply: Answer<LocationSummary>, in state: inout BrowserState) -> Effects {
    state.opened(id, reply)
  }
}

/// Lets go of a location that was closed, or turned out to be open under another id.
package struct ForgetLocation: BrowserEffect {
  package let id: LocationID

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.registry.forget(id)
  }
}

/// Opens a collection, or the whole of a location.
package struct OpenCollection: BrowserEffect {
  package let store: StoreReference
  package var slot: EffectSlot? { .openStore }

  package init(store: StoreReference) {
    self.store = store
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.open(store))
  }

  package func receive(_ reply: Answer<StoreSummary>, in state: inout BrowserState) -> Effects {
    state.storeOpened(store, reply)
  }
}

extension EffectRunner {
  /// The maximum number of bytes of values that the cache over a store keeps.
  private static let cacheLimit = 16 << 20

  /// Opens a store of a location that is open.
  func open(_ reference: StoreReference) async -> Answer<StoreSummary> {
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
