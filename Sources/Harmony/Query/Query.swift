/// What to get, put or delete, independent of the source that does it.
///
/// A query holds every parameter of its action. It must not know its data source: the same query
/// can be understood by any of them.
public protocol Query: Sendable {}

/// A query that names one entry of a key-value source.
public protocol KeyQuery: Query {
  /// The key that the entry is stored under.
  var key: String { get }
}
