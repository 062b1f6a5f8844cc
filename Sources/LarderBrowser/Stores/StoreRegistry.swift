import LarderModel
import Harmony

/// The open stores, with larder's own cache of each.
///
/// Safe to use from any thread. A store stays open until its location is removed or the registry is
/// deallocated.
final class StoreRegistry: Sendable {
  typealias Cache = TimedCacheDataSource<Entry, AnyDataSource<Entry>>

  /// A store with larder's own cache of it.
  struct Opened: Sendable {
    let store: Store
    let cache: Cache
  }

  /// The browser's own changes in progress.
  let own = OwnChanges()
  /// The operations that can be stopped.
  let works = BulkChanges()
  /// The writes of bookmarks and saved filters.
  let items = LatestWins()

  private struct State {
    var locations: [LocationID: OpenStore] = [:]
    var stores: [StoreReference: Opened] = [:]
  }

  private let state = Locked(State())

  func add(_ location: OpenStore, as id: LocationID) {
    state.withLock { $0.locations[id] = location }
  }

  /// Removes a location and its stores, which are closed once nothing uses them.
  func forget(_ id: LocationID) {
    let closed = state.withLock { state in
      let stores = state.stores.filter { $0.key.location == id }
      state.stores = state.stores.filter { $0.key.location != id }
      return (state.locations.removeValue(forKey: id), stores)
    }
    // Close them outside the lock, because that may take a while.
    withExtendedLifetime(closed) {}
  }

  /// Replaces a location that was opened again, and removes its old stores.
  func replace(_ location: OpenStore, as id: LocationID) {
    forget(id)
    add(location, as: id)
  }

  func add(_ store: Opened, as reference: StoreReference) {
    state.withLock { $0.stores[reference] = store }
  }

  /// Returns the open stores of a location.
  func references(of id: LocationID) -> [StoreReference] {
    state.withLock { state in state.stores.keys.filter { $0.location == id } }
  }

  func location(_ id: LocationID) -> OpenStore? {
    state.withLock { $0.locations[id] }
  }

  func store(_ reference: StoreReference) -> Opened? {
    state.withLock { $0.stores[reference] }
  }

  /// The paths of the open files and folders, with symbolic links resolved.
  var openPaths: [String] {
    state.withLock { $0.locations.values.compactMap(\.resolvedPath) }
  }
}
