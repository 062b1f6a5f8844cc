import Foundation
import Harmony

/// A connection to one server, on which any number of calls wait for their replies.
///
/// A thread connects, sends and receives. Calls are sent in the order in which they were made, as
/// soon as possible and without waiting for earlier replies. When the connection has ended, all
/// calls fail, and a new connection has to be made.
final class RedisConnection: Sendable {
  private let queue: CallQueue

  /// Starts connecting.
  ///
  /// - Parameters:
  ///   - address: The address of the server.
  ///   - configuration: How to connect.
  /// - Throws: ``RedisError`` if the system has no resources left.
  init(_ address: RedisAddress, _ configuration: RedisConfiguration) throws(RedisError) {
    guard let alarm = Alarm() else { throw .system(.createSockets, errno) }
    let queue = CallQueue(alarm, address)
    self.queue = queue
    let thread = Thread {
      var loop = ConnectionLoop(queue, address, configuration)
      loop.run()
    }
    thread.name = "redis"
    thread.start()
  }

  deinit {
    close()
  }

  /// Whether the connection accepts calls.
  var isOpen: Bool { queue.isOpen }

  /// The mode of the server, such as `standalone` or `cluster`; nil if it has not been told.
  var mode: String? { queue.mode }

  /// Ends the connection and all pending calls.
  func close() {
    queue.end(.closed)
  }

  /// Sends commands together and returns their replies, among which are errors of the server.
  ///
  /// Cancelling the task ends the call, but not what the server already does for it.
  ///
  /// - Throws: ``RedisError`` if there are no replies, or `CancellationError`.
  func send(
    _ commands: [RedisCommand], until deadline: ContinuousClock.Instant
  ) async throws -> [RedisValue] {
    let call = PendingCall(commands, until: deadline)
    queue.add(call)
    // Retains the connection while it is in use.
    defer { withExtendedLifetime(self) {} }
    return try await withTaskCancellationHandler {
      try await call.replies()
    } onCancel: {
      call.cancel()
    }
  }
}

/// The calls that a connection has not sent yet.
final class CallQueue: Sendable {
  private struct State {
    var calls: ArraySlice<PendingCall> = []
    var end: RedisError?
    /// No later than the first deadline of the calls.
    var deadline: ContinuousClock.Instant?
    var mode: String?
  }

  let alarm: Alarm
  private let address: RedisAddress
  private let state = Locked(State())

  init(_ alarm: Alarm, _ address: RedisAddress) {
    self.alarm = alarm
    self.address = address
  }

  var isOpen: Bool { end == nil }

  /// The reason why the connection has ended or has to end.
  var end: RedisError? { state.withLock { $0.end } }

  var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } }

  /// The mode of the server, if it is known.
  var mode: String? { state.withLock { $0.mode } }

  func setMode(_ mode: String?) {
    state.withLock { $0.mode = mode }
  }

  func add(_ call: PendingCall) {
    let (end, isNext) = state.withLock { state -> (RedisError?, Bool) in
      if let end = state.end { return (end, false) }
      let isNext = state.deadline.map { call.deadline < $0 } ?? true
      state.calls.append(call)
      if isNext { state.deadline = call.deadline }
      return (nil, isNext)
    }
    if let end { call.fail(end) }
    // The thread takes all calls at once.
    if isNext { alarm.ring() }
  }

  /// Removes calls to be sent, up to a size.
  func take(bytes limit: Int) -> [PendingCall] {
    state.withLock { state in
      var (taken, size): ([PendingCall], Int) = ([], 0)
      while size < limit, let call = state.calls.popFirst() {
        guard call.take() else { continue }
        taken.append(call)
        size += call.bytes.count
      }
      if state.calls.isEmpty { state.deadline = nil }
      return taken
    }
  }

  /// Ends the calls whose time is over.
  func expire(_ now: ContinuousClock.Instant) {
    let expired = state.withLock { state -> [PendingCall] in
      guard let deadline = state.deadline, deadline <= now else { return [] }
      let expired = state.calls.filter { $0.deadline <= now }
      state.calls.removeAll { $0.deadline <= now || $0.isFinished }
      state.deadline = state.calls.map(\.deadline).min()
      return expired
    }
    for call in expired { call.fail(.timedOut(address)) }
  }

  /// Ends the connection and all calls that were not sent; only the first reason is stored.
  func end(_ reason: RedisError) {
    let (calls, reason) = state.withLock { state -> (ArraySlice<PendingCall>, RedisError) in
      let reason = state.end ?? reason
      state.end = reason
      defer { state.calls = [] }
      return (state.calls, reason)
    }
    alarm.ring()
    for call in calls { call.fail(reason) }
  }
}
