extension Future {
  /// Runs a closure with the value, if there is one.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
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
  ///   - executor: The executor of the closure; by default the thread that completes the future.
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

  /// Runs a closure once there is a result, whether a value or an error.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
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

  /// Transforms the value.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Transforms the value; if it throws, the returned future fails with the error.
  /// - Returns: A future of the transformed value, or of this future's error.
  @inlinable
  public func map<K>(
    _ executor: any Executor = DirectExecutor(), _ transform: @escaping @Sendable (T) throws -> K
  ) -> Future<K> {
    if let result = takeResult(for: executor) {
      return Future<K>(value: { try transform(try result.get()) })
    }
    return derive(executor) { .value(try transform(try $0.get())) }
  }

  /// Transforms the value on the thread that completes this future.
  ///
  /// This overload accepts a function or a key path in parentheses, as in `map(\.count)`, which
  /// could otherwise be mistaken for an executor.
  ///
  /// - Parameter transform: Transforms the value; if it throws, the returned future fails with the
  ///   error.
  /// - Returns: A future of the transformed value, or of this future's error.
  @inlinable
  public func map<K>(_ transform: @escaping @Sendable (T) throws -> K) -> Future<K> {
    map(DirectExecutor(), transform)
  }

  /// Transforms the error.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Transforms the error.
  /// - Returns: A future of the same value, or of the transformed error.
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

  /// Continues with another future that is created from the value.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - transform: Returns the next future; if it throws, the returned future fails with the
  ///     error.
  /// - Returns: A future that follows the next one, or fails with this future's error.
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

  /// Continues with another future after an error.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - recovery: Returns the future that replaces the error; if it throws, the returned future
  ///     fails.
  /// - Returns: A future of the same value, or one that follows the recovery.
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

  /// Continues with another future after an error of one type.
  ///
  /// - Parameters:
  ///   - errorType: The type of the errors to recover from; others are passed on.
  ///   - executor: The executor of the closure; by default the thread that completes the future.
  ///   - recovery: Returns the future that replaces the error; if it throws, the returned future
  ///     fails.
  /// - Returns: A future of the same value, or one that follows the recovery.
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

  /// Replaces the value with an error if a closure throws.
  ///
  /// - Parameters:
  ///   - executor: The executor of the closure; by default the thread that completes the future.
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
