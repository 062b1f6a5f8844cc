/// A source whose values are the keys of another source, so that they can be mapped, cached or
/// retried.
public struct KeysDataSource: GetDataSource {
  private let source: any KeyListingDataSource

  /// Creates a source of the keys of another source.
  ///
  /// - Parameter source: The source whose keys are read.
  public init(_ source: some KeyListingDataSource) {
    self.source = source
  }

  /// Reads the first selected key.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the key. It fails with ``CoreError/NotFound`` if no key is selected,
  ///   and with ``CoreError/QueryNotSupported`` for another query.
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
  /// - Returns: A future of the keys. It fails with ``CoreError/QueryNotSupported`` for another
  ///   query.
  public func getAll(_ query: any Query) -> Future<[String]> {
    source.getKeys(query).naming(.getAll, query)
  }
}

/// A source whose value is the number of keys of another source.
public struct KeyCountDataSource: GetDataSource {
  private let source: any KeyListingDataSource

  /// Creates a source of the number of keys of another source.
  ///
  /// - Parameter source: The source whose keys are counted.
  public init(_ source: some KeyListingDataSource) {
    self.source = source
  }

  /// Counts the selected keys.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the number. It fails with ``CoreError/QueryNotSupported`` for another
  ///   query.
  public func get(_ query: any Query) -> Future<Int> {
    source.countKeys(query).naming(.get, query)
  }

  /// Counts the selected keys.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of a list that contains only the number.
  public func getAll(_ query: any Query) -> Future<[Int]> {
    source.countKeys(query).map { [$0] }.naming(.getAll, query)
  }
}

extension Future {
  /// Returns this future with an error for an unsupported query that names the method called.
  fileprivate func naming(_ method: DataSourceCRUD, _ query: any Query) -> Future<T> {
    guard query.keySelection == nil else { return self }
    return mapError { error in
      error is CoreError.QueryNotSupported ? query.selectsNoKeys(method.description) : error
    }
  }
}
