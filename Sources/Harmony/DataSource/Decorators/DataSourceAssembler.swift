/// A source assembled from one to read from, one to write to and one to remove from.
///
/// Calls of missing parts fail with ``CoreError/NotImplemented``.
public final class DataSourceAssembler<
  Get: GetDataSource, Put: PutDataSource, Delete: DeleteDataSource, T: Sendable
>: GetDataSource, PutDataSource, DeleteDataSource where Get.T == T, Put.T == T {
  @usableFromInline let getDataSource: Get
  @usableFromInline let putDataSource: Put
  @usableFromInline let deleteDataSource: Delete

  /// Creates a source from three parts.
  ///
  /// - Parameters:
  ///   - getDataSource: The source to read from.
  ///   - putDataSource: The source to write to.
  ///   - deleteDataSource: The source to remove from.
  @inlinable
  public init(get getDataSource: Get, put putDataSource: Put, delete deleteDataSource: Delete) {
    self.getDataSource = getDataSource
    self.putDataSource = putDataSource
    self.deleteDataSource = deleteDataSource
  }

  /// Forwards to the source for reading.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    getDataSource.get(query)
  }

  /// Forwards to the source for reading.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    getDataSource.getAll(query)
  }

  /// Forwards to the source for writing.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    putDataSource.put(value, in: query)
  }

  /// Forwards to the source for writing.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    putDataSource.putAll(array, in: query)
  }

  /// Forwards to the source for removing.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    deleteDataSource.delete(query)
  }

  /// Forwards to the deprecated method of the source for removing, which may have its own behavior.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    deleteDataSource.deleteAll(query)
  }
}
