/// Reads the keys of another source as values, so that they can be mapped, cached or retried.
public struct KeysDataSource: GetDataSource {
  private let source: any KeyListingDataSource

  /// Creates a source of the keys of another.
  ///
  /// - Parameter source: The source whose keys are read.
  public init(_ source: some KeyListingDataSource) {
    self.source = source
  }

  /// Reads the first selected key.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if no key is selected, and with
  ///   ``CoreError/QueryNotSupported`` for another query.
  public func get(_ query: any Query) -> Future<String> {
    source.getKeys(query).map { keys in
      guard let first = keys.first else { throw CoreError.NotFound() }
      return first
    }
    .naming(.get, query)
  }

  /// Reads the selected keys.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future that fails with ``CoreError/QueryNotSupported`` for another query.
  public func getAll(_ query: any Query) -> Future<[String]> {
    source.getKeys(query).naming(.getAll, query)
  }
}

/// Reads the number of another source's keys as a value.
public struct KeyCountDataSource: GetDataSource {
  private let source: any KeyListingDataSource

  /// Creates a source of the number of another's keys.
  ///
  /// - Parameter source: The source whose keys are counted.
  public init(_ source: some KeyListingDataSource) {
    self.source = source
  }

  /// Counts the selected keys.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future that fails with ``CoreError/QueryNotSupported`` for another query.
  public func get(_ query: any Query) -> Future<Int> {
    source.countKeys(query).naming(.get, query)
  }

  /// Counts the selected keys.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of a list of one number.
  public func getAll(_ query: any Query) -> Future<[Int]> {
    source.countKeys(query).map { [$0] }.naming(.getAll, query)
  }
}

extension Future {
  /// Lets the error of a query that selects no keys name the method that the caller knows.
  fileprivate func naming(_ method: DataSourceCRUD, _ query: any Query) -> Future<T> {
    guard query.keySelection == nil else { return self }
    return mapError { error in
      error is CoreError.QueryNotSupported ? query.selectsNoKeys(method.description) : error
    }
  }
}
