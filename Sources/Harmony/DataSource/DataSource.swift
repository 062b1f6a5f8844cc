/// A place that values are read from, written to or removed from.
public protocol DataSource: Sendable {}

/// A source that values are read from.
public protocol GetDataSource<T>: DataSource {
  /// The type of the values.
  associatedtype T: Sendable

  /// Reads the value of a query.
  ///
  /// - Parameter query: The query.
  /// - Returns: A future of the value. It fails with ``CoreError/NotFound`` if there is no value or
  ///   a list instead, and with ``CoreError/QueryNotSupported`` if the source does not support the
  ///   query.
  func get(_ query: any Query) -> Future<T>

  /// Reads the list of a query.
  ///
  /// - Parameter query: The query.
  /// - Returns: A future of the values, which fails like that of ``get(_:)``.
  func getAll(_ query: any Query) -> Future<[T]>
}

/// A source that values are written to.
public protocol PutDataSource<T>: DataSource {
  /// The type of the values.
  associatedtype T: Sendable

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - value: The value; nil if the query contains everything that the source needs.
  ///   - query: The query to write the value under.
  /// - Returns: A future of the stored value, which the source may have completed, for example with
  ///   an identifier.
  @discardableResult
  func put(_ value: T?, in query: any Query) -> Future<T>

  /// Writes a list of values.
  ///
  /// - Parameters:
  ///   - array: The values; may be empty.
  ///   - query: The query to write the values under.
  /// - Returns: A future of the stored values.
  @discardableResult
  func putAll(_ array: [T], in query: any Query) -> Future<[T]>
}

/// A source that values are removed from.
public protocol DeleteDataSource: DataSource {
  /// Removes the values of a query.
  ///
  /// Removing a value that does not exist succeeds.
  ///
  /// - Parameter query: The query; ``AllObjectsQuery`` clears the source.
  /// - Returns: A future that completes when the values are removed.
  @discardableResult
  func delete(_ query: any Query) -> Future<Void>

  /// Removes the values of a query, exactly as ``delete(_:)`` does.
  ///
  /// - Parameter query: The query.
  /// - Returns: A future that completes when the values are removed.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  func deleteAll(_ query: any Query) -> Future<Void>
}

extension DeleteDataSource {
  /// Removes the values of a query, exactly as ``delete(_:)`` does.
  ///
  /// - Parameter query: The query.
  /// - Returns: A future that completes when the values are removed.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @inlinable
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    delete(query)
  }
}
