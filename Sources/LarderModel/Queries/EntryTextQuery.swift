public import Foundation
public import Harmony

/// Entries rendered as text, answered by `get`, for printing lists of millions of entries.
///
/// The answer, decoded as a ``Page``, has as many entries as the source chooses to return at a
/// time, and the position at which to continue. Sources without a faster way than pages of entries
/// answer with `QueryNotSupported`.
public struct EntryTextQuery: Query, Hashable {
  /// The format of each entry.
  public enum Form: Sendable, Hashable {
    /// The notation of the key, followed by a terminator byte.
    case keys(terminator: UInt8)
    /// A line of JSON from which the entry can be restored.
    case lines
    /// A line of JSON with the entry's metadata instead of its value, ending with its fingerprint.
    ///
    /// Each line contains the collection's name, and the remaining TTL relative to `now`.
    case summaries(collection: String?, now: Date)
  }

  /// The entries to include and their maximum number; the level of detail is ignored.
  public var page: EntryPageQuery
  /// Whether the page includes the entry with its `after` key.
  public var includesAfter = false
  /// The notation of the keys.
  public var style: KeyStyle
  /// The format of each entry.
  public var form: Form
  /// The number of bytes of the store to read for an answer, as far as the source can control it.
  package var share: Int

  /// Creates a query for the text of a page.
  public init(
    _ page: EntryPageQuery, style: KeyStyle, form: Form = .keys(terminator: UInt8(ascii: "\n"))
  ) {
    self.page = page
    self.style = style
    self.form = form
    switch form {
    case .keys: share = Self.maximumShare
    case .lines, .summaries:
      self.page.detail = .values
      // The size of the values is not known yet.
      share = Self.maximumShare / 8
    }
  }

  /// Returns the query for the entries after a page, or nil if there are none.
  public func next(_ page: Page) -> EntryTextQuery? {
    guard let place = page.next, self.page.limit > page.count else { return nil }
    var query = self
    query.page.after = place.key
    query.includesAfter = place.isIncluded
    if self.page.limit < .max { query.page.limit -= page.count }
    query.share = share(after: page)
    return query
  }

  private static let maximumShare = 16 << 20
  private static let minimumShare = 1 << 16
  /// The target size of an answer in bytes.
  private static let wanted = 8 << 20

  /// Returns the number of bytes to read for the next answer to approach the target size.
  private func share(after page: Page) -> Int {
    let ratio = Double(Self.wanted) / Double(max(page.size, 1))
    let share = Double(share) * min(max(ratio, 0.125), 2)
    return min(max(Int(share), Self.minimumShare), Self.maximumShare)
  }

  /// A section of a list.
  public struct Page: Sendable, Hashable {
    /// A position at which to continue a list.
    public struct Place: Sendable, Hashable {
      /// The key, which need not exist.
      public var key: EntryKey
      /// Whether the continuation includes the key itself.
      public var isIncluded: Bool

      /// Creates a position in a list.
      public init(_ key: EntryKey, isIncluded: Bool = false) {
        self.key = key
        self.isIncluded = isIncluded
      }
    }

    /// The text of all entries, in consecutive pieces.
    public var texts: [[UInt8]]
    /// The number of entries.
    public var count: Int
    /// The position at which to continue; nil at the end of the list.
    public var next: Place?

    /// Creates a section of a list.
    public init(_ texts: [[UInt8]], count: Int, next: Place?) {
      self.texts = texts
      self.count = count
      self.next = next
    }

    /// The size of the text in bytes.
    public var size: Int { texts.reduce(0) { $0 + $1.count } }

    /// Decodes a page from its carrier entry, or returns nil if the entry is not one.
    public init?(_ entry: Entry) {
      guard case .array(let pieces) = entry.value, let count = entry.size else { return nil }
      let texts = pieces.compactMap { if case .data(let text) = $0 { text } else { nil } }
      self.init(
        texts, count: count,
        next: entry.key == .null ? nil : Place(entry.key, isIncluded: entry.type == .data))
    }

    /// The carrier entry that encodes the page.
    public var entry: Entry {
      // The carrier's type encodes whether the key is included.
      Entry(
        key: next?.key ?? .null, preview: .array(texts.map { .data($0) }),
        type: next?.isIncluded == true ? .data : .null, size: count)
    }
  }
}

extension Store {
  /// Passes pages of encoded entries to a closure, and prefetches the next page meanwhile.
  ///
  /// - Throws: The error of the store; `QueryNotSupported`, before the first page, if it has no
  ///   fast path.
  package func forEachText(
    _ query: EntryTextQuery, _ take: (EntryTextQuery.Page) throws -> Void
  ) async throws {
    var query = query
    var coming = source.get(query)
    while true {
      guard let page = EntryTextQuery.Page(try await coming.getCancelling()) else {
        throw CoreError.DataSerialization()
      }
      let next = query.next(page)
      if let next {
        query = next
        coming = source.get(next)
      }
      try take(page)
      if next == nil { return }
    }
  }
}
