/// A mapper that fails with ``CoreError/NotImplemented`` for every value.
public final class VoidMapper<From, To>: Mapper<From, To>, @unchecked Sendable {
  /// Throws ``CoreError/NotImplemented``.
  public override func map(_ from: From) throws -> To {
    throw CoreError.NotImplemented()
  }
}

/// A mapper that returns the same result for every value, for tests.
public final class MockMapper<From, To: Sendable>: Mapper<From, To>, @unchecked Sendable {
  private let mock: To

  /// Creates a mapper with a result.
  ///
  /// - Parameter mock: The result.
  public init(_ mock: To) {
    self.mock = mock
  }

  /// Returns the result that the mapper was created with.
  public override func map(_ from: From) throws -> To {
    mock
  }
}

/// A mapper that returns values unchanged.
public final class IdentityMapper<T>: Mapper<T, T>, @unchecked Sendable {
  /// Returns the value itself.
  public override func map(_ from: T) throws -> T {
    from
  }
}

/// A mapper that casts values.
public final class CastMapper<From, To>: Mapper<From, To>, @unchecked Sendable {
  /// Casts the value.
  ///
  /// - Parameter from: The value.
  /// - Returns: The value as the other type.
  /// - Throws: ``CoreError/Failed`` if it is not of that type.
  public override func map(_ from: From) throws -> To {
    guard let value = from as? To else {
      throw CoreError.Failed("Cannot cast \(type(of: from)) to \(To.self)")
    }
    return value
  }
}

/// A mapper that calls a closure.
public final class ClosureMapper<From, To>: Mapper<From, To>, @unchecked Sendable {
  private let closure: @Sendable (From) throws -> To

  /// Creates a mapper for a closure.
  ///
  /// - Parameter closure: Maps a value, on any thread.
  public init(_ closure: @escaping @Sendable (From) throws -> To) {
    self.closure = closure
  }

  /// Calls the closure.
  public override func map(_ from: From) throws -> To {
    try closure(from)
  }
}

/// A mapper that combines two mappers.
public final class ComposedMapper<A, B, C>: Mapper<A, C>, @unchecked Sendable {
  private let first: Mapper<A, B>
  private let second: Mapper<B, C>

  /// Creates a mapper that applies one mapper after another.
  ///
  /// - Parameters:
  ///   - first: Maps the value.
  ///   - second: Maps the result of the first mapper.
  public init(_ first: Mapper<A, B>, _ second: Mapper<B, C>) {
    self.first = first
    self.second = second
  }

  /// Maps the value with both mappers.
  public override func map(_ from: A) throws -> C {
    try second.map(try first.map(from))
  }
}
