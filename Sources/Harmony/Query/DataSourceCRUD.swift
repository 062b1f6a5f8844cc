/// The methods of data sources, for use in messages.
public enum DataSourceCRUD: CustomStringConvertible, Hashable, Sendable, CaseIterable {
  /// Reads a value.
  case get
  /// Reads a list of values.
  case getAll
  /// Writes a value.
  case put
  /// Writes a list of values.
  case putAll
  /// Removes the values of a query.
  case delete
  /// Removes the values of a query, under a deprecated name.
  case deleteAll

  /// The name of the method in code.
  public var description: String {
    switch self {
    case .get: "get"
    case .getAll: "getAll"
    case .put: "put"
    case .putAll: "putAll"
    case .delete: "delete"
    case .deleteAll: "deleteAll"
    }
  }
}

extension Query {
  /// Stops the program with a message about a query that a source does not support.
  ///
  /// The sources of this library never call it; they fail with ``CoreError/QueryNotSupported``. Use
  /// it in sources for which an unsupported query is a programming error.
  ///
  /// - Parameters:
  ///   - method: The method that was called.
  ///   - origin: The source that was called.
  /// - Returns: Never.
  public func fatalError<D>(_ method: DataSourceCRUD, _ origin: D) -> Never where D: DataSource {
    Swift.fatalError("Undefined query \(self) for method \(method) on \(type(of: origin))")
  }
}
