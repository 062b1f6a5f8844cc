package import LarderModel

extension Overview {
  /// Adds all entries of a store whose keys have the prefix, without reading their values.
  ///
  /// Where it throws, also because its task was cancelled, what was added by then stays.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - guess: What ends a prefix, for the keys of the first page; asked where ``delimiter`` is nil.
  ///   - adjust: What an entry is to count as, such as one with the expiry that a cache gives it.
  ///   - progress: Called with the overview so far, after each page.
  /// - Throws: What the store throws, or `CancellationError`.
  package mutating func read(
    from store: Store, guessing guess: ([EntryKey]) -> String?,
    adjusting adjust: (Entry) -> Entry = { $0 }, progress: (Overview) async -> Void
  ) async throws {
    // A program that is looked into answers nobody else meanwhile.
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
