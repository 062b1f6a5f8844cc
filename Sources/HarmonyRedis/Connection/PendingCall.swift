import Harmony

/// Commands that are sent together, until all of their replies have arrived.
final class PendingCall: Sendable {
  let bytes: [UInt8]
  /// The number of replies.
  let count: Int
  let isWrite: Bool
  let deadline: ContinuousClock.Instant

  private struct State {
    var continuation: CheckedContinuation<Void, Never>?
    /// The result until it is taken.
    var result: Result<[RedisValue], any Error>?
    var isFinished = false
    var isTaken = false
  }

  private let state = Locked(State())

  init(_ commands: [RedisCommand], until deadline: ContinuousClock.Instant) {
    var bytes: [UInt8] = []
    for command in commands { command.append(to: &bytes) }
    self.bytes = bytes
    count = commands.count
    isWrite = commands.contains(where: \.isWrite)
    self.deadline = deadline
  }

  /// Waits for the replies; once only.
  func replies() async throws -> [RedisValue] {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if !state.isFinished { state.continuation = continuation }
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
    // Taken from the lock, because the thread sanitizer does not see what a continuation hands over.
    let result = state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
    return try result?.get() ?? []
  }

  /// Decides that the call will be sent; false if it has ended before.
  func take() -> Bool {
    state.withLock { state in
      state.isTaken = !state.isFinished
      return state.isTaken
    }
  }

  /// Whether the call has ended, so that its replies are to be discarded.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func finish(_ replies: [RedisValue]) {
    end(.success(replies))
  }

  /// Ends the call with an error, which says so if a write may have been executed.
  func fail(_ error: RedisError) {
    let isUnknown = isWrite && state.withLock { $0.isTaken }
    end(.failure(isUnknown ? error.afterSending() : error))
  }

  /// Ends the call; if it was already sent, the server may still execute it.
  func cancel() {
    end(.failure(CancellationError()))
  }

  private func end(_ result: Result<[RedisValue], any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.isFinished else { return nil }
      state.isFinished = true
      state.result = result
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }
}
