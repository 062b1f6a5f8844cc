import LarderFiles
import Foundation
import Harmony
public import LarderModel

extension OpenStore {
  /// The same store, whose changes are recorded before they are made.
  public func recording(in journal: Journal) -> OpenStore {
    var open = self
    let whole = StoreLocation(path: resolvedPath ?? location.path)
    let original = store
    let location = location
    open.store = { collection in
      let store = try await original(collection)
      // A journal would keep every secret that there ever was.
      guard store.capabilities.contains(.writable), !store.hidesValues,
        let undo = store.undoSupport
      else { return store }
      let path = undo.isOfOneProcess ? whole.ofThisProcess.path : whole.path
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
  package func recording(in journal: Journal, at place: StoreLocation) -> Store {
    guard let undoSupport else { return self }
    let remarks = remarks ?? Remarks()
    let writer = JournaledWriter(
      store: self, journal: journal, location: place, undo: undoSupport, remarks: remarks)
    return recorded(
      by: JournaledHistory(writer: writer),
      AnyDataSource(JournaledDataSource(writer)),
      cache: cache.map { JournaledCache(cache: $0, writer: writer) },
      expiries: separateExpiries.map { JournaledExpiries(setter: $0, writer: writer) },
      dryRun: dryRun.map { JournaledDryRun(dryRun: $0, writer: writer) }, remarks: remarks)
  }
}
