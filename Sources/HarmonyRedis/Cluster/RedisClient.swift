import Harmony

/// A client of a Redis or Valkey server or cluster, which any number of tasks may share.
///
/// It connects on the first call, to as many nodes as are needed, and finds out whether the server
/// belongs to a cluster. Calls are pipelined: none waits for the replies to others. No call takes
/// longer than the time limit.
///
/// If the first connection cannot be made, calls fail at once. After a lost connection, reads are
/// sent again on a new one, with increasing delays, until the time limit. A write is never sent again
/// if it may have been executed; its error then says so in ``RedisError/mayHaveExecuted``. Cancelling
/// a task ends its call at once, but a command that was already sent may still be executed.
///
/// ```swift
/// let client = RedisClient(host: host, port: port)
/// _ = try await client.send(.write("INCR", key: "visits"))
/// let visits = try await client.send(.read("GET", key: "visits")).integer
/// ```
public final class RedisClient: Sendable {
  /// The server to connect to, and how.
  public let configuration: RedisConfiguration

  /// The nodes that are known.
  private enum Topology: Sendable {
    case standalone(RedisAddress)
    case cluster(ClusterMap)

    var masters: [RedisAddress] {
      switch self {
      case .standalone(let address): [address]
      case .cluster(let map): map.masters
      }
    }
  }

  private struct State {
    /// Nil until it is known, and after a node could not be reached.
    var topology: Topology?
    /// Whether a server has ever answered, so that one that is gone may come back.
    var hasConnected = false
    /// The nodes to ask for the topology.
    var candidates: [RedisAddress]
    var connections: [RedisAddress: RedisConnection] = [:]
    /// Idle connections for transactions, which cannot share one.
    var idle: [RedisAddress: [RedisConnection]] = [:]
    var permitsScripts = true
    var isClosed = false
  }

  /// A command whose reply has not arrived.
  private struct Step {
    let index: Int
    /// The node to send it to; nil for that of the key.
    var target: RedisAddress?
    var isAsking = false
  }

  /// A node, and whether it is asked for slots that are being moved to it.
  private struct Target: Hashable {
    let address: RedisAddress
    let isAsking: Bool
  }

  /// The maximum number of redirections of a call.
  private static let maximumRedirections = 5
  private static let slots = RedisCommand(["CLUSTER", "SLOTS"], key: nil, isWrite: false)
  private let state: Locked<State>

  /// Creates a client without connecting it.
  ///
  /// - Parameter configuration: The server to connect to, and how.
  public init(_ configuration: RedisConfiguration) {
    self.configuration = configuration
    state = Locked(State(candidates: configuration.addresses))
  }

  /// Creates a client of a server without password and encryption, or of a cluster of such servers.
  ///
  /// - Parameters:
  ///   - host: A host name or an IP address.
  ///   - port: The port.
  public convenience init(host: String, port: Int = 6_379) {
    self.init(RedisConfiguration(.tcp(host: host, port: port)))
  }

  deinit {
    close()
  }

