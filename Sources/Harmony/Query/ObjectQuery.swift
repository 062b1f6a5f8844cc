/// A query that contains the object to act on.
public struct ObjectQuery<T: Sendable>: Query {
  /// The object to act on.
  public let value: T

  /// Creates a query with an object.
  ///
  /// - Parameter value: The object to act on.
  public init(_ value: T) {
    self.value = value
  }
}

extension ObjectQuery: Equatable where T: Equatable {}

extension ObjectQuery: Hashable where T: Hashable {}

extension ObjectQuery: KeyQuery where T: Hashable {
  /// The object as a string, derived as in ``IdQuery/key``, the same in every process.
  public var key: String { StableKey.text(of: value) }
}

/// A query that contains the objects to act on.
public struct ObjectsQuery<T: Sendable>: Query {
  /// The objects to act on, in the order given.
  public let values: [T]

  /// Creates a query with several objects.
  ///
  /// - Parameter values: The objects to act on.
  public init(_ values: [T]) {
    self.values = values
  }
}

extension ObjectsQuery: Equatable where T: Equatable {}

extension ObjectsQuery: Hashable where T: Hashable {}
