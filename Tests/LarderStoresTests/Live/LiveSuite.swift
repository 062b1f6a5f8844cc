import Harmony
import LarderModel
import LarderJournal
import LarderStores

/// Tests of the sources of live processes.
protocol LiveSuite {}

extension LiveSuite {
  func entries(_ store: Store, _ query: EntryPageQuery) async throws -> [Entry] {
    try await store.source.getAll(query).getCancelling()
  }

  func keys(_ store: Store, _ query: EntryPageQuery) async throws -> [EntryKey] {
    try await entries(store, query).map(\.key)
  }

  func store(
    _ location: String, _ name: String? = nil, isReadOnly: Bool = false, journal: Journal? = nil
  ) async throws -> Store {
    let open = try await Stores.open(
      location, options: OpenOptions(isReadOnly: isReadOnly, busyTimeout: .seconds(600)),
      journal: journal)
    return try await open.store(name ?? open.location.collection)
  }

  /// Returns the error thrown by a closure, as a user would see it.
  func failure(_ body: () async throws -> Void) async -> StoreError? {
    do {
      try await body()
      return nil
    } catch {
      return StoreError(error)
    }
  }
}
