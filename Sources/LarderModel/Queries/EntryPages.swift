package import Harmony

/// The pages of a source, from the one that a query requests to the last.
///
/// Each page starts after the last entry of the previous one, so no entry appears twice, regardless
/// of concurrent writes. Pages with values have fewer entries if these are large, so that about 1
/// MiB is read at a time.
package struct EntryPages: AsyncSequence, Sendable {
  private let source: AnyDataSource<Entry>
  private let query: EntryPageQuery
  private let readsAhead: Bool

  /// Creates a sequence of pages.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - query: The first page. Its limit is the maximum for each page, and its scan receives the
  ///     entries
  ///     of all pages that cannot be read.
  ///   - readsAhead: Whether to read the next page while the current one is processed.
  package init(
    of source: AnyDataSource<Entry>, _ query: EntryPageQuery, readsAhead: Bool = false
  ) {
    self.source = source
    self.query = query
    self.readsAhead = readsAhead
  }

  package func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: source, query: query, readsAhead: readsAhead)
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    private let source: AnyDataSource<Entry>
    private let maximum: Int
    private let readsAhead: Bool
    private var query: EntryPageQuery
    private var limit: PageLimit?
    private var coming: Coming?
    private var isAtEnd = false

    /// A page being read, which is canceled if it is discarded.
    private final class Coming: Sendable {
      let page: Future<[Entry]>
      /// A scan for this page alone, so that a discarded page reports nothing.
      let scan: Scan?

      init(_ source: AnyDataSource<Entry>, _ query: EntryPageQuery) {
        var query = query
        if query.scan != nil { query.scan = Scan() }
        scan = query.scan
        page = source.getAll(query)
      }

      deinit { page.cancel() }
    }

    fileprivate init(source: AnyDataSource<Entry>, query: EntryPageQuery, readsAhead: Bool) {
      self.source = source
      self.readsAhead = readsAhead
      self.query = query
      maximum = query.limit
      if query.detail == .values { limit = PageLimit() }
      self.query.limit = Swift.min(maximum, limit?.count ?? maximum)
    }

    /// Returns the next page, which may be empty, or nil after the last one.
    ///
    /// - Throws: An error from the source.
    package mutating func next() async throws -> [Entry]? {
      guard !isAtEnd else { return nil }
      let read = coming ?? Coming(source, query)
      coming = nil
      let page = try await read.page.getCancelling()
      if let part = read.scan { query.scan?.addUnreadable(from: part) }
      guard page.count >= query.limit, let last = page.last else {
        isAtEnd = true
        return page
      }
      query.after = last.key
      limit?.adapt(to: page)
      query.limit = Swift.min(maximum, limit?.count ?? maximum)
      if readsAhead { coming = Coming(source, query) }
      return page
    }
  }
}
