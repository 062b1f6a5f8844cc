import Foundation
import Harmony
import LarderCore

extension OpenStore {
  /// The same store, whose changes are recorded before they are made.
  func recording(in journal: Journal) -> OpenStore {
    var open = self
    let isShared = resolvedPath != nil || kind != MemoryKind.kind
    let whole = StoreLocation(path: resolvedPath ?? location.path)
    let path = isShared ? whole.path : whole.ofThisProcess.path
    let original = store
    let location = location
    open.store = { collection in
      let store = try await original(collection)
      // A journal would keep every secret that there ever was.
      guard store.capabilities.contains(.writable), !store.hidesValues else { return store }
      // The name that the store itself found, so that one table is one whether it was named or not.
      // A store inside a container is the one that can be opened by itself.
      let isInside = store.location.path != location.path
      let place = StoreLocation(
        path: isInside ? ResolvedPath.evenIfMissing(store.location.path) : path,
        collection: store.location.collection)
      return store.recording(in: journal, at: place)
    }
    return open
  }
}

extension Store {
  /// The same store, whose changes are recorded before they are made.
  ///
  /// - Parameters:
  ///   - journal: Where they are recorded.
  ///   - place: What the journal calls the store.
  /// - Returns: The store.
  func recording(in journal: Journal, at place: StoreLocation) -> Store {
    let remarks = remarks ?? Remarks()
    return through(
      AnyDataSource(
        JournaledDataSource(
          source, journal, at: place, kind, remarks,
          hasLooseTimes: capabilities.contains(.looseTimes))),
      capabilities: capabilities.union(.undo), remarks: remarks)
  }
}
