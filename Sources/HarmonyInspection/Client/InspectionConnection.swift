import Foundation
import Harmony

/// A connection to a process that exposes its sources, until either end closes it.
final class InspectionConnection: Sendable {
  private let descriptor: Descriptor
  private let limit: Int
  /// The version of the protocol in use.
  let version: UInt16
  private let state = Locked(State())
  /// Serializes the messages that are sent.
  private let sending = Locked(())

  private struct State {
    var waiting: [UInt64: Waiting] = [:]
    var lastNumber: UInt64 = 0
    /// The reason why the connection has ended.
    var end: InspectionError?
    /// The futures that wait for the end.
    var closeWaiters: [Future<Void>] = []
  }

  /// A pending request, which retains the connection until it is answered.
  private struct Waiting {
    let resolver: FutureResolver<InspectionAnswer>
    let connection: InspectionConnection
  }

  /// Connects, exchanges greetings and starts reading.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - limit: The maximum size of an answer, in bytes.
  ///   - patience: The maximum time for the greeting, and for sending a message, in seconds.
  ///   - waits: Called with the other process before waiting for its greeting.
  /// - Throws: An error if the connection fails.
  init(
    _ path: String, limit: Int, patience: Double, waits: (InspectedProcess) -> Void
  ) throws(InspectionError) {
    let address = try SocketAddress(path)
    let socket = try Descriptor.socket()
    socket.limit(SO_SNDTIMEO, seconds: patience)
    socket.limit(SO_RCVTIMEO, seconds: patience)
    guard address.call({ connect(socket.number, $0, $1) }) == 0 else {
      switch errno {
      // The same error is reported for a regular file and for a socket that no process listens at.
      case ECONNREFUSED where !SocketAddress.isSocket(path): throw .noSocket(path)
      case ENOENT, ECONNREFUSED, ENOTDIR: throw .notListening(path)
      case ENOTSOCK, EPROTOTYPE: throw .noSocket(path)
      case EAGAIN, EINPROGRESS: throw .timedOut
      case let number: throw .system(doing: "connect to \(path)", number: number)
      }
    }
    try socket.checkPeer(isClient: true)
    descriptor = socket
    self.limit = limit
    let process = try socket.process()
    waits(process)
    do {
      version = try Self.greet(socket, within: patience)
    } catch {
      throw error == .timedOut ? Self.silence(of: process, at: path) : error
    }
    socket.limit(SO_RCVTIMEO, seconds: 0)
    let reader = Thread { [weak self, limit] in Self.read(socket, limit) { self } }
    reader.name = "inspection"
    reader.start()
  }

  deinit {
    // The reading thread also retains the descriptor.
    shutdown(descriptor.number, Int32(SHUT_RDWR))
  }

  /// Whether the connection accepts requests.
  var isOpen: Bool { state.withLock { $0.end == nil } }

  /// Sends a request.
  ///
  /// - Returns: A future of the answer.
  func ask(_ request: InspectionRequest, within seconds: Double) -> Future<InspectionAnswer> {
    let future = Future<InspectionAnswer>()
    let resolver = FutureResolver(future)
    var request = request
    let number = state.withLock { state -> UInt64? in
      guard state.end == nil else { return nil }
      state.lastNumber += 1
      state.waiting[state.lastNumber] = Waiting(resolver: resolver, connection: self)
      return state.lastNumber
    }
    guard let number else { return Future(InspectionError.disconnected) }
    request.id = number
    do {
      let message = try JSONEncoder().encode(request)
      let frame = try MessageReader.frame(message, limit: limit)
      try sending.withLock { _ in try Self.send(frame, descriptor) }
    } catch let error as InspectionError {
      if case .tooLarge = error { finish(number, .failure(error)) } else { end(error) }
    } catch {
      finish(number, .failure(error))
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.finish(number, .failure(InspectionError.timedOut))
    }
    return future
  }

  private func finish(_ number: UInt64, _ result: Swift.Result<InspectionAnswer, any Error>) {
    guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
    switch result {
    case .success(let answer): waiting.resolver.set(answer)
    case .failure(let error): waiting.resolver.set(error)
    }
  }

  /// Returns the process at the other end.
  func process() throws(InspectionError) -> InspectedProcess {
    try descriptor.process()
  }

  /// Waits until the connection has ended.
  func departure() -> Future<Void> {
    let future = Future<Void>()
    let isOver = state.withLock { state in
      if state.end == nil { state.closeWaiters.append(future) }
      return state.end != nil
    }
    if isOver { future.set(()) }
    return future
  }

  /// Ends the connection and all pending requests; only the first reason is stored.
  private func end(_ reason: InspectionError) {
    let (waiting, closeWaiters) = state.withLock { state in
      state.end = state.end ?? reason
      defer {
        state.waiting = [:]
        state.closeWaiters = []
      }
      return (state.waiting, state.closeWaiters)
    }
    shutdown(descriptor.number, Int32(SHUT_RDWR))
    for waiting in waiting.values { waiting.resolver.set(reason) }
    for mourner in closeWaiters { mourner.set(()) }
  }

  private func take(_ message: Data) throws(InspectionError) {
    guard let answer = try? JSONDecoder().decode(InspectionAnswer.self, from: message) else {
      throw .invalidAnswer
    }
    finish(answer.id, .success(answer))
  }

  /// Returns the error for a connected process that does not send its greeting.
  ///
  /// A process that runs, serves other clients and has not accepted this connection has reached its
  /// limit of connections.
  static func silence(of process: InspectedProcess, at path: String) -> InspectionError {
    guard process.isRunning else { return .timedOut }
    let connections = SocketConnections(at: path)
    return connections.isWaiting && connections.isServing ? .crowded : .timedOut
  }

  private static func greet(
    _ socket: Descriptor, within seconds: Double
  ) throws(InspectionError) -> UInt16 {
    try send(InspectionVersion.greeting, socket)
    let deadline = DispatchTime.now() + seconds
    var answer: [UInt8] = []
    while answer.count < InspectionVersion.size {
      // Limits the total time, even if single bytes arrive slowly.
      guard DispatchTime.now() < deadline else { throw .timedOut }
      let bytes = try receive(socket, upTo: InspectionVersion.size - answer.count)
      guard !bytes.isEmpty else { throw .disconnected }
      answer += bytes
    }
    return try InspectionVersion.check(Data(answer))
  }

  /// Reads messages until the connection ends or its owner is released.
  private static func read(
    _ socket: Descriptor, _ limit: Int, for owner: () -> InspectionConnection?
  ) {
    var messages = MessageReader(limit: limit)
    do {
      while true {
        let bytes = try receive(socket, upTo: 65_536)
        guard let owner = owner() else { return }
        guard !bytes.isEmpty else { throw InspectionError.disconnected }
        messages.append(bytes)
        while let message = try messages.next() { try owner.take(message) }
      }
    } catch let error as InspectionError {
      owner()?.end(error)
    } catch {
      owner()?.end(.disconnected)
    }
  }

  private static func receive(_ socket: Descriptor, upTo most: Int) throws(InspectionError)
    -> ArraySlice<UInt8>
  {
    var buffer = [UInt8](repeating: 0, count: most)
    while true {
      let count = recv(socket.number, &buffer, most, 0)
      if count >= 0 { return buffer[..<count] }
      switch errno {
      case EINTR: continue
      case EAGAIN: throw .timedOut
      default: throw .disconnected
      }
    }
  }

  private static func send(_ bytes: Data, _ socket: Descriptor) throws(InspectionError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN: throw .timedOut
        default: throw .disconnected
        }
      }
      rest = rest.dropFirst(count)
    }
  }
}
