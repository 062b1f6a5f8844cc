/// A source that maps the values that it reads from another source.
///
/// If the mapper throws, the future fails with its error; one invalid element fails the whole list.
public final class GetDataSourceMapper<D: GetDataSource, In, Out: Sendable>: GetDataSource
where D.T == In {
  /// The type that values are mapped to.
  public typealias T = Out

  @usableFromInline let dataSource: D
  @usableFromInline let toOutMapper: Mapper<In, Out>

  /// Creates a source that maps the values of another source.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - toOutMapper: Maps the inner source's values.
  @inlinable
  public init(dataSource: D, toOutMapper: Mapper<In, Out>) {
    self.dataSource = dataSource
    self.toOutMapper = toOutMapper
  }

  /// Reads and maps a value.
  @inlinable
  public func get(_ query: any Query) -> Future<Out> {
    let answer = dataSource.get(query)
    return answer.mapSettled { try toOutMapper.map($0) }
      ?? answer.map { [toOutMapper] in try toOutMapper.map($0) }
  }

  /// Reads and maps a list.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[Out]> {
    let answer = dataSource.getAll(query)
    return answer.mapSettled { try toOutMapper.map($0) }
      ?? answer.map { [toOutMapper] in try toOutMapper.map($0) }
  }
}

/// A source that maps values before writing them to another source.
///
/// If a mapper throws, the future fails with its error. If it is the mapper to the inner type,
/// nothing is written.
public final class PutDataSourceMapper<D: PutDataSource, In, Out: Sendable>: PutDataSource
where D.T == In {
  /// The type that values are mapped from.
  public typealias T = Out

  @usableFromInline let dataSource: D
  @usableFromInline let toInMapper: Mapper<Out, In>
  @usableFromInline let toOutMapper: Mapper<In, Out>

  /// Creates a source that maps values before they are written to another source.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - toInMapper: Maps values before they are written.
  ///   - toOutMapper: Maps the values that the inner source returns.
  @inlinable
  public init(dataSource: D, toInMapper: Mapper<Out, In>, toOutMapper: Mapper<In, Out>) {
    self.dataSource = dataSource
    self.toInMapper = toInMapper
    self.toOutMapper = toOutMapper
  }

  /// Maps and writes a value; nil is passed on as nil.
  @inlinable
  @discardableResult
  public func put(_ value: Out?, in query: any Query) -> Future<Out> {
    Future(future: {
      let answer = dataSource.put(try value.map { try toInMapper.map($0) }, in: query)
      return answer.mapSettled { try toOutMapper.map($0) }
        ?? answer.map { [toOutMapper] in try toOutMapper.map($0) }
    })
  }

  /// Maps and writes a list.
  @inlinable
  @discardableResult
  public func putAll(_ array: [Out], in query: any Query) -> Future<[Out]> {
    Future(future: {
      let answer = dataSource.putAll(try toInMapper.map(array), in: query)
      return answer.mapSettled { try toOutMapper.map($0) }
        ?? answer.map { [toOutMapper] in try toOutMapper.map($0) }
    })
  }
}

extension GetDataSource {
  /// Returns this source with its values mapped.
  ///
  /// - Parameter toOutMapper: Maps this source's values.
  /// - Returns: A source of the mapped values.
  @inlinable
  public func withMapping<Out: Sendable>(
    _ toOutMapper: Mapper<T, Out>
  ) -> GetDataSourceMapper<Self, T, Out> {
    GetDataSourceMapper(dataSource: self, toOutMapper: toOutMapper)
  }
}

extension PutDataSource {
  /// Returns a source that maps values and writes them to this source.
  ///
  /// - Parameters:
  ///   - toInMapper: Maps values before they are written.
  ///   - toOutMapper: Maps the values that this source returns.
  /// - Returns: A source that takes values of the other type.
  @inlinable
  public func withMapping<Out: Sendable>(
    in toInMapper: Mapper<Out, T>, out toOutMapper: Mapper<T, Out>
  ) -> PutDataSourceMapper<Self, T, Out> {
    PutDataSourceMapper(dataSource: self, toInMapper: toInMapper, toOutMapper: toOutMapper)
  }
}
