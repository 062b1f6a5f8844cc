import Dispatch
import Foundation
import Harmony

/// The state shared by the sources of an ``Inspector`` and the thread that serves its clients.
final class InspectionHub: Sendable {
  let limits: InspectionLimits
  let sources = ExposedSources()
  private let state = Locked(State())
  private let alarm: Alarm
  private let ended = DispatchGroup()

  private struct State {
    /// The answers to send.
    var answers: [Answer] = []
    var isClosed = false
    /// The number of requests being processed, including those of disconnected clients.
    var running = 0
  }

  /// A message to a client.
  struct Answer: Sendable {
    let peer: Int
    /// The number of the client's task that produced it.
    let task: UInt64
    let message: Data
  }

  init(_ path: String, _ limits: InspectionLimits) throws(InspectionError) {
    self.limits = limits
    guard let alarm = Alarm() else {
      throw .system(doing: "make a pair of sockets", number: errno)
    }
    self.alarm = alarm
    let socket = try ListeningSocket(path)
    try socket.descriptor.stopWaiting()
    let ended = self.ended
    ended.enter()
    let thread = Thread { [self] in
      var loop = InspectionLoop(socket, alarm, self)
      loop.run()
      ended.leave()
    }
    thread.name = "inspector"
    thread.qualityOfService = .utility
    thread.start()
  }

  func close() {
    state.withLock { $0.isClosed = true }
    sources.concealAll()
    alarm.ring()
    // The thread runs no external code, so waiting for it here cannot be a deadlock.
    ended.wait()
  }

  /// Returns the answers to send; nil once the inspector is closed.
  func takeAnswers() -> [Answer]? {
    state.withLock { state in
      defer { state.answers = [] }
      return state.isClosed ? nil : state.answers
    }
  }

  /// Reserves a slot for processing a request, to be released with ``end()``.
  private func begin() -> Bool {
    state.withLock { state in
      guard state.running < limits.connections * limits.requests * 2 else { return false }
      state.running += 1
      return true
    }
  }

  /// Releases the slot of a request.
  private func end() {
    state.withLock { $0.running -= 1 }
  }

  /// Queues a message for sending.
  func send(_ answer: Answer) {
    state.withLock { $0.answers.append(answer) }
    alarm.ring()
  }

  /// Returns the answer to a request as a message.
  func answer(_ message: Data) async -> Data {
    let request: InspectionRequest
    do {
      request = try JSONDecoder().decode(InspectionRequest.self, from: message)
    } catch {
      // A client that uses a newer version must be able to match the failure with its request.
      let id = (try? JSONDecoder().decode(RequestNumber.self, from: message))?.id ?? 0
      return encode(
        InspectionAnswer(
          id: id, failure: InspectionFailure(InspectionError.unknownRequest)))
    }
    var answer = InspectionAnswer()
    do {
      answer = try await self.answer(request)
    } catch {
      answer = InspectionAnswer(failure: InspectionFailure(error))
    }
    answer.id = request.id
    return encode(answer)
  }

  private func answer(_ request: InspectionRequest) async throws -> InspectionAnswer {
    // Disconnected clients may have left many requests that a source never answers.
    guard begin() else { throw InspectionError.busy }
    defer { end() }
    return try await sources.answer(request, limits)
  }

  /// Encodes an answer as a message, or a failure if it is too long.
  private func encode(_ answer: InspectionAnswer) -> Data {
    let isShort = answer.size <= limits.messageSize
    if isShort,
      let bytes = AnswerText(answer).map({ Data($0.bytes) })
        ?? (try? JSONEncoder().encode(answer)),
      let message = try? MessageReader.frame(bytes, limit: limits.messageSize)
    {
      return message
    }
    var failure = InspectionAnswer(
      failure: InspectionFailure(InspectionError.tooLarge(limit: limits.messageSize)))
    failure.id = answer.id
    // The failure is short and contains nothing that cannot be encoded.
    return (try? MessageReader.frame(JSONEncoder().encode(failure), limit: .max)) ?? Data()
  }
}

/// The number of an otherwise invalid request.
private struct RequestNumber: Decodable {
  let id: UInt64
}

extension InspectionAnswer {
  /// The number of bytes of the values and keys in this answer.
  fileprivate var size: Int {
    (value?.size ?? 0) + (values ?? []).reduce(0) { $0 + $1.size } + (entry?.value?.size ?? 0)
      + (keys ?? []).reduce(0) { $0 + $1.utf8.count }
  }
}
