/// A source that validates the values that it reads from another source.
///
/// Reading invalid values fails with ``CoreError/NotValid``. Writes are not checked.
public final class DataSourceValidator<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  @usableFromInline let validator: any ObjectValidation

  /// Creates a source that validates the values of another source.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - validator: Decides which values are valid.
  @inlinable
  public init(dataSource: D, validator: any ObjectValidation) {
    self.dataSource = dataSource
    self.validator = validator
  }

  /// Reads a value; fails with ``CoreError/NotValid`` if it is not valid.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    let answer = dataSource.get(query)
    if let value = answer.settledValue {
      return validator.isObjectValid(value) ? answer : Future(CoreError.NotValid())
    }
    return answer.filter { [validator] value in
      guard validator.isObjectValid(value) else { throw CoreError.NotValid() }
    }
  }

  /// Reads a list; fails with ``CoreError/NotValid`` if it is not valid.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    let answer = dataSource.getAll(query)
    if let values = answer.settledValue {
      return validator.isArrayValid(values) ? answer : Future(CoreError.NotValid())
    }
    return answer.filter { [validator] values in
      guard validator.isArrayValid(values) else { throw CoreError.NotValid() }
    }
  }

  /// Forwards to the inner source without validating.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    dataSource.put(value, in: query)
  }

  /// Forwards to the inner source without validating.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    dataSource.putAll(array, in: query)
  }

  /// Forwards to the inner source.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    dataSource.delete(query)
  }

  /// Forwards to the inner source's deprecated method, which may have its own behavior.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    dataSource.deleteAll(query)
  }
}
