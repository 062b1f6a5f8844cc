extension Future {
  /// Runs a closure with the value, if there is one.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - success: The closure.
  /// - Returns: A future with the same result, complete after the closure has run.
  @inlinable
  @discardableResult
  public func then(
    _ executor: any Executor = DirectExecutor(), _ success: @escaping @Sendable (T) -> Void
  ) -> Future<T> {
    if let result = takeResult(for: executor) {
      if case .value(let value) = result { success(value) }
      return Future(result: result)
    }
    return derive(executor) { result in
      let value = try result.get()
      success(value)
      return .value(value)
    }
  }

  /// Runs a closure with the error, if there is one.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - failure: The closure.
  /// - Returns: A future with the same result, complete after the closure has run.
  @inlinable
  @discardableResult
  public func fail(
    _ executor: any Executor = DirectExecutor(),
    _ failure: @escaping @Sendable (any Error) -> Void
  ) -> Future<T> {
    if let result = takeResult(for: executor) {
      if case .error(let error) = result { failure(error) }
      return Future(result: result)
    }
    return derive(executor) { result in
      if case .error(let error) = result { failure(error) }
      return .value(try result.get())
    }
  }

  /// Runs a closure when there is a result, whatever it is.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - closure: The closure.
  /// - Returns: A future with the same result, complete after the closure has run.
  @inlinable
  @discardableResult
  public func onCompletion(
    _ executor: any Executor = DirectExecutor(), _ closure: @escaping @Sendable () -> Void
  ) -> Future<T> {
    if let result = takeResult(for: executor) {
      closure()
      return Future(result: result)
    }
    return derive(executor) { result in
      closure()
      return .value(try result.get())
    }
  }

  /// Makes a future of another value, computed from this one's.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Computes the value; an error that it throws replaces it.
  /// - Returns: The future of the computed value, or of this future's error.
  @inlinable
  public func map<K>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (T) throws -> K
  ) -> Future<K> {
    if let result = takeResult(for: executor) {
      return Future<K>(value: { try transform(try result.get()) })
    }
    return derive(executor) { .value(try transform(try $0.get())) }
  }

  /// Makes a future of another value, computed from this one's on the thread that completes it.
  ///
  /// For a function or a key path in parentheses, as in `map(\.count)`, where an executor could be
  /// meant otherwise.
  ///
  /// - Parameter transform: Computes the value; an error that it throws replaces it.
  /// - Returns: The future of the computed value, or of this future's error.
  @inlinable
  public func map<K>(_ transform: @escaping @Sendable (T) throws -> K) -> Future<K> {
    map(DirectExecutor(), transform)
  }

  /// Makes a future with another error, computed from this one's.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Computes the error.
  /// - Returns: The future of the same value, or of the computed error.
  @inlinable
  public func mapError(
    _ executor: any Executor = DirectExecutor(),
    _ transform: @escaping @Sendable (any Error) -> any Error
  ) -> Future<T> {
    if let result = takeResult(for: executor) {
      switch result {
      case .value(let value): return Future(value)
      case .error(let error): return Future(transform(error))
      }
    }
    return derive(executor) { result in
      switch result {
      case .value(let value): return .value(value)
      case .error(let error): throw transform(error)
      }
    }
  }

  /// Goes on with another future, made from this one's value.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - transform: Makes the next future; an error that it throws takes its place.
  /// - Returns: A future that ends as the next one does, or with this future's error.
  @inlinable
  public func flatMap<K>(
    _ executor: any Executor = DirectExecutor(),
    _ transform: @escaping @Sendable (T) throws -> Future<K>
  ) -> Future<K> {
    if let result = takeResult(for: executor) {
      do {
        return try transform(try result.get())
      } catch {
        return Future<K>(error)
      }
    }
    return derive(executor) { .future(try transform(try $0.get())) }
  }

  /// Goes on with another future in place of an error.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - recovery: Makes the future that takes the place of the error.
  /// - Returns: A future of the same value, or one that ends as the recovery does.
  @inlinable
  public func recover(
    _ executor: any Executor = DirectExecutor(),
    _ recovery: @escaping @Sendable (any Error) throws -> Future<T>
  ) -> Future<T> {
    if let result = takeResult(for: executor) {
      guard case .error(let error) = result else { return Future(result: result) }
      do {
        return try recovery(error)
      } catch {
        return Future(error)
      }
    }
    return derive(executor) { result in
      switch result {
      case .value(let value): .value(value)
      case .error(let error): .future(try recovery(error))
      }
    }
  }

  /// Goes on with another future in place of an error of one type.
  ///
  /// - Parameters:
  ///   - errorType: The type of the errors to recover from; others are passed on.
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - recovery: Makes the future that takes the place of the error.
  /// - Returns: A future of the same value, or one that ends as the recovery does.
  @inlinable
  public func recover<E: Error>(
    if errorType: E.Type, _ executor: any Executor = DirectExecutor(),
    _ recovery: @escaping @Sendable (E) throws -> Future<T>
  ) -> Future<T> {
    recover(executor) { error in
      guard let error = error as? E else { throw error }
      return try recovery(error)
    }
  }

  /// Turns a value into an error if a closure refuses it.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs; by default the thread that completes the future.
  ///   - check: Throws the error that replaces the value.
  /// - Returns: A future of the same value, or of the error.
  @inlinable
  public func filter(
    _ executor: any Executor = DirectExecutor(), _ check: @escaping @Sendable (T) throws -> Void
  ) -> Future<T> {
    if let result = takeResult(for: executor) {
      return Future(value: {
        let value = try result.get()
        try check(value)
        return value
      })
    }
    return derive(executor) { result in
      let value = try result.get()
      try check(value)
      return .value(value)
    }
  }
}
