/// The methods of data sources, for messages that have to name one.
public enum DataSourceCRUD: CustomStringConvertible, Hashable, Sendable, CaseIterable {
  /// Reading one value.
  case get
  /// Reading a list of values.
  case getAll
  /// Writing one value.
  case put
  /// Writing a list of values.
  case putAll
  /// Removing what the query names.
  case delete
  /// The older name of removing what the query names.
  case deleteAll

  /// The name of the method as it is written in code.
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
  /// Stops the program with a message about a query that a source does not understand.
  ///
  /// The sources of this library never call it: they answer ``CoreError/QueryNotSupported``. It
  /// is meant for sources whose wrong use is a programming error.
  ///
  /// - Parameters:
  ///   - method: The method that was called.
  ///   - origin: The source that was called.
  /// - Returns: Never.
  public func fatalError<D>(_ method: DataSourceCRUD, _ origin: D) -> Never where D: DataSource {
    Swift.fatalError("Undefined query \(self) for method \(method) on \(type(of: origin))")
  }
}
