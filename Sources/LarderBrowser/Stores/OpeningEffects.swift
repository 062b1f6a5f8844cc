package import LarderModel
import Harmony

extension EffectSlot {
  static let openStore = EffectSlot("open store", isOfTab: true)
}

/// Detects the type of a location, as typed, and opens it.
package struct OpenLocation: BrowserEffect {
  package let id: LocationID
  package let text: String
  /// The password that the user has entered, or `nil` for none.
  private let password: String?

  package init(id: LocationID, text: String, password: String? = nil) {
    self.id = id
    self.text = text
    self.password = password
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        let environment = runner.environment
        let location =
          if let password { try await environment.openWithPassword(text, password) } else {
            try await environment.open(text)
          }
        runner.registry.add(location, as: id)
        return LocationSummary(location)
      })
  }

  package func receive(_ reply: Answer<LocationSummary>, in state: inout BrowserState) -> Effects {
    state.opened(id, reply)
  }
}

/// Closes a location that the user closed, or that is already open under another id.
package struct ForgetLocation: BrowserEffect {
  package let id: LocationID

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.registry.forget(id)
  }
}

/// Opens a collection or a whole location.
package struct OpenCollection: BrowserEffect {
  package let store: StoreReference
  /// The chosen key of its rows, or `nil` if it stays as it is.
  package let key: KeyChoice?
  package var slot: EffectSlot? { .openStore }

  package init(store: StoreReference, key: KeyChoice? = nil) {
    self.store = store
    self.key = key
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.open(store, key: key).map { summary in
        var summary = summary
        summary.savedGrid = runner.savedGrid(of: summary)
        return summary
      })
  }

  package func receive(_ reply: Answer<StoreSummary>, in state: inout BrowserState) -> Effects {
    state.storeOpened(store, reply)
  }
}

extension EffectRunner {
  /// The maximum total size of the values in larder's own cache of a store, in bytes.
  private static let cacheLimit = 16 << 20

  /// Opens a store in an open location, with its rows by a key if one is chosen.
  ///
  /// A key that was chosen in an earlier session and is no longer unique is ignored.
  func open(
    _ reference: StoreReference, key: KeyChoice? = nil
  ) async -> Answer<StoreSummary> {
    await result {
      let opened = registry.store(reference)
      if let opened, key == nil || key == opened.store.keyChoice {
        return StoreSummary(opened.store, reference: reference)
      }
      guard let location = registry.location(reference.location) else {
        throw StoreError.cannotOpen(Messages.locationNotOpen)
      }
      let store: Store
      do {
        store = try await location.store(reference.collection, key: key)
      } catch {
        guard opened == nil, key != nil else { throw error }
        store = try await location.store(reference.collection)
      }
      add(store, as: reference)
      return StoreSummary(store, reference: reference)
    }
  }

  /// Registers a store together with larder's own cache of it.
  func add(_ store: Store, as reference: StoreReference) {
    let cache = StoreRegistry.Cache(
      store.source, expiryInterval: environment.timeToLive.inSeconds,
      costLimit: Self.cacheLimit, cost: { $0.entry?.size ?? 1 },
      // Secrets are not cached.
      isCacheable: { !store.hidesValues && ($0 is EntryQuery || $0 is ReplaceQuery) },
      clock: environment.clock)
    registry.add(.init(store: store, cache: cache), as: reference)
  }

  /// Returns an open store.
  func opened(_ reference: StoreReference) throws(StoreError) -> StoreRegistry.Opened {
    guard let opened = registry.store(reference) else {
      throw .cannotOpen(Messages.storeNotOpen)
    }
    return opened
  }
}

extension CachedContent<Entry> {
  /// The cached entry; lists are ignored.
  var entry: Entry? {
    if case .value(let entry) = self { entry } else { nil }
  }
}
