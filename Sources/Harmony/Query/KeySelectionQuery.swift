/// A query that selects entries of a key-value source by their keys.
///
/// In every keyed source of this package, `getAll` returns the values of the selected entries with
/// lists flattened, `delete` removes the entries, and their keys can be listed and counted; see
/// ``KeyListingDataSource``. Each call selects once: entries added or removed during the call may
/// be included or missing.
public protocol KeySelectionQuery: Query {
  /// The selected entries.
  var selection: KeySelection { get }
}

/// A selection of entries of a key-value source, and their order.
public struct KeySelection: Hashable, Sendable {
  /// The range of the keys.
  public var range: KeyRange

  /// The key to start after, in the direction of the selection; it need not exist.
  public var after: String?

  /// The maximum number of entries; nil for all, and none if it is negative.
  public var limit: Int?

  /// Whether the order is descending.
  public var isDescending: Bool

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - range: The range of the keys.
  ///   - after: The key to start after; nil for the first key.
  ///   - limit: The maximum number of entries; nil for all.
  ///   - isDescending: Whether the order is descending.
  public init(
    _ range: KeyRange = .all, after: String? = nil, limit: Int? = nil, isDescending: Bool = false
  ) {
    self.range = range
    self.after = after
    self.limit = limit
    self.isDescending = isDescending
  }
}

extension AllObjectsQuery: KeySelectionQuery {
  /// All entries, in ascending order of their keys.
  public var selection: KeySelection { KeySelection() }
}

/// A query for the entries whose keys have a prefix.
public struct KeyPrefixQuery: KeySelectionQuery, Hashable {
  /// The prefix of the keys, in which every character counts, including a trailing dot.
  public let prefix: String

  /// The entries with the prefix, in ascending order of their keys.
  public var selection: KeySelection { KeySelection(KeyRange(prefix: prefix)) }

  /// Creates a query for the entries with a prefix.
  ///
  /// - Parameter prefix: The prefix of the keys.
  public init(_ prefix: String) {
    self.prefix = prefix
  }
}

/// A query for the entries whose keys are in a range.
public struct KeyRangeQuery: KeySelectionQuery, Hashable {
  /// The range of the keys.
  public let range: KeyRange

  /// The entries in the range, in ascending order of their keys.
  public var selection: KeySelection { KeySelection(range) }

  /// Creates a query for the entries in a range.
  ///
  /// - Parameter range: The range of the keys.
  public init(_ range: KeyRange) {
    self.range = range
  }

  /// Creates a query for the entries from a lower bound up to but not including an upper bound.
  ///
  /// - Parameters:
  ///   - lowerBound: The lower bound, inclusive; nil for none.
  ///   - upperBound: The upper bound, exclusive; nil for none.
  public init(from lowerBound: String? = nil, upTo upperBound: String? = nil) {
    range = KeyRange(from: lowerBound, upTo: upperBound)
  }
}

/// A query for a page of entries that starts after a key.
///
/// Use it to page through a store of any size, even while it changes: each page starts after the
/// last key of the previous one, so that no entry is skipped or repeated.
///
/// ```swift
/// var page = try await source.getKeys(KeyPageQuery(limit: 100)).get()
/// while let last = page.last {
///   page = try await source.getKeys(KeyPageQuery(after: last, limit: 100)).get()
/// }
/// ```
public struct KeyPageQuery: KeySelectionQuery, Hashable {
  /// The entries of the page.
  public let selection: KeySelection

  /// Creates a query for a page.
  ///
  /// - Parameters:
  ///   - range: The range of the keys of all pages.
  ///   - after: The last key of the previous page; nil for the first page.
  ///   - limit: The maximum number of entries.
  ///   - isDescending: Whether the order is descending.
  public init(
    _ range: KeyRange = .all, after: String? = nil, limit: Int, isDescending: Bool = false
  ) {
    selection = KeySelection(range, after: after, limit: limit, isDescending: isDescending)
  }
}
