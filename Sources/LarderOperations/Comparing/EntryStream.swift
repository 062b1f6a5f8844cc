import Harmony
package import LarderModel

/// The entries of a store, or of something else, one after the other, in memory that does not grow.
package struct EntryStream {
  /// Reads the next entries; nil where there are no more.
  package typealias NextPage = () async throws -> [Entry]?

  private let nextPage: NextPage
  private var page: ArraySlice<Entry> = []
  private var isAtEnd = false

  /// Goes through pages that are read one after the other.
  package init(_ nextPage: @escaping NextPage) {
    self.nextPage = nextPage
  }

  /// Goes through the entries of a store whose keys have a prefix.
  package init(_ store: Store, prefix: String, _ detail: EntryPageQuery.Detail) {
    let query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: detail)
    var pages = EntryPages(of: store.source, query).makeAsyncIterator()
    self.init { try await pages.next() }
  }

  /// Goes through entries that are in memory.
  package init(_ entries: [Entry]) {
    self.init { nil }
    page = entries[...]
    isAtEnd = true
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: What reading a page throws.
  package mutating func next() async throws -> Entry? {
    while page.isEmpty, !isAtEnd {
      let entries = try await nextPage()
      page = (entries ?? [])[...]
      isAtEnd = entries == nil
    }
    return page.popFirst()
  }
}
