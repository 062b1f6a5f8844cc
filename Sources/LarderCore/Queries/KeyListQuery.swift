public import Harmony

/// The keys of a page as text, answered by `get`: what a list of millions of keys is printed from.
///
/// The answer is an entry whose value is data, the notation of each key with the terminator behind
/// it, and whose key is the last one of the page. Its size is the number of keys. Sources that have
/// no quicker way than pages of entries answer with `QueryNotSupported`.
public struct KeyListQuery: Query, Hashable {
  /// Which keys; the detail is of no meaning.
  public var page: EntryPageQuery
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

  /// The entry that carries the text.
  public static func answer(_ text: [UInt8], count: Int, last: EntryKey) -> Entry {
    Entry(key: last, preview: .data(text), type: .data, size: count)
  }
}
