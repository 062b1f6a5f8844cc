package import LarderModel
import Harmony

/// A filter of a store with a name, as it is stored between runs.
package struct SavedFilter: SavedItem, Equatable, Codable {
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

  package static let noun = "filter"
  package static let slot = EffectSlot("filters")

  package static func storage(in environment: EffectRunner.Environment) -> FilterStorage? {
    environment.filters
  }

  package static func add(
    _ filters: [SavedFilter], to store: StoreReference, in state: inout BrowserState
  ) {
    state.changeFilters(of: store) { saved in
      saved += filters.filter { filter in !saved.contains { $0.name.hasBytes(of: filter.name) } }
    }
  }
}

/// Stores named filters between runs.
package typealias FilterStorage = SavedItemStorage<SavedFilter>
