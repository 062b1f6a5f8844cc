package import LarderModel
import Harmony

/// The way in which a table was last shown, as it is stored between runs.
package struct SavedGrid: SavedItem, Equatable, Codable {
  /// The path of the store, with symbolic links resolved.
  let path: String
  /// The collection, or `nil` for a store without collections.
  let collection: String?
  /// The arrangement of the columns.
  package let columns: GridModel.Arrangement
  /// The order of the rows, such as `total down`, or `nil` for the order of keys.
  package let order: String?
  /// Whether the rows are shown as a list.
  package let isList: Bool

  init(place: StoreLocation, _ grid: GridModel, _ order: EntryOrder) {
    (path, collection) = (place.path, place.collection)
    columns = grid.arrangement
    self.order = order == .key ? nil : order.name
    isList = !grid.isShown
  }

  package var place: StoreLocation { StoreLocation(path: path, collection: collection) }

  package var id: String { Self.id(of: place) }

  /// Returns the id of the item for a store, which has only one.
  static func id(of place: StoreLocation) -> String {
    let parts: [StoredValue] = [.text(place.path), place.collection.map { .text($0) } ?? .null]
    return Fingerprint(of: .array(parts)).description
  }

  /// Whether the table is shown in another way than one that was never opened.
  var isChosen: Bool { columns != GridModel.Arrangement() || order != nil || isList }

  package static let noun = "arrangement"
  package static let slot = EffectSlot("grids")

  package static func storage(in environment: EffectRunner.Environment) -> GridStorage? {
    environment.grids
  }

  /// Does nothing, because a table is opened with its arrangement.
  package static func add(
    _ grids: [SavedGrid], to store: StoreReference, in state: inout BrowserState
  ) {}
}

/// Stores the arrangements of tables between runs.
package typealias GridStorage = SavedItemStorage<SavedGrid>

extension EffectRunner {
  /// Returns the way in which a table was shown in an earlier run, or `nil` if that is not known.
  func savedGrid(of store: StoreSummary) -> SavedGrid? {
    guard !store.columns.isEmpty, let location = registry.location(store.reference.location) else {
      return nil
    }
    let place = StoreLocation(
      path: location.resolvedPath ?? location.location.path, collection: store.reference.collection)
    return environment.grids?.item(SavedGrid.id(of: place)).flatMap { grid in
      grid.place.isSame(as: place) ? grid : nil
    }
  }
}

extension BrowserState {
  /// Stores the way in which the table is shown.
  mutating func saveGrid() -> Effects {
    guard let model = keys, let grid = model.grid, itemObstacle(model.store) == nil,
      let place = place(of: model.store.reference)
    else { return [] }
    let item = SavedGrid(place: place, grid, model.order)
    return [SetItem(item: item, isKept: item.isChosen, token: newToken())]
  }

  /// Shows a table that was just opened as in an earlier run.
  ///
  /// - Returns: The effects that read the rows, or `nil` if they are in the order of keys.
  mutating func showSavedGrid() -> Effects? {
    guard let saved = keys?.store.savedGrid else { return nil }
    keys?.grid?.arrangement = saved.columns
    keys?.grid?.isShown = !saved.isList
    guard let order = saved.order.flatMap({ EntryOrder(name: $0) }) else { return nil }
    keys?.order = order
    let effects = reloadKeys()
    // The order in which the rows are listed if the user stops sorting them.
    keys?.orderBefore = .key
    return effects
  }
}
