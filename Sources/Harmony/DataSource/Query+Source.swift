extension Query {
  /// The key of a ``KeyQuery``; nil for others.
  @inlinable
  package var entryKey: String? {
    // Comparing types costs nothing, and a cast to a protocol as much as the rest of a call.
    if Self.self == IdQuery<String>.self { return unsafeBitCast(self, to: IdQuery<String>.self).id }
    if Self.self == IdQuery<Int>.self { return unsafeBitCast(self, to: IdQuery<Int>.self).key }
    return (self as? any KeyQuery)?.key
  }

  /// The keys of a ``KeysQuery``; nil for others.
  @inlinable
  package var entryKeys: [String]? {
    namesOneKey ? nil : (self as? any KeysQuery)?.keys
  }

  /// The selection of a ``KeySelectionQuery``; nil for others.
  @inlinable
  package var keySelection: KeySelection? {
    namesOneKey ? nil : (self as? any KeySelectionQuery)?.selection
  }

  /// Whether this is certainly a query for one key, as nearly all are.
  @inlinable
  var namesOneKey: Bool {
    Self.self == IdQuery<String>.self || Self.self == IdQuery<Int>.self
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
    guard let selection = keySelection else { throw selectsNoKeys(method) }
    return selection
  }

  /// The answer to a query that selects no keys, where keys are asked for.
  func selectsNoKeys(_ method: String) -> CoreError.QueryNotSupported {
    CoreError.QueryNotSupported(
      notSupported(method).description
        + "; keys are selected by AllObjectsQuery or another KeySelectionQuery")
  }
}
