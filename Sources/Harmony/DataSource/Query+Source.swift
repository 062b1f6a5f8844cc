extension Query {
  /// The key of a key query, nil for others.
  @inlinable
  package var entryKey: String? {
    _entryKey
  }

  /// The answer of a source that does not understand this query.
  ///
  /// It names types and methods only: what a query holds may be private.
  @usableFromInline
  package func notSupported(_ method: DataSourceCRUD) -> CoreError.QueryNotSupported {
    notSupported(method.description)
  }

  /// The answer of a source that does not understand this query.
  package func notSupported(_ method: String) -> CoreError.QueryNotSupported {
    CoreError.QueryNotSupported("Query not supported by \(method): \(type(of: self))")
  }

  /// The entries that a query of keys selects.
  ///
  /// - Parameter method: The method that was called, for the error.
  /// - Returns: The selection.
  /// - Throws: ``CoreError/QueryNotSupported`` where the query selects none.
  package func keySelection(for method: String) throws -> KeySelection {
    guard let selection = _keySelection else { throw selectsNoKeys(method) }
    return selection
  }

  /// The answer to a query that selects no keys, where keys are asked for.
  func selectsNoKeys(_ method: String) -> CoreError.QueryNotSupported {
    CoreError.QueryNotSupported(
      notSupported(method).description
        + "; keys are selected by AllObjectsQuery or another KeySelectionQuery")
  }
}
