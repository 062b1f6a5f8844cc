/// Answers only values that a validation finds good.
///
/// Reads of others fail with ``CoreError/NotValid``. Writes are not checked.
public final class DataSourceValidator<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  let dataSource: D
  private let validator: any ObjectValidation

  /// Creates a source that checks what another one answers.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - validator: Says which values are good.
  public init(dataSource: D, validator: any ObjectValidation) {
    self.dataSource = dataSource
    self.validator = validator
  }

  /// Reads a value, and fails with ``CoreError/NotValid`` if it is not good.
  public func get(_ query: any Query) -> Future<T> {
    dataSource.get(query).filter { [validator] value in
      guard validator.isObjectValid(value) else { throw CoreError.NotValid() }
    }
  }

  /// Reads a list, and fails with ``CoreError/NotValid`` if it is not good.
  public func getAll(_ query: any Query) -> Future<[T]> {
    dataSource.getAll(query).filter { [validator] values in
      guard validator.isArrayValid(values) else { throw CoreError.NotValid() }
    }
  }

  /// Forwards to the inner source, without a check.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    dataSource.put(value, in: query)
  }

  /// Forwards to the inner source, without a check.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    dataSource.putAll(array, in: query)
  }

  /// Forwards to the inner source.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    dataSource.delete(query)
  }

  /// Forwards to the inner source, whose own meaning of the older method is kept.
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    dataSource.deleteAll(query)
  }
}
