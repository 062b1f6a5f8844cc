package import Harmony

/// The pages of a source, from the one that a query asks for to the last.
///
/// Each is found from the last entry of the one before, so none is read twice and no entry comes in two,
/// whatever others write meanwhile. Pages with values hold few entries where these are large: about a
/// mebibyte is read at once.
package struct EntryPages: AsyncSequence, Sendable {
  private let source: AnyDataSource<Entry>
  private let query: EntryPageQuery
  private let readsAhead: Bool

  /// Goes through the pages of a query.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - query: The first page. Its limit is the most entries that any page holds, and its scan is told
  ///     of what cannot be read in any.
  ///   - readsAhead: Whether the source reads the next page while one is taken.
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

    /// A page that is being read, and is not wanted any more where nobody takes it.
    private final class Coming: Sendable {
      let page: Future<[Entry]>
      /// Of that page alone: nothing is told of one that nobody takes.
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

    /// The next page, which may hold no entries; nil after the last.
    ///
    /// - Throws: What the source throws.
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
