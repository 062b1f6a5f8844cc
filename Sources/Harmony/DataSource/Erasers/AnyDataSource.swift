/// Any source that can get, put and delete values of one type.
///
/// Calls are forwarded unchanged, on the caller's thread.
public final class AnyDataSource<T: Sendable>: GetDataSource, PutDataSource, DeleteDataSource {
  let source: any GetDataSource<T> & PutDataSource<T> & DeleteDataSource

  /// Wraps a source, whose type is forgotten.
  ///
  /// - Parameter dataSource: The source to forward to.
  public init<D>(_ dataSource: D)
  where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
    source = dataSource
  }

  /// Forwards to the wrapped source.
  public func get(_ query: any Query) -> Future<T> {
    source.get(query)
  }

  /// Forwards to the wrapped source.
  public func getAll(_ query: any Query) -> Future<[T]> {
    source.getAll(query)
  }

  /// Forwards to the wrapped source.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    source.put(value, in: query)
  }

  /// Forwards to the wrapped source.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    source.putAll(array, in: query)
  }

  /// Forwards to the wrapped source.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    source.delete(query)
  }

  /// Forwards to the wrapped source, whose own meaning of the older method is kept.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    source.deleteAll(query)
  }
}

extension GetDataSource where Self: PutDataSource & DeleteDataSource {
  /// This source as a value whose type says nothing about its making.
  ///
  /// - Returns: A source that forwards to this one, or this one if it is erased already.
  public func asAnyDataSource() -> AnyDataSource<T> {
    self as? AnyDataSource<T> ?? AnyDataSource(self)
  }
}
