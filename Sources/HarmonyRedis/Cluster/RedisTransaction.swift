import Harmony

extension RedisClient {
  /// A function that performs commands on the connection of a transaction; errors of the server are
  /// among the replies.
  package typealias Reading = ([RedisCommand]) async throws -> [RedisValue]

  /// Performs commands together, if the keys do not change after they were read.
  ///
  /// The time limit applies to each call of the closure, so that large values can be read.
  ///
  /// - Parameters:
  ///   - keys: The keys, at least one; in a cluster, all of the same slot.
  ///   - prepare: Reads the keys, and returns the commands to perform; it may be called several
  ///     times. Without any commands, nothing is performed.
  /// - Returns: The replies to the commands; nil if a key has changed and nothing was performed.
  /// - Throws: ``RedisError``, and errors of the closure.
  package func transaction(
    watching keys: [RedisArgument], _ prepare: (@escaping Reading) async throws -> [RedisCommand]
  ) async throws -> [RedisValue]? {
    guard let first = keys.first else { return [] }
    let limit = configuration.timeLimit
    let watch = RedisCommand(["WATCH"] + keys, key: first, isWrite: false)
    return try await withOwnConnection(for: first, by: .now + limit) { connection in
      func read(_ commands: [RedisCommand]) async throws -> [RedisValue] {
        guard !commands.isEmpty else { return [] }
        let replies = try await connection.send(commands, until: .now + limit)
        for (command, reply) in zip(commands, replies) {
          if case .failure(let error) = reply, error.isOfNode { _ = try reply.answer(to: command) }
        }
        return replies
      }
      _ = try await read([watch]).first?.answer(to: watch)
      let commands = try await prepare(read)
      guard !commands.isEmpty else {
        _ = try await read([.read("UNWATCH")])
        return []
      }
      let all = [.read("MULTI")] + commands + [.read("EXEC")]
      // An error of a queued command says more than that of `EXEC`, which it prevents.
      let replies = try await connection.send(all, until: .now + limit)
      for (command, reply) in zip(all, replies) { _ = try reply.answer(to: command) }
      guard let answers = replies.last?.elements else { return nil }
      do {
        for (command, answer) in zip(commands, answers) { _ = try answer.answer(to: command) }
      } catch let error as RedisError {
        // The other commands have been executed.
        throw commands.count > 1 ? error.afterSending() : error
      }
      return answers
    }
  }

  /// Returns the indices of keys, grouped by the transactions that can contain them: all together, or
  /// in a cluster those of each slot.
  package func transactionGroups(_ keys: [RedisArgument]) async throws -> [[Int]] {
    guard try await isCluster() else { return [Array(keys.indices)] }
    let slots = Dictionary(grouping: keys.indices) { HashSlot.of(keys[$0].bytes) }
    return slots.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
  }
}

extension RedisValue {
  /// Returns this reply to a command, or throws it if it is an error.
  package func answer(to command: RedisCommand) throws(RedisError) -> RedisValue {
    if case .failure(let error) = self { throw RedisError(error, to: command.description) }
    return self
  }
}

extension RedisServerError {
  /// Whether the error is not about the key, but about the node that was asked for it.
  fileprivate var isOfNode: Bool {
    ["MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "LOADING"].contains(code)
  }
}
