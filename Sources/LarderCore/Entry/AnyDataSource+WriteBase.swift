package import Harmony

extension AnyDataSource<Entry> {
  /// What a write under a key takes the place of, which of a cache is what is underneath; nil where
  /// there is nothing.
  package func writeBase(_ key: EntryKey) async throws -> Entry? {
    do {
      return try await get(WriteBaseQuery(key)).getCancelling()
    } catch is CoreError.NotFound {
      return nil
    } catch is CoreError.QueryNotSupported {
      return try await entry(key)
    }
  }

  /// Reads what writes under some keys take the place of, in order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - hasBases: Whether that may be another than what is shown, so that each is asked for alone.
  ///   - maximumSize: The largest value that is read; nil for any.
  ///   - take: Called with the place of each key and its entry, nil where there is none. What it
  ///     throws ends the reading.
  /// - Throws: What the source throws for the key behind the last that was taken.
  package func forEachWriteBase(
    _ keys: [EntryKey], hasBases: Bool, maximumSize: Int? = nil,
    _ take: (Int, Entry?) throws -> Void
  ) async throws {
    guard hasBases else {
      return try await forEachEntry(keys, maximumSize: maximumSize, take)
    }
    for (place, key) in keys.enumerated() { try take(place, try await writeBase(key)) }
  }
}
