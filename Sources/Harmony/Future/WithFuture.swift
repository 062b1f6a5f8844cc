/// Makes a future of what an asynchronous closure returns, under upstream's name.
///
/// The closure runs in a task of its own. Cancelling the future cancels the task.
///
/// - Parameter operation: The work; an error that it throws completes the future.
/// - Returns: The future.
public func withFuture<T: Sendable>(
  _ operation: @escaping @Sendable () async throws -> T
) -> Future<T> {
  Future(operation)
}