  /// Ends all connections and pending calls; later calls fail.
  public func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      defer { (state.connections, state.idle) = ([:], [:]) }
      return Array(state.connections.values) + state.idle.values.flatMap { $0 }
    }
    for connection in connections { connection.close() }
  }

  /// Sends a command and returns its reply.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - node: The node to send it to; nil for the one that has the key.
  /// - Returns: The reply.
  /// - Throws: ``RedisError``, also if the server replies with an error.
  @discardableResult
  public func send(_ command: RedisCommand, to node: RedisAddress? = nil) async throws
    -> RedisValue
  {
    let reply = try await send([command], to: node).first ?? .null
    if case .failure(let error) = reply { throw RedisError(error, to: command.description) }
    return reply
  }

  /// Sends commands together and returns their replies, in the same order.
  ///
  /// In a cluster each command goes to the node that has its key. The commands are not a
  /// transaction: if the call fails, any of them may have been executed.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - node: The node to send them to; nil for those that have the keys.
  /// - Returns: The replies, in which errors of the server are ``RedisValue/failure(_:)``.
  /// - Throws: ``RedisError`` if not all replies arrive.
  public func send(_ commands: [RedisCommand], to node: RedisAddress? = nil) async throws
    -> [RedisValue]
  {
    let deadline = ContinuousClock.now + configuration.timeLimit
    var replies = [RedisValue](repeating: .null, count: commands.count)
    var steps = commands.indices.map { Step(index: $0, target: node) }
    var (attempts, redirections) = (0, 0)
    var earlier: RedisError?
    while !steps.isEmpty {
      var next: [Step] = []
      var (lost, refusal, redirection): (RedisError?, RedisError?, RedisError?)
      for (target, steps, result) in try await perform(steps, of: commands, by: deadline) {
        switch result {
        case .success(let values):
          for (var step, value) in zip(steps, values) {
            replies[step.index] = value
            guard case .failure(let error) = value else { continue }
            let command = commands[step.index]
            if let other = Redirection(error, from: target.address) {
              follow(other, from: &step)
              redirection = RedisError(error, to: command.description)
              next.append(step)
            } else if error.isTransient(isWrite: command.isWrite) {
              refusal = RedisError(error, to: command.description)
              next.append(Step(index: step.index, target: node))
            }
          }
        case .failure(let error):
          let hasWrites = steps.contains { commands[$0.index].isWrite }
          // A write that was never sent is sent once more, on a new connection.
          guard
            hasWrites
              ? error.reason == .disconnected && !error.mayHaveExecuted && attempts == 0
              : error.isOfConnection && (error.reason != .unreachable || hasConnected)
                || error.serverError?.isTransient(isWrite: false) == true
          else { throw error.orReason(of: earlier) }
          forget(target.address)
          lost = error.orReason(of: earlier)
          earlier = lost
          next += steps.map { Step(index: $0.index, target: node) }
        }
      }
      steps = next.sorted { $0.index < $1.index }
      if let redirection {
        redirections += 1
        guard redirections <= Self.maximumRedirections else { throw redirection }
      }
      if lost != nil || refusal != nil || redirection != nil && redirections > 2 {
        let delay = min(0.02 * Double(1 << min(attempts, 6)), 1) * .random(in: 0.5...1)
        attempts += 1
        let time = ContinuousClock.now + .seconds(delay)
        guard time < deadline, !isClosed else {
          // An earlier refusal says more than the time that was over while it was repeated.
          let isRefused = steps.allSatisfy { step in
            if case .failure = replies[step.index] { true } else { false }
          }
          if let lost, !isRefused { throw lost }
          return replies
        }
        try await Task.sleep(until: time, clock: .continuous)
      }
    }
    return replies
  }

  /// Returns the addresses of all masters, which together have all keys.
  ///
  /// - Returns: The addresses; only one if the server does not belong to a cluster.
  /// - Throws: ``RedisError`` if no server answers, or the user may not ask for the nodes.
  public func masters() async throws -> [RedisAddress] {
    try all(of: try await topology(by: .now + configuration.timeLimit))
  }

  /// Returns whether the server belongs to a cluster.
  package func isCluster() async throws -> Bool {
    if case .cluster = try await topology(by: .now + configuration.timeLimit) {
      true
    } else {
      false
    }
  }

  private func all(of topology: Topology) throws -> [RedisAddress] {
    if case .cluster(let map) = topology, !map.isComplete {
      throw RedisError.forbiddenSlots
    }
    guard !topology.masters.isEmpty else {
      throw RedisError.noSlots
    }
    return topology.masters
  }

  // MARK: Nodes

  private var isClosed: Bool { state.withLock { $0.isClosed } }
  private var hasConnected: Bool { state.withLock { $0.hasConnected } }

  /// Sends each command to its node, to all nodes at the same time.
  private func perform(
    _ steps: [Step], of commands: [RedisCommand], by deadline: ContinuousClock.Instant
  ) async throws -> [(Target, [Step], Result<[RedisValue], RedisError>)] {
    let topology: Topology
    do {
      topology = try await self.topology(by: deadline)
    } catch let error as RedisError {
      // Without a connection, nothing can have been executed.
      return [(Target(address: .unix(path: ""), isAsking: false), steps, .failure(error))]
    }
    let groups = Dictionary(grouping: steps) { step in
      Target(
        address: step.target ?? node(for: commands[step.index].key, in: topology),
        isAsking: step.isAsking)
    }
    typealias Outcome = (Target, [Step], Result<[RedisValue], RedisError>)
    return try await withThrowingTaskGroup(of: Outcome.self) { group in
      for (target, steps) in groups {
        group.addTask {
          let asking: [RedisCommand] = target.isAsking ? [.read("ASKING")] : []
          let words = steps.flatMap { asking + [commands[$0.index]] }
          do {
            let replies = try await self.connection(to: target.address)
              .send(words, until: deadline)
            let isOwn = { target.isAsking ? $0 % 2 == 1 : true }
            return (target, steps, .success(replies.indices.filter(isOwn).map { replies[$0] }))
          } catch let error as RedisError {
            return (target, steps, .failure(error))
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func node(for key: RedisArgument?, in topology: Topology) -> RedisAddress {
    switch topology {
    case .standalone(let address): return address
    case .cluster(let map):
      // Any node knows what to do with a slot that is missing in the map.
      return key.flatMap { map.owner(of: HashSlot.of($0.bytes)) } ?? map.masters.randomElement()
        ?? configuration.addresses.first ?? .unix(path: "")
    }
  }

  private func connection(to address: RedisAddress) throws -> RedisConnection {
    try state.withLock { state in
      guard !state.isClosed else { throw RedisError.closed }
      if let connection = state.connections[address], connection.isOpen { return connection }
      let connection = try RedisConnection(address, configuration)
      state.connections[address] = connection
      return connection
    }
  }

  /// Takes over a redirection for later calls, and for the next attempt of this one.
  private func follow(_ redirection: Redirection, from step: inout Step) {
    step.isAsking = redirection.isTemporary
    step.target = redirection.address
    guard !redirection.isTemporary else { return }
    state.withLock { state in
      switch state.topology {
      case .cluster(var map):
        map.move(redirection.slot, to: redirection.address)
        state.topology = .cluster(map)
      case .standalone, nil: state.topology = nil
      }
    }
  }

  /// Looks for the nodes again before the next call, as one could not be reached.
  private func forget(_ address: RedisAddress) {
    state.withLock { state in
      guard let topology = state.topology, topology.masters.contains(address) else { return }
      let known = topology.masters.filter { !configuration.addresses.contains($0) }
      // The one that could not be reached is tried last.
      state.candidates = (known + configuration.addresses).filter { $0 != address } + [address]
      state.topology = nil
    }
  }

  private func topology(by deadline: ContinuousClock.Instant) async throws -> Topology {
    let (known, candidates) = state.withLock { ($0.topology, $0.candidates) }
    if let known { return known }
    return try await findNodes(candidates, by: deadline)
  }

  /// Asks one node after another for the nodes of the cluster.
  private func findNodes(
    _ candidates: [RedisAddress], by deadline: ContinuousClock.Instant
  ) async throws -> Topology {
    var failure = RedisError.noAddress
    for (index, address) in candidates.enumerated() {
      let limit = (deadline - .now) / (candidates.count - index)
      do {
        let connection = try connection(to: address)
        let reply = try await connection.send([Self.slots], until: .now + limit).first ?? .null
        guard case .failure(let error) = reply else {
          return remember(.cluster(try ClusterMap(reply, from: address)))
        }
        guard ["ERR", "NOPERM"].contains(error.code) else {
          throw RedisError(error, to: "CLUSTER")
        }
        let isAlone = error.code == "ERR" || connection.mode == "standalone"
        return remember(isAlone ? .standalone(address) : .cluster(ClusterMap(node: address)))
      } catch let error as RedisError where error.isOfConnection {
        failure = error
      }
    }
    throw failure
  }

  private func remember(_ topology: Topology) -> Topology {
    let masters = topology.masters
    // Connections that are no longer needed end when their last call has.
    let unneeded = state.withLock { state in
      state.topology = topology
      state.hasConnected = true
      let (needed, unneeded) = (
        state.connections.filter { masters.contains($0.key) },
        state.connections.filter { !masters.contains($0.key) }
      )
      state.connections = needed
      state.idle = state.idle.filter { masters.contains($0.key) }
      return unneeded
    }
    return withExtendedLifetime(unneeded) { topology }
  }

  /// Returns the masters after asking for them again.
  func currentMasters() async throws -> [RedisAddress] {
    let candidates = state.withLock { state in
      (state.topology?.masters ?? []) + state.candidates
    }
    return try all(of: try await findNodes(candidates, by: .now + configuration.timeLimit))
  }

  // MARK: Transactions

  /// Whether the server has not refused a script yet.
  var permitsScripts: Bool { state.withLock { $0.permitsScripts } }

  func forbidScripts() {
    state.withLock { $0.permitsScripts = false }
  }

  /// Performs an action with a connection that no other call uses, to the node that has a key.
  ///
  /// After an error, the connection is closed.
  func withOwnConnection<Answer>(
    for key: RedisArgument, by deadline: ContinuousClock.Instant,
    _ body: (RedisConnection) async throws -> Answer
  ) async throws -> Answer {
    for _ in 0...Self.maximumRedirections {
      let address = node(for: key, in: try await topology(by: deadline))
      let idle = state.withLock { $0.idle[address]?.popLast() }
      let connection =
        try idle.flatMap { $0.isOpen ? $0 : nil }
        ?? RedisConnection(address, configuration)
      do {
        let answer = try await body(connection)
        state.withLock { if !$0.isClosed { $0.idle[address, default: []].append(connection) } }
        return answer
      } catch let error as RedisError {
        guard !error.mayHaveExecuted, let serverError = error.serverError,
          let redirection = Redirection(serverError, from: address)
        else { throw error }
        var step = Step(index: 0)
        follow(redirection, from: &step)
      }
    }
    throw RedisError.circularRedirection
  }
}

extension RedisServerError {
  /// Whether the command was not executed for a reason that will soon be over.
  fileprivate func isTransient(isWrite: Bool) -> Bool {
    code == "TRYAGAIN"
      || !isWrite && ["LOADING", "CLUSTERDOWN", "MASTERDOWN"].contains(code)
  }
}
