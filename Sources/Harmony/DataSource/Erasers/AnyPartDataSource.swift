/// A type-erased source that values of one type can be read from.
public final class AnyGetDataSource<T: Sendable>: GetDataSource {
  @usableFromInline let source: any GetDataSource<T>

  // Specialized for the type of the source, as in ``AnyDataSource``.
  @usableFromInline let getting: @Sendable (any Query) -> Future<T>
  @usableFromInline let gettingAll: @Sendable (any Query) -> Future<[T]>

  /// Creates a type-erased source.
  ///
  /// - Parameter dataSource: The source to forward to.
  @inlinable
  public init<D: GetDataSource>(_ dataSource: D) where D.T == T {
    source = dataSource
    getting = { dataSource.get($0) }
    gettingAll = { dataSource.getAll($0) }
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
}

/// A type-erased source that values of one type can be written to.
public final class AnyPutDataSource<T: Sendable>: PutDataSource {
  @usableFromInline let putting: @Sendable (T?, any Query) -> Future<T>
  @usableFromInline let puttingAll: @Sendable ([T], any Query) -> Future<[T]>

  /// Creates a type-erased source.
  ///
  /// - Parameter dataSource: The source to forward to.
  @inlinable
  public init<D: PutDataSource>(_ dataSource: D) where D.T == T {
    putting = { dataSource.put($0, in: $1) }
    puttingAll = { dataSource.putAll($0, in: $1) }
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
}

/// A type-erased source that values can be removed from.
///
/// The type parameter is the type of the removed values. It has no other effect, because removing
/// needs no value.
public final class AnyDeleteDataSource<T>: DeleteDataSource {
  @usableFromInline let source: any DeleteDataSource

  /// Creates a type-erased source.
  ///
  /// - Parameter dataSource: The source to forward to.
  @inlinable
  public init<D: DeleteDataSource>(_ dataSource: D) {
    source = dataSource
  }

  /// Forwards to the wrapped source.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    source.delete(query)
  }

  /// Forwards to the wrapped source's deprecated method, which may have its own behavior.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    source.deleteAll(query)
  }
}

extension GetDataSource {
  /// Returns the reading part of this source with its type erased.
  ///
  /// - Returns: A source that forwards to this one, or this one if it is already erased.
  @inlinable
  public func asAnyGetDataSource() -> AnyGetDataSource<T> {
    self as? AnyGetDataSource<T> ?? AnyGetDataSource(self)
  }
}

extension PutDataSource {
  /// Returns the writing part of this source with its type erased.
  ///
  /// - Returns: A source that forwards to this one, or this one if it is already erased.
  @inlinable
  public func asAnyPutDataSource() -> AnyPutDataSource<T> {
    self as? AnyPutDataSource<T> ?? AnyPutDataSource(self)
  }
}

extension DeleteDataSource {
  /// Returns the removing part of this source with its type erased.
  ///
  /// - Returns: A source that forwards to this one, or this one if it is already erased.
  @inlinable
  public func asAnyDeleteDataSource<T>() -> AnyDeleteDataSource<T> {
    self as? AnyDeleteDataSource<T> ?? AnyDeleteDataSource(self)
  }
}
