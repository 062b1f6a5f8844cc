import LarderFiles
package import LarderModel
package import Harmony

/// Something of a store that is stored between runs, such as a bookmark.
package protocol SavedItem: Sendable {
  /// The location of the store, with symbolic links resolved.
  var place: StoreLocation { get }
  /// The id of the item, which is unique among all stores.
  var id: String { get }
  /// The word for an item in a message.
  static var noun: String { get }
  /// The slot of the effect that reads items, whose name is also that of their folder.
  static var slot: EffectSlot { get }

  /// Returns the storage for items, or nil if none are stored.
  static func storage(in environment: EffectRunner.Environment) -> SavedItemStorage<Self>?

  /// Adds the items that were read to the lists of their store; some may have been set since.
  static func add(_ items: [Self], to store: StoreReference, in state: inout BrowserState)
}

/// Stores items of stores between runs.
///
/// Safe to use from any thread and process, because each item is stored separately.
package struct SavedItemStorage<Item: SavedItem>: Sendable {
  private let source: AnyDataSource<Item>

  /// Creates a storage that stores items by their ids in a source, which must answer
  /// ``AllObjectsQuery``.
  package init(_ source: AnyDataSource<Item>) {
    self.source = source
  }

  /// Returns a storage in the user's state folder, in files that only the user can read.
  ///
  /// The folder is created with the first item.
  package static func inState(environment: [String: String]) -> Self where Item: Codable {
    Self(StateFolder.source(Item.slot.name, environment: environment))
  }

  /// Stores or removes an item.
  ///
  /// - Throws: Any error of the source.
  package func set(_ item: Item, isKept: Bool) throws {
    if isKept {
      _ = try source.put(item, forId: item.id).result.get()
    } else {
      _ = try source.delete(item.id).result.get()
    }
  }

  /// Returns the item with an id, or nil if there is none or it cannot be read.
  func item(_ id: String) -> Item? { try? source.get(id).result.get() }

  /// Returns the items of a store, in the order of their ids, without those that cannot be read.
  package func all(at place: StoreLocation) -> [Item] {
    guard let ids = try? source.getKeys(AllObjectsQuery()).result.get() else { return [] }
    return ids.compactMap { try? source.get($0).result.get() }
      .filter { $0.place.isSame(as: place) }
      .sorted { $0.id < $1.id }
  }
}
