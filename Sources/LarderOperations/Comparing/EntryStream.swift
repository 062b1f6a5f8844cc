import Harmony
package import LarderModel

/// A stream of entries from a store or another source, read page by page in constant memory.
package struct EntryStream {
  /// Reads the next page, or returns nil at the end.
  package typealias NextPage = () async throws -> [Entry]?

  private let nextPage: NextPage
  private var page: ArraySlice<Entry> = []
  private var isAtEnd = false

  /// Creates a stream from a closure that reads pages.
  package init(_ nextPage: @escaping NextPage) {
    self.nextPage = nextPage
  }

  /// Creates a stream of the entries in a store whose keys have a prefix.
  package init(_ store: Store, prefix: String, _ detail: EntryPageQuery.Detail) {
    let query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: detail)
    var pages = EntryPages(of: store.source, query).makeAsyncIterator()
    self.init { try await pages.next() }
  }

  /// Creates a stream of entries that are in memory.
  package init(_ entries: [Entry]) {
    self.init { nil }
    page = entries[...]
    isAtEnd = true
  }

  /// Returns the next entry, or nil at the end.
  ///
  /// - Throws: An error from reading a page.
  package mutating func next() async throws -> Entry? {
    while page.isEmpty, !isAtEnd {
      let entries = try await nextPage()
      page = (entries ?? [])[...]
      isAtEnd = entries == nil
    }
    return page.popFirst()
  }
}
