public import Harmony

/// Some entries whose keys have a prefix, in the order in which the store finds them.
///
/// It is answered by `getAll` of stores that have to look at all keys to find the first ones in key
/// order, so that a list has something to show in the meantime; without entries if that is quick.
public struct SampleQuery: Query {
  /// The prefix of the keys, compared by bytes.
  public var prefix: String
  /// The maximum number of entries.
  public var limit: Int
  /// The level of detail of the entries.
  public var detail: EntryPageQuery.Detail

  /// Creates a query for entries like those of a page.
  public init(_ page: EntryPageQuery) {
    (prefix, limit, detail) = (page.prefix, page.limit, page.detail)
  }
}
