/// Returns the failure of an eraser whose source cannot list keys.
private func noKeys<Answer>(_ source: Any) -> Future<Answer> {
  Future(CoreError.QueryNotSupported.keys(of: source))
}

extension AnyDataSource: KeyListingDataSource {
  /// Forwards to the wrapped source.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the keys. It also fails with ``CoreError/QueryNotSupported`` if the
  ///   wrapped source cannot list its keys.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    (source as? any KeyListingDataSource)?.getKeys(query) ?? noKeys(source)
  }

  /// Forwards to the wrapped source.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the number of keys. It also fails with ``CoreError/QueryNotSupported``
  ///   if the wrapped source cannot list its keys.
  public func countKeys(_ query: any Query) -> Future<Int> {
    (source as? any KeyListingDataSource)?.countKeys(query) ?? noKeys(source)
  }
}

extension AnyGetDataSource: KeyListingDataSource {
  /// Forwards to the wrapped source.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the keys. It also fails with ``CoreError/QueryNotSupported`` if the
  ///   wrapped source cannot list its keys.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    (source as? any KeyListingDataSource)?.getKeys(query) ?? noKeys(source)
  }

  /// Forwards to the wrapped source.
  ///
  /// - Parameter query: A ``KeySelectionQuery``.
  /// - Returns: A future of the number of keys. It also fails with ``CoreError/QueryNotSupported``
  ///   if the wrapped source cannot list its keys.
  public func countKeys(_ query: any Query) -> Future<Int> {
    (source as? any KeyListingDataSource)?.countKeys(query) ?? noKeys(source)
  }
}
