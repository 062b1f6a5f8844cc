import HarmonyRedis
import LarderModel

/// The properties of keys that this user may read.
struct RedisFeatures: Sendable {
  /// Whether expiries are returned as dates; versions before 7 return the time left.
  var hasDates = true
  /// Whether sizes are returned.
  var hasSizes = true

  /// Returns the command that reads the expiry of a key.
  func expiry(_ key: RedisArgument) -> RedisCommand {
    .read(hasDates ? "PEXPIRETIME" : "PTTL", key: key)
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
