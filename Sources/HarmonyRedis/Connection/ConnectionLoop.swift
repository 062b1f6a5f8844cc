import Foundation
import Harmony

/// The loop of a connection, on its own thread, which never waits for longer than the first deadline.
struct ConnectionLoop {
  private typealias Instant = ContinuousClock.Instant

  private let queue: CallQueue
  private let address: RedisAddress
  private let configuration: RedisConfiguration
  private var parser: RESPParser
  private var socket = Descriptor(-1)
  private var tls: TLSSession?
  /// The bytes to be sent, and how many of them were.
  private var outgoing: [UInt8] = []
  private var written = 0
  private var buffer = [UInt8](repeating: 0, count: 131_072)
  /// The calls that wait for replies, each with the time at which it was sent.
  private var sent: ArraySlice<(call: PendingCall, time: Instant)> = []
  /// The replies to the first of these calls.
  private var replies: [RedisValue] = []
  /// No later than the first deadline of these calls.
  private var deadline: Instant?
  private var lastReceived = Instant.now

  init(_ queue: CallQueue, _ address: RedisAddress, _ configuration: RedisConfiguration) {
    self.queue = queue
    self.address = address
    self.configuration = configuration
    parser = RESPParser(limits: configuration.limits, hiding: configuration.password?.bytes)
  }

  /// Connects and serves calls until the connection ends.
  mutating func run() {
    var isConnected = false
    do throws(RedisError) {
      try connect(by: .now + configuration.timeLimit)
      isConnected = true
      while true {
        try takeCalls()
        try step(until: nil)
        try deliver()
      }
    } catch {
      // Only the call whose reply was refused gets that error, as the others can be repeated.
      let isRefusal = isConnected && !error.isOfConnection
      let other = RedisError.disconnected(address, .invalidReply)
      queue.end(isRefusal ? other : error)
      if isRefusal { sent.popFirst()?.call.fail(error) }
      for (call, _) in sent { call.fail(queue.end ?? error) }
    }
  }

  // MARK: Connecting

  private mutating func connect(by deadline: Instant) throws(RedisError) {
    let lookup = try AddressLookup(address, queue.alarm)
    // There is no socket to wait for yet.
    while lookup.result == nil { _ = try wait(for: 0, until: deadline) }
    let addresses = try lookup.result?.get() ?? []
    var failure = RedisError.timedOut(address)
    for (index, address) in addresses.enumerated() {
      // An address that does not answer leaves time for the others.
      let share = (deadline - .now) / (addresses.count - index)
      do throws(RedisError) {
        socket = try address.startConnecting()
        try waitForConnection(by: .now + share)
        try greet(by: deadline)
        return
      } catch {
        if let end = queue.end { throw end }
        guard error.reason == .unreachable || error.reason == .timedOut else { throw error }
        failure = error
      }
    }
    throw failure.reason == .unreachable
      ? .unreachable(address, failure) : failure
  }

