public import Harmony

/// A call that a ``DataSourceSpy`` has recorded.
public struct DataSourceCall: Sendable, CustomStringConvertible {
  /// The method that was called.
  public let method: DataSourceCRUD

  /// The query of the call.
  public let query: any Query

  /// The key of the query, if it has one.
  public var key: String? { (query as? any KeyQuery)?.key }

  /// The method and the key, or the type of a query without a key.
  public var description: String { "\(method) \(key ?? "\(type(of: query))")" }
}

/// A source that forwards calls to another source and records them.
///
/// Several threads may share a spy.
public final class DataSourceSpy<D, T: Sendable>: GetDataSource, PutDataSource, DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  private let dataSource: D
  private let log = Locked<[DataSourceCall]>([])

  /// The calls so far, in order.
  public var calls: [DataSourceCall] { log.withLock { $0 } }

  /// Creates a spy on a source.
  ///
  /// - Parameter dataSource: The source to forward to.
  public init(_ dataSource: D) {
    self.dataSource = dataSource
  }

  /// Returns the number of calls of a method.
  ///
  /// - Parameter method: The method.
  /// - Returns: The number of calls.
  public func count(_ method: DataSourceCRUD) -> Int {
    calls.count { $0.method == method }
  }

  /// Records the call and forwards it.
  public func get(_ query: any Query) -> Future<T> {
    remember(.get, query)
    return dataSource.get(query)
  }

  /// Records the call and forwards it.
  public func getAll(_ query: any Query) -> Future<[T]> {
    remember(.getAll, query)
    return dataSource.getAll(query)
  }

  /// Records the call and forwards it.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    remember(.put, query)
    return dataSource.put(value, in: query)
  }

  /// Records the call and forwards it.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    remember(.putAll, query)
    return dataSource.putAll(array, in: query)
  }

  /// Records the call and forwards it.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    remember(.delete, query)
    return dataSource.delete(query)
  }

  /// Records the call and forwards it.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    remember(.deleteAll, query)
    return dataSource.deleteAll(query)
  }

  private func remember(_ method: DataSourceCRUD, _ query: any Query) {
    log.withLock { $0.append(DataSourceCall(method: method, query: query)) }
  }
}

extension DataSourceSpy: KeyListingDataSource where D: KeyListingDataSource {
  /// Forwards the call without recording it.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    dataSource.getKeys(query)
  }

  /// Forwards the call without recording it.
  public func countKeys(_ query: any Query) -> Future<Int> {
    dataSource.countKeys(query)
  }
}
