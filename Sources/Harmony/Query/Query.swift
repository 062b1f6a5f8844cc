/// What to get, put or delete, independent of the source that does it.
///
/// A query holds every parameter of its action. It must not know its data source: the same query
/// can be understood by any of them. A source that does not understand a query answers with
/// ``CoreError/QueryNotSupported``.
public protocol Query: Sendable {}

/// A query that names one entry of a key-value source.
public protocol KeyQuery: Query {
  /// The key that the entry is stored under, the same in every process.
  var key: String { get }
}

/// A query that names several entries of a key-value source, in an order that matters.
///
/// Sources that understand many entries match this before ``KeyQuery``. The inherited
/// ``KeyQuery/key`` names the group, for sources that can only store it under one key.
public protocol KeysQuery: KeyQuery {
  /// The keys of the entries, in the order asked for, duplicates included.
  var keys: [String] { get }
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

  /// Creates the query; all of them are equal.
  @inlinable
  public init() {}
}
