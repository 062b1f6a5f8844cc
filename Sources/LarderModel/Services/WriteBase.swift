/// What a write replaces, which behind a cache is not what the cache shows.
extension Store {
  /// What a write replaces where an entry is shown, or none: behind a cache, the entry of its backing
  /// store.
  package func base(_ key: EntryKey, shown: Entry?) async throws -> Entry? {
    guard let cache else { return shown }
    return try await cache.base(key)
  }

  /// What a write under a key replaces: behind a cache, the entry of its backing store.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - maximumSize: The largest value that is read; nil for any.
  /// - Returns: The entry; nil where there is none.
  /// - Throws: What the store throws.
  package func base(_ key: EntryKey, maximumSize: Int? = nil) async throws -> Entry? {
    guard let cache else { return try await source.entry(key, maximumSize: maximumSize) }
    return try await cache.base(key)
  }

  /// Reads what writes under some keys replace, in order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - maximumSize: The largest value that is read; nil for any.
  ///   - take: Called with the index of each key and its entry, nil where there is none.
  /// - Throws: What the store throws, and what `take` does.
  package func forEachBase(
    _ keys: [EntryKey], maximumSize: Int? = nil, _ take: (Int, Entry?) throws -> Void
  ) async throws {
    guard let cache else {
      return try await source.forEachEntry(keys, maximumSize: maximumSize, take)
    }
    for (index, key) in keys.enumerated() { try take(index, try await cache.base(key)) }
  }
}
