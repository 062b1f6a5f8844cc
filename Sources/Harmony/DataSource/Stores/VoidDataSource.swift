/// A source to read from that answers every call with ``CoreError/NotImplemented``.
public final class VoidGetDataSource<T: Sendable>: GetDataSource {
  /// Creates a source that holds nothing and never will.
  public init() {}

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }
}

/// A source to write to that answers every call with ``CoreError/NotImplemented``.
public final class VoidPutDataSource<T: Sendable>: PutDataSource {
  /// Creates a source that takes nothing.
  public init() {}

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }
}

/// A source to remove from that answers every call with ``CoreError/NotImplemented``.
public final class VoidDeleteDataSource: DeleteDataSource {
  /// Creates a source that removes nothing.
  public init() {}

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    Future(CoreError.NotImplemented())
  }
}

/// A source that answers every call with ``CoreError/NotImplemented``.
///
/// It stands where a source is required and none exists, as in ``DataSourceAssembler``.
public final class VoidDataSource<T: Sendable>: GetDataSource, PutDataSource, DeleteDataSource {
  /// Creates a source that does nothing.
  public init() {}

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    Future(CoreError.NotImplemented())
  }

  /// Fails with ``CoreError/NotImplemented``, whatever the query.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    Future(CoreError.NotImplemented())
  }
}
