extension Future {
  /// Creates a future of what an asynchronous closure returns.
  ///
  /// The closure runs in a task of its own. Cancelling the future cancels the task.
  ///
  /// - Parameter operation: The work; an error that it throws completes the future.
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

  /// Makes a future of what an asynchronous closure returns.
  ///
  /// The closure runs in a task of its own. Cancelling the future cancels the task.
  ///
  /// - Parameter operation: The work; an error that it throws completes the future.
  /// - Returns: The future.
  public static func async(
    _ operation: @escaping @Sendable () async throws -> T
  ) -> Future<T> {
    Future(operation)
  }

  /// Waits for the value without blocking a thread.
  ///
  /// Cancelling the waiting task ends the wait at once, and the wait only: the work goes on, and
  /// others may wait for it. ``getCancelling()`` stops the work too.
  ///
  /// - Returns: The value.
  /// - Throws: The error of the future, or `CancellationError` if the waiting task is cancelled.
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

  /// Waits for the value, under upstream's name for ``get()``.
  ///
  /// - Returns: The value.
  /// - Throws: What ``get()`` throws.
  @inlinable
  @discardableResult
  public func async() async throws -> T {
    try await get()
  }

  /// Waits for the value, and stops the work if the waiting task is cancelled.
  ///
  /// - Returns: The value.
  /// - Throws: The error of the future, which is `CancellationError` after a cancellation.
  @discardableResult
  public func getCancelling() async throws -> T {
    try await withTaskCancellationHandler {
      try await get()
    } onCancel: {
      cancel()
    }
  }

  /// A continuation that the future and the cancellation of its task compete for.
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
