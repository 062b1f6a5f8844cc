/// A type-erased source that can get, put and delete values of one type.
///
/// Calls are forwarded unchanged, on the caller's thread.
public final class AnyDataSource<T: Sendable>: GetDataSource, PutDataSource, DeleteDataSource {
  @usableFromInline let source: any GetDataSource<T> & PutDataSource<T> & DeleteDataSource

  // Closures are specialized for the type of the source where it is wrapped. Calls through the
  // existential would be unspecialized generic code.
  @usableFromInline let getting: @Sendable (any Query) -> Future<T>
  @usableFromInline let gettingAll: @Sendable (any Query) -> Future<[T]>
  @usableFromInline let putting: @Sendable (T?, any Query) -> Future<T>
  @usableFromInline let puttingAll: @Sendable ([T], any Query) -> Future<[T]>
  @usableFromInline let deleting: @Sendable (any Query) -> Future<Void>

  /// Creates a type-erased source.
  ///
  /// - Parameter dataSource: The source to forward to.
  @inlinable
  public init<D>(_ dataSource: D)
  where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
    source = dataSource
    getting = { dataSource.get($0) }
    gettingAll = { dataSource.getAll($0) }
    putting = { dataSource.put($0, in: $1) }
    puttingAll = { dataSource.putAll($0, in: $1) }
    deleting = { dataSource.delete($0) }
  }

  /// Forwards to the wrapped source.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    getting(query)
  }

  /// Forwards to the wrapped source.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    gettingAll(query)
  }

  /// Forwards to the wrapped source.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    putting(value, query)
  }

  /// Forwards to the wrapped source.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    puttingAll(array, query)
  }

  /// Forwards to the wrapped source.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    deleting(query)
  }

  /// Forwards to the wrapped source's deprecated method, which may have its own behavior.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    source.deleteAll(query)
  }
}

extension GetDataSource where Self: PutDataSource & DeleteDataSource {
  /// Returns this source with its type erased.
  ///
  /// - Returns: A source that forwards to this one, or this one if it is already erased.
  @inlinable
  public func asAnyDataSource() -> AnyDataSource<T> {
    self as? AnyDataSource<T> ?? AnyDataSource(self)
  }
}
