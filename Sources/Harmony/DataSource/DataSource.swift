/// A place that values are read from, written to or removed from.
public protocol DataSource: Sendable {}

/// A source that values are read from.
public protocol GetDataSource<T>: DataSource {
  /// The type of the values.
  associatedtype T: Sendable

  /// Reads the value that a query names.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the value, which fails with ``CoreError/NotFound`` if there is none
  ///   or a list in its place, and with ``CoreError/QueryNotSupported`` if the source does not
  ///   understand the query.
  func get(_ query: any Query) -> Future<T>

  /// Reads the list of values that a query names.
  ///
  /// - Parameter query: What to read.
  /// - Returns: A future of the values, which fails like that of ``get(_:)``.
  func getAll(_ query: any Query) -> Future<[T]>
}

/// A source that values are written to.
public protocol PutDataSource<T>: DataSource {
  /// The type of the values.
  associatedtype T: Sendable

  /// Writes a value where a query says.
  ///
  /// - Parameters:
  ///   - value: The value, or nil if the query alone says what to do.
  ///   - query: Where to write it.
  /// - Returns: A future of the stored value, which the source may have completed, for example
  ///   with an identifier.
  @discardableResult
  func put(_ value: T?, in query: any Query) -> Future<T>

  /// Writes a list of values where a query says.
  ///
  /// - Parameters:
  ///   - array: The values; it may be empty.
  ///   - query: Where to write them.
  /// - Returns: A future of the stored values.
  @discardableResult
  func putAll(_ array: [T], in query: any Query) -> Future<[T]>
}

/// A source that values are removed from.
public protocol DeleteDataSource: DataSource {
  /// Removes what a query names.
  ///
  /// Removing what is not there succeeds.
  ///
  /// - Parameter query: What to remove; ``AllObjectsQuery`` clears the source.
  /// - Returns: A future of the end of the removal.
  @discardableResult
  func delete(_ query: any Query) -> Future<Void>

  /// Removes what a query names, exactly as ``delete(_:)`` does.
  ///
  /// - Parameter query: What to remove.
  /// - Returns: A future of the end of the removal.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  func deleteAll(_ query: any Query) -> Future<Void>
}

extension DeleteDataSource {
  /// Removes what a query names, exactly as ``delete(_:)`` does.
  ///
  /// - Parameter query: What to remove.
  /// - Returns: A future of the end of the removal.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @inlinable
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    delete(query)
  }
}
