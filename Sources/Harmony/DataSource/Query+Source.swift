extension Query {
  /// The key of a ``KeyQuery``; nil for other queries.
  @inlinable
  package var entryKey: String? {
    // Comparing types is free, while a cast to a protocol takes as long as the rest of a call.
    if Self.self == IdQuery<String>.self { return unsafeBitCast(self, to: IdQuery<String>.self).id }
    if Self.self == IdQuery<Int>.self { return unsafeBitCast(self, to: IdQuery<Int>.self).key }
    return (self as? any KeyQuery)?.key
  }

  /// The keys of a ``KeysQuery``; nil for other queries.
  @inlinable
  package var entryKeys: [String]? {
    namesOneKey ? nil : (self as? any KeysQuery)?.keys
  }

  /// The selection of a ``KeySelectionQuery``; nil for other queries.
  @inlinable
  package var keySelection: KeySelection? {
    namesOneKey ? nil : (self as? any KeySelectionQuery)?.selection
  }

  /// Whether this is certainly a query for one key, as nearly all queries are.
  @inlinable
  var namesOneKey: Bool {
    Self.self == IdQuery<String>.self || Self.self == IdQuery<Int>.self
  }

  /// Returns the error of a source that does not support this query.
  ///
  /// It contains only types and methods, because the contents of a query may be private.
  @usableFromInline
  package func notSupported(_ method: DataSourceCRUD) -> CoreError.QueryNotSupported {
    notSupported(method.description)
  }

  /// Returns the error of a source that does not support this query.
  package func notSupported(_ method: String) -> CoreError.QueryNotSupported {
    CoreError.QueryNotSupported("Query not supported by \(method): \(type(of: self))")
  }

  /// Returns the keys that this query selects.
  ///
  /// - Parameter method: The method that was called, for the error.
  /// - Returns: The selection.
  /// - Throws: ``CoreError/QueryNotSupported`` if this is not a ``KeySelectionQuery``.
  package func keySelection(for method: String) throws -> KeySelection {
    guard let selection = keySelection else { throw selectsNoKeys(method) }
    return selection
  }

  /// Returns the error for a query that does not select keys, where one is required.
  func selectsNoKeys(_ method: String) -> CoreError.QueryNotSupported {
    CoreError.QueryNotSupported(
      notSupported(method).description
        + "; keys are selected by AllObjectsQuery or another KeySelectionQuery")
  }
}
