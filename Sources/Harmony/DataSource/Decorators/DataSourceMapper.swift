/// A source that maps the values of another source to and from another type.
///
/// If a mapper throws, the future fails with its error; one invalid element fails the whole list.
public final class DataSourceMapper<D, In, Out: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == In {
  /// The type that callers read and write.
  public typealias T = Out

  @usableFromInline let dataSource: D
  @usableFromInline let getting: GetDataSourceMapper<D, In, Out>
  @usableFromInline let putting: PutDataSourceMapper<D, In, Out>

  /// Creates a source that maps in both directions.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - toInMapper: Maps values before they are written.
  ///   - toOutMapper: Maps the values that the inner source returns.
  @inlinable
  public init(dataSource: D, toInMapper: Mapper<Out, In>, toOutMapper: Mapper<In, Out>) {
    self.dataSource = dataSource
    getting = GetDataSourceMapper(dataSource: dataSource, toOutMapper: toOutMapper)
    putting = PutDataSourceMapper(
      dataSource: dataSource, toInMapper: toInMapper, toOutMapper: toOutMapper)
  }

  /// Reads and maps a value.
  @inlinable
  public func get(_ query: any Query) -> Future<Out> {
    getting.get(query)
  }

  /// Reads and maps a list.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[Out]> {
    getting.getAll(query)
  }

  /// Maps and writes a value; nil is passed on as nil.
  @inlinable
  @discardableResult
  public func put(_ value: Out?, in query: any Query) -> Future<Out> {
    putting.put(value, in: query)
  }

  /// Maps and writes a list.
  @inlinable
  @discardableResult
  public func putAll(_ array: [Out], in query: any Query) -> Future<[Out]> {
    putting.putAll(array, in: query)
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

extension GetDataSource where Self: PutDataSource & DeleteDataSource {
  /// Returns this source with its values mapped in both directions.
  ///
  /// - Parameters:
  ///   - toInMapper: Maps values before they are written.
  ///   - toOutMapper: Maps the values that this source returns.
  /// - Returns: A source of the other type.
  @inlinable
  public func withMapping<Out: Sendable>(
    in toInMapper: Mapper<Out, T>, out toOutMapper: Mapper<T, Out>
  ) -> DataSourceMapper<Self, T, Out> {
    DataSourceMapper(dataSource: self, toInMapper: toInMapper, toOutMapper: toOutMapper)
  }
}
