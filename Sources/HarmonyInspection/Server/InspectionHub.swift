import Dispatch
import Foundation
import Harmony

/// What the sources of an ``Inspector`` and the thread that talks to those who look share.
final class InspectionHub: Sendable {
  let limits: InspectionLimits
  let sources = ExposedSources()
  private let state = Locked(State())
  private let alarm: Alarm
  private let ended = DispatchGroup()

  private struct State {
    /// What is on its way.
    var answers: [Answer] = []
    var isClosed = false
    /// Requests that are being answered, also for those who have gone.
    var running = 0
  }

  /// A message for somebody who looks.
  struct Answer: Sendable {
    let peer: Int
    /// What of that peer's tasks has made it.
    let task: UInt64
    let message: Data
  }

  init(_ path: String, _ limits: InspectionLimits) throws(InspectionError) {
    self.limits = limits
    alarm = try Alarm()
    let socket = try ListeningSocket(path)
    try socket.descriptor.stopWaiting()
    let alarm = self.alarm
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
    // That thread runs nobody else's code, so none of those that wait for it can hold it up.
    ended.wait()
  }

  /// What there is to send, nil once everything is closed.
  func takeAnswers() -> [Answer]? {
    state.withLock { state in
      defer { state.answers = [] }
      return state.isClosed ? nil : state.answers
    }
  }

  /// Whether one more request can be answered; to be followed by an ``end()``.
  private func begin() -> Bool {
    state.withLock { state in
      guard state.running < limits.connections * limits.requests * 2 else { return false }
      state.running += 1
      return true
    }
  }

  /// One request less is being answered.
  private func end() {
    state.withLock { $0.running -= 1 }
  }

  /// Has a message sent.
  func send(_ answer: Answer) {
    state.withLock { $0.answers.append(answer) }
    alarm.ring()
  }

  /// The answer to a request, as a message.
  func answer(_ message: Data) async -> Data {
    let request: InspectionRequest
    do {
      request = try JSONDecoder().decode(InspectionRequest.self, from: message)
    } catch {
      // Whoever asks for what only a later version knows is to learn it of that request.
      let id = (try? JSONDecoder().decode(RequestNumber.self, from: message))?.id ?? 0
      return encode(
        InspectionAnswer(
          id: id, failure: InspectionFailure(InspectionError.malformed("no such request"))))
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
    // Those who have gone may have left many that some source never answers.
    guard begin() else { throw InspectionError.busy }
    defer { end() }
    return try await sources.answer(request, limits)
  }

  /// An answer as a message, or that it is too long.
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
    // It holds nothing that could be long or that JSON could not say.
    return (try? MessageReader.frame(JSONEncoder().encode(failure), limit: .max)) ?? Data()
  }
}

/// What of a request is needed to answer it, whatever else it says.
private struct RequestNumber: Decodable {
  let id: UInt64
}

extension InspectionAnswer {
  /// The number of bytes of the values in this answer.
  fileprivate var size: Int {
    (value?.size ?? 0) + (values ?? []).reduce(0) { $0 + $1.size } + (entry?.value?.size ?? 0)
      + (keys ?? []).reduce(0) { $0 + $1.utf8.count }
  }
}
