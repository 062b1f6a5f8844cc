/// A query that selects entries of a key-value source by the place of their keys.
///
/// Every keyed source of this package answers `getAll` with the values of the selected entries,
/// lists flattened, removes them by `delete`, and lists and counts their keys; see
/// ``KeyListingDataSource``. What is selected is decided once per call: an entry that comes or
/// goes meanwhile is in the answer or not.
public protocol KeySelectionQuery: Query {
  /// The entries that are meant.
  var selection: KeySelection { get }
}

/// A part of the entries of a key-value source, and the order to take them in.
public struct KeySelection: Hashable, Sendable {
  /// The stretch that the keys lie in.
  public var range: KeyRange

  /// The key that the answer begins behind, in its own direction; it need not exist.
  public var after: String?

  /// How many entries to take at most; nil for all, and none if it is negative.
  public var limit: Int?

  /// Whether the last key comes first.
  public var isDescending: Bool

  /// Selects entries.
  ///
  /// - Parameters:
  ///   - range: The stretch that the keys lie in.
  ///   - after: The key that the answer begins behind; nil for the beginning.
  ///   - limit: How many entries to take at most; nil for all.
  ///   - isDescending: Whether the last key comes first.
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

/// A query for the entries whose keys begin with a text.
public struct KeyPrefixQuery: KeySelectionQuery, Hashable {
  /// The text that the keys begin with; a dot at its end counts like every other character.
  public let prefix: String

  /// The entries of the prefix, in ascending order of their keys.
  public var selection: KeySelection { KeySelection(KeyRange(prefix: prefix)) }

  /// Creates a query for the entries of a prefix.
  ///
  /// - Parameter prefix: The text that the keys begin with.
  public init(_ prefix: String) {
    self.prefix = prefix
  }
}

/// A query for the entries whose keys lie in a range.
public struct KeyRangeQuery: KeySelectionQuery, Hashable {
  /// The stretch that the keys lie in.
  public let range: KeyRange

  /// The entries of the range, in ascending order of their keys.
  public var selection: KeySelection { KeySelection(range) }

  /// Creates a query for the entries of a range.
  ///
  /// - Parameter range: The stretch that the keys lie in.
  public init(_ range: KeyRange) {
    self.range = range
  }

  /// Creates a query for the entries from one key on, up to and without another.
  ///
  /// - Parameters:
  ///   - lowerBound: The first key that is meant; nil for no bound.
  ///   - upperBound: The first key that is no longer meant; nil for no bound.
  public init(from lowerBound: String? = nil, upTo upperBound: String? = nil) {
    range = KeyRange(from: lowerBound, upTo: upperBound)
  }
}

/// A query for the next few entries behind a key.
///
/// The way through a store of any size, and while it changes: each page begins behind the last key
/// of the page before, so that none is skipped or repeated.
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
  ///   - range: The stretch that all pages together cover.
  ///   - after: The last key of the page before; nil for the first page.
  ///   - limit: How many entries to take at most.
  ///   - isDescending: Whether the last key comes first.
  public init(
    _ range: KeyRange = .all, after: String? = nil, limit: Int, isDescending: Bool = false
  ) {
    selection = KeySelection(range, after: after, limit: limit, isDescending: isDescending)
  }
}