  private mutating func waitForConnection(by deadline: Instant) throws(RedisError) {
    while try !wait(for: POLLOUT, until: deadline).isReady {}
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: number))
    guard getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &number, &size) == 0, number == 0 else {
      throw .system(.connect, number)
    }
  }

  /// Starts encryption, and introduces the client to the server.
  private mutating func greet(by deadline: Instant) throws(RedisError) {
    if let settings = configuration.tls {
      let session = try TLSSession(settings, to: address)
      tls = session
      try session.shakeHands()
      while !session.isReady { try step(until: deadline) }
    }
    // A user without a password must not become the default user.
    let noPassword: RedisArgument? = configuration.user == nil ? nil : ""
    let password = configuration.password.map { RedisArgument($0.bytes) } ?? noPassword
    var hello: [RedisArgument] = ["HELLO", 3]
    if let password { hello += ["AUTH", RedisArgument(configuration.user ?? "default"), password] }
    do throws(RedisError) {
      queue.setMode(try exchange(hello, by: deadline)["mode"]?.text)
    } catch {
      guard let code = error.serverError?.code, ["ERR", "NOPROTO", "NOPERM"].contains(code),
        code != "ERR" || error.serverError?.message.hasPrefix("unknown command") == true
      else { throw error }
      // The server only speaks RESP2.
      if let password {
        let user = configuration.user.map { [RedisArgument($0)] } ?? []
        try exchange(["AUTH"] + user + [password], by: deadline)
      }
    }
    if configuration.database != 0 {
      try exchange(["SELECT", RedisArgument(configuration.database)], by: deadline)
    }
  }

  /// Sends a command and waits for its reply.
  @discardableResult
  private mutating func exchange(
    _ words: [RedisArgument], by deadline: Instant
  ) throws(RedisError) -> RedisValue {
    let command = RedisCommand(words, key: nil, isWrite: false)
    var bytes: [UInt8] = []
    command.append(to: &bytes)
    try send(bytes)
    parser.startCounting()
    while true {
      try step(until: deadline)
      while let message = try parser.next() {
        guard case .reply(let reply) = message else { continue }
        if case .failure(let error) = reply { throw RedisError(error, to: command.description) }
        return reply
      }
    }
  }

  // MARK: Calls

  /// Sends the calls that wait, unless the server is behind with reading.
  private mutating func takeCalls() throws(RedisError) {
    guard outgoing.isEmpty else { return }
    var bytes: [UInt8] = []
    let now = Instant.now
    for call in queue.take(bytes: 262_144) {
      if sent.isEmpty { parser.startCounting() }
      sent.append((call, now))
      deadline = min(deadline ?? call.deadline, call.deadline)
      bytes += call.bytes
    }
    if !bytes.isEmpty { try send(bytes) }
  }

  /// Passes the replies that have arrived to their calls.
  private mutating func deliver() throws(RedisError) {
    while let message = try parser.next() {
      guard case .reply(let reply) = message else { continue }
      guard let call = sent.first?.call else { throw .malformed(.unaskedReply) }
      replies.append(reply)
      guard replies.count == call.count else { continue }
      _ = sent.popFirst()
      parser.startCounting()
      // Also frees the memory of the calls that were removed.
      if sent.isEmpty { (sent, deadline) = ([], nil) }
      call.finish(replies)
      replies = []
    }
  }

  /// Ends the calls whose time is over.
  ///
  /// - Throws: An error if the server has sent nothing since such a call, or not the whole reply for
  ///   much longer.
  private mutating func expire() throws(RedisError) {
    let now = Instant.now
    queue.expire(now)
    guard let deadline, deadline <= now else { return }
    let isSilent = sent.contains { $0.call.deadline <= now && lastReceived < $0.time }
    let isStuck = sent.first.map { now - $0.call.deadline > configuration.timeLimit } ?? false
    for (call, _) in sent where call.deadline <= now { call.fail(.timedOut(address)) }
    self.deadline = sent.lazy.map(\.call).filter { $0.deadline > now }.map(\.deadline).min()
    if isSilent || isStuck { throw .disconnected(address, .silence) }
  }

  // MARK: Bytes

  private mutating func send(_ bytes: [UInt8]) throws(RedisError) {
    if let tls {
      try tls.send(bytes)
    } else {
      outgoing += bytes
    }
  }

  /// Sends and receives once, after waiting until that is possible, a call was added or a time is
  /// over.
  private mutating func step(until limit: Instant?) throws(RedisError) {
    tls?.takeOutgoing(into: &outgoing)
    try flush()
    let events = outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT
    if try wait(for: events, until: limit).isReadable { try receive() }
  }

  private mutating func flush() throws(RedisError) {
    while written < outgoing.count {
      let count = outgoing.withUnsafeBytes { bytes in
        Foundation.send(
          socket.number, bytes.baseAddress.map { $0 + written }, bytes.count - written,
          Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        throw .disconnected(address, .lost)
      }
    }
    outgoing.removeAll(keepingCapacity: outgoing.count <= 1 << 20)
    written = 0
  }

  private mutating func receive() throws(RedisError) {
    let count = recv(socket.number, &buffer, buffer.count, 0)
    guard count > 0 else {
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      throw .disconnected(address, .closed)
    }
    lastReceived = .now
    guard let tls else { return parser.append(buffer[..<count]) }
    guard try tls.receive(buffer[..<count], { parser.append($0) }) else {
      throw .disconnected(address, .closed)
    }
  }

  /// Waits for the socket, a new call or the end of a time, and ends calls whose time is over.
  private mutating func wait(
    for events: Int32, until limit: Instant?
  ) throws(RedisError) -> (isReady: Bool, isReadable: Bool) {
    let first = [limit, deadline, queue.deadline].compactMap { $0 }.min()
    let milliseconds = first.map { (($0 - Instant.now).inSeconds * 1_000).rounded(.up) } ?? -1
    var waits = [
      pollfd(fd: socket.number, events: Int16(events), revents: 0),
      pollfd(fd: queue.alarm.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let result = poll(&waits, 2, Int32(first == nil ? -1 : min(max(milliseconds, 0), 1e9)))
    if result > 0, waits[1].revents != 0 { queue.alarm.reset() }
    if let end = queue.end { throw end }
    try expire()
    if let limit, limit <= .now { throw .timedOut(address) }
    let ready = result > 0 ? Int32(waits[0].revents) : 0
    return (ready != 0, ready & (POLLIN | POLLERR | POLLHUP) != 0)
  }
}
