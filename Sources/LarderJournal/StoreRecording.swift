import Foundation
import Harmony
import LarderFiles
public import LarderModel

extension OpenStore {
  /// Returns the same store with its changes recorded in a journal before they are made.
  public func recording(in journal: Journal) -> OpenStore {
    var open = self
    let whole = StoreLocation(path: resolvedPath ?? location.path)
    let original = opening
    let location = location
    open.opening = { collection, key in
      let store = try await original(collection, key)
      // A journal would retain every secret ever stored.
      guard store.capabilities.contains(.writable), !store.hidesValues,
        let undo = store.undoSupport
      else { return store }
      let path = undo.isOfOneProcess ? whole.ofThisProcess.path : whole.path
      // Use the location that the store reports, so that a table has one location whether or not it
      // was named. A store inside a container has the same location as when it is opened directly.
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
  /// Returns the same store with its changes recorded in a journal before they are made.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - place: The location of the store in the journal.
  /// - Returns: The recording store, or this one if it does not support undo.
  package func recording(in journal: Journal, at place: StoreLocation) -> Store {
    guard let undoSupport else { return self }
    let warnings = warnings ?? WarningCollector()
    let writer = JournaledDataSource(
      store: self, journal: journal, location: place, undo: undoSupport, warnings: warnings)
    return recorded(
      by: JournaledHistory(writer: writer),
      AnyDataSource(writer),
      cache: cache.map { JournaledCache(cache: $0, writer: writer) },
      expiries: separateExpiries.map { JournaledExpiries(setter: $0, writer: writer) },
      dryRun: dryRun.map { JournaledDryRun(dryRun: $0, writer: writer) }, warnings: warnings)
  }
}

/// A dry run that also takes into account what the journal cannot record.
struct JournaledDryRun: DryRunService {
  let dryRun: any DryRunService
  let writer: JournaledDataSource

  func entries(after change: StoreChange) async throws -> [Entry] {
    guard case .changes(var query) = change else { return try await dryRun.entries(after: change) }
    query.changes =
      try await writer.items(of: query.changes, query.scan, areKept: false).changes
    return try await dryRun.entries(after: .changes(query))
  }
}
