extension Future {
  /// Creates a future of the result of an asynchronous closure.
  ///
  /// The closure runs in a new task. Cancelling the future cancels the task.
  ///
  /// - Parameter operation: The work; if it throws, the future fails with the error.
  public convenience init(_ operation: @escaping @Sendable () async throws -> T) {
    self.init { resolver in
      let task = Task {
        do {
          resolver.set(try await operation())
        } catch {
          resolver.set(error)
        }
      }
      resolver.onCancel { task.cancel() }
    }
  }

  /// Returns a future of the result of an asynchronous closure.
  ///
  /// The closure runs in a new task. Cancelling the future cancels the task.
  ///
  /// - Parameter operation: The work; if it throws, the future fails with the error.
  /// - Returns: The future.
  public static func async(
    _ operation: @escaping @Sendable () async throws -> T
  ) -> Future<T> {
    Future(operation)
  }

  /// Waits for the value without blocking a thread.
  ///
  /// Cancelling the waiting task immediately ends its wait, but not the work, which other tasks may
  /// also be waiting for. Use ``getCancelling()`` to stop the work too.
  ///
  /// - Returns: The value.
  /// - Throws: The error of the future, or `CancellationError` if the waiting task is canceled.
  @inlinable
  @discardableResult
  public func get() async throws -> T {
    if let result = takeResult() { return try result.get() }
    return try await suspended()
  }

  /// Suspends the task until there is a result.
  @usableFromInline
  func suspended() async throws -> T {
    let waiter = Waiter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.wait(continuation)
        observe { result, _ in waiter.finish(result) }
      }
    } onCancel: {
      waiter.finish(.error(CancellationError()))
    }
  }

  /// Waits for the value; upstream's name for ``get()``.
  ///
  /// - Returns: The value.
  /// - Throws: The errors of ``get()``.
  @inlinable
  @discardableResult
  public func async() async throws -> T {
    try await get()
  }

  /// Waits for the value, and stops the work if the waiting task is canceled.
  ///
  /// - Returns: The value.
  /// - Throws: The error of the future, which is `CancellationError` if it is canceled.
  @discardableResult
  public func getCancelling() async throws -> T {
    try await withTaskCancellationHandler {
      try await get()
    } onCancel: {
      cancel()
    }
  }

  /// A continuation that is resumed by the future or by the cancellation of its task.
  private final class Waiter: Sendable {
    private enum Stage {
      case idle
      case waiting(CheckedContinuation<T, any Error>)
      case finished(Result)
    }

    private let stage = Locked(Stage.idle)

    func wait(_ continuation: CheckedContinuation<T, any Error>) {
      let result = stage.withLock { stage -> Result? in
        if case .finished(let result) = stage { return result }
        stage = .waiting(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }

    func finish(_ result: Result) {
      let continuation = stage.withLock { stage -> CheckedContinuation<T, any Error>? in
        defer { if case .finished = stage {} else { stage = .finished(result) } }
        guard case .waiting(let continuation) = stage else { return nil }
        return continuation
      }
      continuation?.resume(with: result)
    }
  }
}

extension CheckedContinuation where E == any Error {
  fileprivate func resume(with result: Future<T>.Result) where T: Sendable {
    switch result {
    case .value(let value): resume(returning: value)
    case .error(let error): resume(throwing: error)
    }
  }
}
