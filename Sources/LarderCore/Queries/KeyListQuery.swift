public import Harmony

/// Keys as text, answered by `get`: what a list of millions of keys is printed from.
///
/// The answer, read as a ``Page``, holds as many keys as the source finds good to answer at once,
/// and says where to go on. Sources that have no quicker way than pages of entries answer with
/// `QueryNotSupported`.
public struct KeyListQuery: Query, Hashable {
  /// Which keys, and how many in all; the detail is of no meaning.
  public var page: EntryPageQuery
  /// Whether the key that the page begins after belongs to it.
  public var includesAfter = false
  /// How keys are written.
  public var style: KeyStyle
  /// What stands behind each key.
  public var terminator: UInt8

  /// Creates a query for the text of a page.
  public init(_ page: EntryPageQuery, style: KeyStyle, terminator: UInt8 = UInt8(ascii: "\n")) {
    self.page = page
    self.style = style
    self.terminator = terminator
  }

  /// The query for the keys behind a page, nil where there are none.
  public func next(_ page: Page) -> KeyListQuery? {
    guard let place = page.next, self.page.limit > page.count else { return nil }
    var query = self
    query.page.after = place.key
    query.includesAfter = place.isIncluded
    if self.page.limit < .max { query.page.limit -= page.count }
    return query
  }

  /// A part of a list of keys.
  public struct Page: Sendable, Hashable {
    /// Where a list goes on.
    public struct Place: Sendable, Hashable {
      /// A key, which need not exist.
      public var key: EntryKey
      /// Whether the key itself is still to come.
      public var isIncluded: Bool

      /// Names a place in a list.
      public init(_ key: EntryKey, isIncluded: Bool = false) {
        self.key = key
        self.isIncluded = isIncluded
      }
    }

    /// The notation of each key with the terminator behind it.
    public var text: [UInt8]
    /// The number of keys.
    public var count: Int
    /// Where the list goes on, nil at its end.
    public var next: Place?

    /// Creates a part of a list.
    public init(_ text: [UInt8], count: Int, next: Place?) {
      self.text = text
      self.count = count
      self.next = next
    }

    /// The page that an entry carries, nil where it carries none.
    public init?(_ entry: Entry) {
      guard case .data(let text) = entry.value, let count = entry.size else { return nil }
      self.init(
        text, count: count,
        next: entry.key == .null ? nil : Place(entry.key, isIncluded: entry.type == .data))
    }

    /// The entry that carries the page.
    public var entry: Entry {
      // The type of the carrier is free to say whether the key is included.
      Entry(
        key: next?.key ?? .null, preview: .data(text),
        type: next?.isIncluded == true ? .data : .null, size: count)
    }
  }
}
