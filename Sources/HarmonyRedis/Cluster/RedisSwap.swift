/// The outcome of a conditional write.
public enum RedisSwap: Sendable, Hashable {
  /// The value was as expected, and was replaced.
  case swapped
  /// Nothing was changed, as the key has another value, or none.
  case conflict(current: [UInt8]?)
}

extension RedisClient {
  /// Replaces or removes a string if it is still the expected one.
  ///
  /// The comparison and the change are atomic. They are performed by a script, or in a transaction
  /// if the server does not permit scripts.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: The expected string; nil if the key must not exist.
  ///   - new: The new string; nil to remove the key.
  ///   - expiry: The new expiry.
  /// - Returns: Whether the string was replaced.
  /// - Throws: ``RedisError``, with the reason ``RedisError/Reason/wrongType`` if the key has a value
  ///   of another type.
  public func compareAndSwap(
    _ key: RedisArgument, from expected: [UInt8]?, to new: [UInt8]?,
    expiry: RedisExpiry = .unchanged
  ) async throws -> RedisSwap {
    if !permitsScripts { return try await transact(key, from: expected, to: new, expiry) }
    var words: [RedisArgument] = ["EVAL", Self.script, 1, key]
    words += [expected == nil ? "absent" : "present", RedisArgument(expected ?? [])]
    words += [new == nil ? "remove" : "replace", RedisArgument(new ?? [])] + expiry.options
    let reply: RedisValue
    do {
      reply = try await send(RedisCommand(words, key: key, isWrite: true))
    } catch let error as RedisError {
      // Other commands and keys may be forbidden too, for which there is no other way.
      guard let serverError = error.serverError,
        serverError.code == "NOPERM" && serverError.message.lowercased().contains("'eval'")
          || serverError.message.hasPrefix("unknown command")
      else { throw error }
      forbidScripts()
      return try await transact(key, from: expected, to: new, expiry)
    }
    guard let parts = reply.elements, let isSwapped = parts.first?.integer else {
      throw RedisError.malformed(.script)
    }
    return isSwapped == 1 ? .swapped : .conflict(current: parts.dropFirst().first?.bytes)
  }

  /// Compares and writes; errors of either, such as that of a wrong type, are those of the script.
  private static let script: RedisArgument = """
    local old = redis.call('GET', KEYS[1])
    if (ARGV[1] == 'present') ~= (old ~= false) or old and old ~= ARGV[2] then return {0, old} end
    if ARGV[3] == 'remove' then redis.call('UNLINK', KEYS[1])
    else redis.call('SET', KEYS[1], ARGV[4], unpack(ARGV, 5)) end
    return {1}
    """

  /// Compares and writes in a transaction, which fails if the key changes after it was read.
  private func transact(
    _ key: RedisArgument, from expected: [UInt8]?, to new: [UInt8]?, _ expiry: RedisExpiry
  ) async throws -> RedisSwap {
    let get = RedisCommand.read("GET", key: key)
    let write =
      new.map {
        RedisCommand(["SET", key, RedisArgument($0)] + expiry.options, key: key, isWrite: true)
      } ?? .write("UNLINK", key: key)
    var (old, isExpected): ([UInt8]?, Bool) = (nil, false)
    let replies = try await transaction(watching: [key]) { read in
      old = try await read([get]).first?.answer(to: get).bytes
      isExpected = old == expected
      return isExpected ? [write] : []
    }
    guard isExpected else { return .conflict(current: old) }
    return replies == nil ? .conflict(current: try await send(get).bytes) : .swapped
  }
}
