import LarderFiles
package import LarderModel
import Harmony

/// A filter of a store with a name, as it is stored between runs.
package struct SavedFilter: PlacedItem, Equatable, Codable {
  /// The path of the store, with symbolic links resolved.
  let path: String
  /// The collection, or `nil` for a store without collections.
  let collection: String?
  /// The name.
  package let name: String
  /// The filter, as typed.
  package let text: String

  package init(place: StoreLocation, name: String, text: String) {
    (path, collection) = (place.path, place.collection)
    (self.name, self.text) = (name, text)
  }

  package var place: StoreLocation { StoreLocation(path: path, collection: collection) }

  package var id: String {
    let parts: [StoredValue] = [
      .text(path), collection.map { .text($0) } ?? .null, .text(name),
    ]
    return Fingerprint(of: .array(parts)).description
  }
}

/// Stores named filters between runs.
package typealias FilterKeeper = PlaceKeeper<SavedFilter>

extension PlaceKeeper where Item == SavedFilter {
  /// Returns a keeper that stores filters in the user's state folder, in files that only the user
  /// can read.
  ///
  /// The folder is created with the first filter.
  package static func inState(environment: [String: String]) -> FilterKeeper {
    FilterKeeper(StateFolder.source("filters", environment: environment))
  }
}

extension EffectSlot {
  static let filters = EffectSlot("filters")
}

/// Reads the saved filters of a store.
package struct FindFilters: BrowserEffect {
  package let store: StoreReference
  package let place: StoreLocation
  package var slot: EffectSlot? { .filters }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let filters = runner.environment.filters?.all(at: place) ?? []
    if !filters.isEmpty { await reply(filters) }
  }

  package func receive(_ filters: [SavedFilter], in state: inout BrowserState) -> Effects {
    state.changeFilters(of: store) { saved in
      // Some may have been saved while these were read.
      saved += filters.filter { filter in !saved.contains { $0.name.hasBytes(of: filter.name) } }
    }
    return []
  }
}

/// Stores or removes a filter; of several writes of the same name, the one with the highest token
/// wins.
package struct SetFilter: BrowserEffect {
  package let filter: SavedFilter
  package let isKept: Bool
  package let token: Int
  package var isWrite: Bool { true }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let result = await runner.result {
      try runner.registry.filters.perform(token, for: filter.id) {
        try runner.environment.filters?.set(filter, isKept: isKept)
      }
    }
    if let error = result.failure {
      await reply.send(.notice("the filter could not be saved: \(error.message)", .error))
    }
  }
}
