extension Query {
  /// The key of a key query, nil for others.
  package var entryKey: String? {
    // By far the most common query, and its cast is several times cheaper than the general one.
    if let query = self as? IdQuery<String> { return query.id }
    return (self as? any KeyQuery)?.key
  }

  /// The answer of a source that does not understand this query.
  ///
  /// It names types and methods only: what a query holds may be private.
  package func notSupported(_ method: DataSourceCRUD) -> CoreError.QueryNotSupported {
    notSupported(method.description)
  }

  /// The answer of a source that does not understand this query.
  package func notSupported(_ method: String) -> CoreError.QueryNotSupported {
    CoreError.QueryNotSupported("Query not supported by \(method): \(type(of: self))")
  }
}
