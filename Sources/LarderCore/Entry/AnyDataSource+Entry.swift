package import Harmony

extension AnyDataSource<Entry> {
  /// The entry under a key, whole; nil where there is none.
  package func entry(_ key: EntryKey) async throws -> Entry? {
    do {
      return try await get(EntryQuery(key)).getCancelling()
    } catch is CoreError.NotFound {
      return nil
    } catch StoreError.notFound {
      return nil
    }
  }
}
