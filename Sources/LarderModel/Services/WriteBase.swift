/// The entries that writes replace, which behind a cache differ from those that the cache returns.
extension Store {
  /// Returns the entry that a write replaces, given the one that is shown: behind a cache, that of
  /// its backing store.
  package func base(_ key: EntryKey, shown: Entry?) async throws -> Entry? {
    guard let cache else { return shown }
    return try await cache.base(key)
  }

  /// Returns the entry that a write replaces: behind a cache, that of its backing store.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - maximumSize: The maximum size of a value to read; nil for no limit.
  /// - Returns: The entry, or nil if there is none.
  /// - Throws: An error from the store.
  package func base(_ key: EntryKey, maximumSize: Int? = nil) async throws -> Entry? {
    guard let cache else { return try await source.entry(key, maximumSize: maximumSize) }
    return try await cache.base(key)
  }

  /// Reads the entries that writes to the given keys replace, in order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - maximumSize: The maximum size of a value to read; nil for no limit.
  ///   - readsFiles: Whether to read values that are in files beside the store.
  ///   - take: Called with the index of each key and its entry, or nil if there is none.
  /// - Throws: An error from the store or from `take`.
  package func forEachBase(
    _ keys: [EntryKey], maximumSize: Int? = nil, readsFiles: Bool = false,
    _ take: (Int, Entry?) throws -> Void
  ) async throws {
    guard let cache else {
      return try await source.forEachEntry(
        keys, maximumSize: maximumSize, readsFiles: readsFiles, take)
    }
    for (index, key) in keys.enumerated() { try take(index, try await cache.base(key)) }
  }
}
