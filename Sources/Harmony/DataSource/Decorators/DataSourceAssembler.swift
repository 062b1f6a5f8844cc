/// Puts a source together from one to read, one to write and one to remove from.
///
/// Missing parts answer ``CoreError/NotImplemented``.
public final class DataSourceAssembler<
  Get: GetDataSource, Put: PutDataSource, Delete: DeleteDataSource, T: Sendable
>: GetDataSource, PutDataSource, DeleteDataSource where Get.T == T, Put.T == T {
  @usableFromInline let getDataSource: Get
  @usableFromInline let putDataSource: Put
  @usableFromInline let deleteDataSource: Delete

  /// Creates a source of three parts.
  ///
  /// - Parameters:
  ///   - getDataSource: Answers reads.
  ///   - putDataSource: Takes writes.
  ///   - deleteDataSource: Removes.
  @inlinable
  public init(get getDataSource: Get, put putDataSource: Put, delete deleteDataSource: Delete) {
    self.getDataSource = getDataSource
    self.putDataSource = putDataSource
    self.deleteDataSource = deleteDataSource
  }

  /// Forwards to the part that is read from.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    getDataSource.get(query)
  }

  /// Forwards to the part that is read from.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    getDataSource.getAll(query)
  }

  /// Forwards to the part that is written to.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    putDataSource.put(value, in: query)
  }

  /// Forwards to the part that is written to.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    putDataSource.putAll(array, in: query)
  }

  /// Forwards to the part that is removed from.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    deleteDataSource.delete(query)
  }

  /// Forwards to the part that is removed from, whose own meaning of the older method is kept.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    deleteDataSource.deleteAll(query)
  }
}
