/// A description of what to get, put or delete, independent of the source.
///
/// A query contains all parameters of the request. It must not depend on a data source, because any
/// source may support it. A source that does not support a query fails with
/// ``CoreError/QueryNotSupported``.
public protocol Query: Sendable {}

/// A query for one entry of a key-value source.
public protocol KeyQuery: Query {
  /// The key of the entry, the same in every process.
  var key: String { get }
}

/// A query for several entries of a key-value source, in a given order.
///
/// Sources that support several entries match this before ``KeyQuery``. The inherited
/// ``KeyQuery/key`` identifies the group, for sources that can only store it under a single key.
public protocol KeysQuery: KeyQuery {
  /// The keys of the entries in the requested order, including duplicates.
  var keys: [String] { get }
}

/// A query without parameters, for sources that need none.
public struct VoidQuery: Query, Hashable {
  /// Creates the query; all instances are equal.
  @inlinable
  public init() {}
}

/// A query for all entries of a source.
public struct AllObjectsQuery: KeyQuery, Hashable {
  /// The string `allObjects`, under which key-value caches store the whole list.
  @inlinable
  public var key: String { "allObjects" }

  /// Creates the query; all instances are equal.
  @inlinable
  public init() {}
}
