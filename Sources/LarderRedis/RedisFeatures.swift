import HarmonyRedis
import LarderModel

/// The properties of keys that this user may read.
struct RedisFeatures: Sendable {
  /// Whether expiries are returned as dates; versions before 7 return the time left.
  var hasDates = true
  /// Whether sizes are returned.
  var hasSizes = true
  /// Whether fields of hashes can have expiries of their own, as in Redis 7.4 and Valkey 9.
  var hasFieldExpiries = false

  /// Returns the command that reads the expiry of a key.
  func expiry(_ key: RedisArgument) -> RedisCommand {
    .read(hasDates ? "PEXPIRETIME" : "PTTL", key: key)
  }

  /// Returns the commands that restore the expiries of fields of hashes, which writing them removes.
  ///
  /// - Parameters:
  ///   - commands: The commands that write.
  ///   - read: Reads the current expiries.
  /// - Returns: The commands.
  /// - Throws: ``RedisError``.
  func keepingFieldExpiries(
    _ commands: [RedisCommand], _ read: RedisClient.Reading
  ) async throws -> [RedisCommand] {
    guard hasFieldExpiries else { return [] }
    var restoring: [RedisCommand] = []
    for command in commands where command.description == "HSET" {
      guard let key = command.key else { continue }
      let fields = stride(from: 2, to: command.words.count, by: 2).map { command.words[$0] }
      let expiries = try await read([Self.expiries(fields, of: key)]).first?.elements ?? []
      for (field, expiry) in zip(fields, expiries) {
        guard let milliseconds = expiry.integer, milliseconds >= 0 else { continue }
        restoring.append(
          .write("HPEXPIREAT", key: key, RedisArgument(milliseconds), "FIELDS", 1, field))
      }
    }
    return restoring
  }

  /// Returns the command that reads the expiries of fields of a hash.
  static func expiries(_ fields: [RedisArgument], of key: RedisArgument) -> RedisCommand {
    RedisCommand(
      ["HPEXPIRETIME", key, "FIELDS", RedisArgument(fields.count)] + fields, key: key,
      isWrite: false)
  }

  /// Returns the expiry in a reply, in milliseconds since 1970; nil for none.
  func milliseconds(_ reply: RedisValue) -> Int64? {
    guard let number = reply.integer, number >= 0 else { return nil }
    if hasDates { return number }
    let (sum, isTooLarge) = number.addingReportingOverflow(.millisecondsNow)
    return isTooLarge ? .max : sum
  }

  /// Returns an entry with the expiry and the size in the replies to ``facts(_:)``.
  func adding(_ replies: [RedisValue], to entry: RedisEntry) -> RedisEntry {
    entry.with(
      expiry: replies.first.flatMap(milliseconds), size: hasSizes ? replies.last : nil)
  }

  /// Returns the commands that read the expiry and, if possible, the size of a key.
  func facts(_ key: RedisArgument) -> [RedisCommand] {
    [expiry(key)]
      + (hasSizes ? [RedisCommand(["MEMORY", "USAGE", key], key: key, isWrite: false)] : [])
  }
}
