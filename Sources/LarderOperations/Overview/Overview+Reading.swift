package import LarderModel

extension Overview {
  /// Adds all entries of a store whose keys have the prefix, without reading their values.
  ///
  /// Entries that were added before an error or a cancellation remain.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - guess: Returns the delimiter for the keys of the first page; called if ``delimiter`` is
  ///     nil.
  ///   - adjust: Transforms an entry before it is added, for example to set the expiry that a cache
  ///     gives
  ///     it.
  ///   - progress: Called with the overview so far after each page.
  /// - Throws: An error from the store, or `CancellationError`.
  package mutating func read(
    from store: Store, guessing guess: ([EntryKey]) -> String?,
    adjusting adjust: (Entry) -> Entry = { $0 }, progress: (Overview) async -> Void
  ) async throws {
    // A live process cannot answer other requests while it reads a page.
    let limit = store.capabilities.contains(.departs) ? 500 : 4_000
    let query = EntryPageQuery(prefix: prefix, limit: limit, detail: .summary)
    for try await page in EntryPages(of: store.source, query, readsAhead: true) {
      try Task.checkCancellation()
      if delimiter == nil { delimiter = guess(page.map(\.key)) ?? "" }
      for entry in page { add(adjust(entry)) }
      await progress(self)
    }
    isWhole = true
  }
}
