public import Harmony

/// A page of a store's key tree: branches of keys with a common prefix, and keys without a branch.
///
/// It is answered by `getAll`, in key order, by stores with ``StoreCapabilities/prefixes``. A
/// branch represents all keys with a prefix that ends in the delimiter. It is an entry with the key
/// ``EntryKey/branch(_:)``, which precedes its contents, and its value is the number of keys if
/// that is cheap to determine. The contents of a branch follow only if it is open.
public struct PrefixSummaryQuery: Query, Hashable {
  /// The section of the tree: the common prefix of the keys, the number of rows, and the row before
  /// it.
  ///
  /// That row may be a branch. Filters are not supported.
  public var page: EntryPageQuery
  /// The separator that ends a branch.
  public var delimiter: String
  /// The keys of the branches that are open.
  public var opened: Set<EntryKey>

  /// Creates a query for a section of a tree.
  public init(_ page: EntryPageQuery, delimiter: String, opened: Set<EntryKey> = []) {
    self.page = page
    self.delimiter = delimiter
    self.opened = opened
  }

  /// Creates a query for the branches and keys of one level.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the branch; empty for the top level.
  ///   - delimiter: The separator that ends a branch.
  ///   - after: The row after which the page starts; nil for the first page.
  ///   - limit: The maximum number of rows.
  public init(prefix: String = "", delimiter: String, after: EntryKey? = nil, limit: Int = 200) {
    self.init(EntryPageQuery(prefix: prefix, after: after, limit: limit), delimiter: delimiter)
  }

  /// Returns the row that represents a key: the outermost closed branch around it, or the key
  /// itself.
  public func row(of key: EntryKey) -> EntryKey {
    key.branches(by: delimiter, below: page.prefix).lazy.map { EntryKey.branch($0) }
      .first { !opened.contains($0) } ?? key
  }

  /// Whether both queries request the same rows.
  public static func == (left: Self, right: Self) -> Bool {
    left.page == right.page && left.delimiter.hasBytes(of: right.delimiter)
      && left.opened == right.opened
  }

  /// Feeds the query to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(page)
    hasher.combine(Array(delimiter.utf8))
    hasher.combine(opened)
  }
}
