/// Returns a future of the result of an asynchronous closure, under upstream's name.
///
/// The closure runs in a new task. Cancelling the future cancels the task.
///
/// - Parameter operation: The work; if it throws, the future fails with the error.
/// - Returns: The future.
public func withFuture<T: Sendable>(
  _ operation: @escaping @Sendable () async throws -> T
) -> Future<T> {
  Future(operation)
}
