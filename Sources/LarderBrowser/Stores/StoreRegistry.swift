import LarderModel
import Harmony

/// The stores that are open, with the timed cache over each.
///
/// Safe from any thread; a store stays open until its location is forgotten, or the registry goes.
final class StoreRegistry: Sendable {
  typealias Cache = TimedCacheDataSource<Entry, AnyDataSource<Entry>>

  /// A store and the cache that is laid over it.
  struct Opened: Sendable {
    let store: Store
    let cache: Cache
  }

  /// What is being changed from here.
  let own = OwnChanges()
  /// What can be stopped.
  let works = Works()
  /// The bookmarks that were set or taken away.
  let bookmarks = LatestWins()

  private struct State {
    var locations: [LocationID: OpenStore] = [:]
    var stores: [StoreReference: Opened] = [:]
  }

  private let state = Locked(State())

  func add(_ location: OpenStore, as id: LocationID) {
    state.withLock { $0.locations[id] = location }
  }

  /// Lets go of a location and of its stores, which are closed once nothing is done with them.
  func forget(_ id: LocationID) {
    let closed = state.withLock { state in
      let stores = state.stores.filter { $0.key.location == id }
      state.stores = state.stores.filter { $0.key.location != id }
      return (state.locations.removeValue(forKey: id), stores)
    }
    // Closed outside the lock, as that may take a while.
    withExtendedLifetime(closed) {}
  }

  /// Puts a location that was opened again in the place of the old one, whose stores are let go.
  func replace(_ location: OpenStore, as id: LocationID) {
    forget(id)
    add(location, as: id)
  }

  func add(_ store: Opened, as reference: StoreReference) {
    state.withLock { $0.stores[reference] = store }
  }

  /// The stores of a location that are open.
  func references(of id: LocationID) -> [StoreReference] {
    state.withLock { state in state.stores.keys.filter { $0.location == id } }
  }

  func location(_ id: LocationID) -> OpenStore? {
    state.withLock { $0.locations[id] }
  }

  func store(_ reference: StoreReference) -> Opened? {
    state.withLock { $0.stores[reference] }
  }

  /// The paths without links of the files and folders that are open.
  var openPaths: [String] {
    state.withLock { $0.locations.values.compactMap(\.resolvedPath) }
  }
}
