public import Foundation
public import Harmony

/// Entries as text, answered by `get`: what a list of millions of entries is printed from.
///
/// The answer, read as a ``Page``, holds as many entries as the source finds good to answer at once,
/// and says where to go on. Sources that have no quicker way than pages of entries answer with
/// `QueryNotSupported`.
public struct EntryTextQuery: Query, Hashable {
  /// What stands in the text of each entry.
  public enum Form: Sendable, Hashable {
    /// The notation of its key, with a byte behind it.
    case keys(terminator: UInt8)
    /// A line of JSON, from which the same entry is read again.
    case lines
    /// A line of JSON that says what is known of it without its value, and ends with its fingerprint.
    ///
    /// The collection is named in each line, and the time that remains is counted from the moment.
    case summaries(collection: String?, now: Date)
  }

  /// Which entries, and how many in all; the detail is of no meaning.
  public var page: EntryPageQuery
  /// Whether the key that the page begins after belongs to it.
  public var includesAfter = false
  /// How keys are written.
  public var style: KeyStyle
  /// What is written of each entry.
  public var form: Form
  /// How many bytes of the store are read for an answer, as far as the source can choose.
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
      // Nobody knows yet how large the values are.
      share = Self.maximumShare / 8
    }
  }

  /// The query for the entries behind a page, nil where there are none.
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
  private static let leastShare = 1 << 16
  /// The size that the text of an answer should have.
  private static let wanted = 8 << 20

  /// The share that makes the next answer about as large as it should be.
  private func share(after page: Page) -> Int {
    let ratio = Double(Self.wanted) / Double(max(page.size, 1))
    let share = Double(share) * min(max(ratio, 0.125), 2)
    return min(max(Int(share), Self.leastShare), Self.maximumShare)
  }

  /// A part of a list.
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

    /// What is written of all entries, in pieces that belong one behind the other.
    public var texts: [[UInt8]]
    /// The number of entries.
    public var count: Int
    /// Where the list goes on, nil at its end.
    public var next: Place?

    /// Creates a part of a list.
    public init(_ texts: [[UInt8]], count: Int, next: Place?) {
      self.texts = texts
      self.count = count
      self.next = next
    }

    /// How many bytes are written.
    public var size: Int { texts.reduce(0) { $0 + $1.count } }

    /// The page that an entry carries, nil where it carries none.
    public init?(_ entry: Entry) {
      guard case .array(let pieces) = entry.value, let count = entry.size else { return nil }
      let texts = pieces.compactMap { if case .data(let text) = $0 { text } else { nil } }
      self.init(
        texts, count: count,
        next: entry.key == .null ? nil : Place(entry.key, isIncluded: entry.type == .data))
    }

    /// The entry that carries the page.
    public var entry: Entry {
      // The type of the carrier is free to say whether the key is included.
      Entry(
        key: next?.key ?? .null, preview: .array(texts.map { .data($0) }),
        type: next?.isIncluded == true ? .data : .null, size: count)
    }
  }
}
