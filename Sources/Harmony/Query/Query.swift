/// What to get, put or delete, independent of the source that does it.
///
/// A query holds every parameter of its action. It must not know its data source: the same query
/// can be understood by any of them. A source that does not understand a query answers with
/// ``CoreError/QueryNotSupported``.
public protocol Query: Sendable {
  /// The key of a ``KeyQuery``; nil for others.
  ///
  /// Not to be implemented elsewhere. It is a requirement because sources ask each query for it, and
  /// a call is many times cheaper than a cast.
  var _entryKey: String? { get }

  /// The keys of a ``KeysQuery``; nil for others. Not to be implemented elsewhere.
  var _entryKeys: [String]? { get }

  /// The selection of a ``KeySelectionQuery``; nil for others. Not to be implemented elsewhere.
  var _keySelection: KeySelection? { get }
}

extension Query {
  /// The key of a ``KeyQuery``, also of one that is such a query under a condition only.
  public var _entryKey: String? { (self as? any KeyQuery)?.key }

  /// The keys of a ``KeysQuery``, also of one that is such a query under a condition only.
  public var _entryKeys: [String]? { (self as? any KeysQuery)?.keys }

  /// The selection of a ``KeySelectionQuery``, also of one that is such under a condition only.
  public var _keySelection: KeySelection? { (self as? any KeySelectionQuery)?.selection }
}

/// A query that names one entry of a key-value source.
public protocol KeyQuery: Query {
  /// The key that the entry is stored under, the same in every process.
  var key: String { get }
}

extension KeyQuery {
  /// The key of this query.
  @inlinable
  public var _entryKey: String? { key }
}

/// A query that names several entries of a key-value source, in an order that matters.
///
/// Sources that understand many entries match this before ``KeyQuery``. The inherited
/// ``KeyQuery/key`` names the group, for sources that can only store it under one key.
public protocol KeysQuery: KeyQuery {
  /// The keys of the entries, in the order asked for, duplicates included.
  var keys: [String] { get }
}

extension KeysQuery {
  /// The keys of this query.
  @inlinable
  public var _entryKeys: [String]? { keys }
}

/// A query without parameters, for sources whose action needs none.
public struct VoidQuery: Query, Hashable {
  /// Creates the query; all of them are equal.
  @inlinable
  public init() {}
}

/// A query for everything that a source holds.
public struct AllObjectsQuery: KeyQuery, Hashable {
  /// The text `allObjects`, which key-value caches store the whole list under.
  @inlinable
  public var key: String { "allObjects" }

  /// Nil: this query names no keys.
  @inlinable
  public var _entryKeys: [String]? { nil }

  /// Creates the query; all of them are equal.
  @inlinable
  public init() {}
}
