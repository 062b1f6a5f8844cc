/// A source for reading whose every call fails with ``CoreError/NotImplemented``.
public final class VoidGetDataSource<T: Sendable>: GetDataSource {
  /// Creates the source.
  public init() {}

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }
}

/// A source for writing whose every call fails with ``CoreError/NotImplemented``.
public final class VoidPutDataSource<T: Sendable>: PutDataSource {
  /// Creates the source.
  public init() {}

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }
}

/// A source for removing whose every call fails with ``CoreError/NotImplemented``.
public final class VoidDeleteDataSource: DeleteDataSource {
  /// Creates the source.
  public init() {}

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    Future(CoreError.NotImplemented())
  }
}

/// A source whose every call fails with ``CoreError/NotImplemented``.
///
/// It is a placeholder where a source is required but none exists, as in ``DataSourceAssembler``.
public final class VoidDataSource<T: Sendable>: GetDataSource, PutDataSource, DeleteDataSource {
  /// Creates the source.
  public init() {}

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented`` for every query.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    Future(CoreError.NotImplemented())
  }
}
