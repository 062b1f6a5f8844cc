public import Harmony

/// A page of a store's keys as a tree: branches of keys that begin alike, and keys that are in none.
///
/// Answered by `getAll`, in the order of keys, by stores with ``StoreCapabilities/prefixes``. A
/// branch stands for all keys with a prefix that ends in the delimiter: an entry whose key is
/// ``EntryKey/branch(_:)``, before everything that is in it, and whose value is the number of these
/// keys where it costs nothing to find. What is in a branch follows it only where it is opened.
public struct PrefixSummaryQuery: Query, Hashable {
  /// What of the tree is wanted: the prefix that all keys have, how many rows, and after which.
  ///
  /// That row may be a branch. Filters are not for trees.
  public var page: EntryPageQuery
  /// What ends a branch.
  public var delimiter: String
  /// The branches whose rows are listed too, as keys.
  public var opened: Set<EntryKey>

  /// Creates a query for a part of a tree.
  public init(_ page: EntryPageQuery, delimiter: String, opened: Set<EntryKey> = []) {
    self.page = page
    self.delimiter = delimiter
    self.opened = opened
  }

  /// Creates a query for the branches and keys of one level.
  ///
  /// - Parameters:
  ///   - prefix: The branch whose level it is; empty for the outermost.
  ///   - delimiter: What ends a branch.
  ///   - after: The row that the page comes after; nil for the first page.
  ///   - limit: The maximum number of rows.
  public init(prefix: String = "", delimiter: String, after: EntryKey? = nil, limit: Int = 200) {
    self.init(EntryPageQuery(prefix: prefix, after: after, limit: limit), delimiter: delimiter)
  }

  /// The row that a key is in: the outermost branch around it that is closed, or its own.
  public func row(of key: EntryKey) -> EntryKey {
    key.branches(by: delimiter, below: page.prefix).lazy.map { EntryKey.branch($0) }
      .first { !opened.contains($0) } ?? key
  }

  /// Whether both ask for the same rows.
  public static func == (left: Self, right: Self) -> Bool {
    left.page == right.page && left.delimiter.hasBytes(of: right.delimiter)
      && left.opened == right.opened
  }

  /// Feeds what the rows are to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(page)
    hasher.combine(Array(delimiter.utf8))
    hasher.combine(opened)
  }
}
