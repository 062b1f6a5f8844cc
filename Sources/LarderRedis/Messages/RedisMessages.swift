import Foundation
import HarmonyRedis
import LarderModel

extension StoreError {
  /// Creates the error for a failure of a Redis server.
  ///
  /// - Parameters:
  ///   - error: The error that the client threw.
  ///   - location: The location of the store, which descriptions with an address do not repeat.
  init(redis error: any Error, at location: StoreLocation) {
    guard let error = error as? RedisError else {
      self.init(error)
      return
    }
    let place = location.path
    let text = error.description
    switch error.reason {
    // These errors name the address.
    case .disconnected where error.mayHaveExecuted, .timedOut where error.mayHaveExecuted:
      self = .unknownOutcome(text)
    case _ where error.mayHaveExecuted: self = .unknownOutcome("\(place): \(text)")
    case .unreachable: self = .cannotOpen("\(text); start the server, or check the location")
    case .insecure: self = .cannotOpen(text)
    case .timedOut: self = .busy(text)
    case .unauthenticated:
      self = .passwordRequired(
        "\(place): the server no longer accepts this password; start larder again")
    case .notReady: self = .busy("\(place): \(text)")
    case .readOnly: self = .readOnly("\(place): \(text)")
    case .conflict: self = .conflict(current: nil)
    case .disconnected: self = .failed(text)
    case .malformed, .tooLarge, .notPermitted, .outOfMemory, .wrongType, .redirected, .refused:
      self = .failed("\(place): \(text)")
    }
  }
}

// MARK: Opening

extension StoreError {
  static let invalidRedisLocation = StoreError.cannotOpen(
    "this is not the location of a Redis server, such as redis://localhost:6379/0, "
      + "rediss://USER@HOST or redis+unix:/run/redis.sock")
  static let passwordInLocation = StoreError.cannotOpen(
    "a location must not contain a password, because other users and logs can see it; leave it out "
      + "and \(givingPassword)")
  private static let givingPassword =
    "enter it when asked, set LARDER_REDIS_PASSWORD, or set LARDER_REDIS_PASSWORD_FILE to the path of "
    + "a file with it"

  static func noPassword(for place: RedisLocation) -> Self {
    .passwordRequired(
      place.user == nil
        ? "\(place.server) requires a password; \(givingPassword)"
        : "\(place.server) rejected a user without a password; the word before the @ is the name of a "
          + "user, not a password: \(givingPassword)")
  }

  /// Returns the error for a wrong password from a variable or a file, or one that was entered.
  static func wrongPassword(for place: RedisLocation, from origin: String?) -> Self {
    let password = origin.map { "the password in \($0)" } ?? "the password that you entered"
    return .passwordRequired(
      "\(place.server) rejected \(password)"
        + (place.user == nil ? "" : " for the user before the @ of the location"))
  }

  static func unreadablePasswordFile(_ path: String) -> Self {
    .cannotOpen("\(path), which LARDER_REDIS_PASSWORD_FILE names, cannot be read as text")
  }
}

/// Clauses that become part of a sentence.
enum Messages {
  static let cluster = "cluster"
  static let changesNotCounted =
    "this user may not run INFO, so the entries are read every second"

  static let streamEntries =
    "the entries of a stream cannot be changed, only added and deleted"

  static func expiringFields(_ count: Int) -> String {
    "it has \(count) \(count == 1 ? "field" : "fields") with an expiry"
  }

  static func hits(_ count: Int, misses: Int) -> String {
    let reads = count + misses
    let share = reads == 0 ? 0 : 100 * Double(count) / Double(reads)
    return "\(share.formatted(.number.precision(.fractionLength(1)))) % of \(reads) reads"
  }
  static let namesNotText =
    "it has names that are not UTF-8, which larder can only delete or rename"
}

// MARK: Reading

extension StoreError {
  static func tooLargeToRead(_ key: EntryKey, _ size: Int, _ maximum: Int) -> Self {
    .failed(
      "\(key.spoken) takes \(size) bytes, and larder reads values of up to \(maximum >> 20) MiB "
        + "here")
  }
}

// MARK: Writing

extension StoreError {
  static func keepsChanging(_ key: EntryKey) -> Self {
    .busy("other programs keep changing \(key.spoken); nothing was written. Try again")
  }

  static func redisKeysAreText(_ key: EntryKey) -> Self {
    .notSupported(
      "the keys of a Redis server are strings, and \(key.spoken) is not; nothing was written")
  }

  static func notOfRedis(_ key: EntryKey, _ type: StoredType) -> Self {
    .notSupported(
      "a Redis server cannot store \(key.spoken), whose type is \(type.rawValue); nothing was written"
    )
  }

  static func notInRedis(_ key: EntryKey, _ member: String, _ type: StoredType) -> Self {
    .notSupported(
      "\(member) of \(key.spoken) must be text, data or a number, not \(type.rawValue); nothing was "
        + "written")
  }

  static func noScore(_ key: EntryKey, _ member: String) -> Self {
    .notSupported(
      "\(key.spoken) is a sorted set, so the score of \(member) must be a number; nothing was written"
    )
  }

  static func repeated(_ member: String, in key: EntryKey) -> Self {
    .notSupported(
      "\(key.spoken) can contain \(member) only once; nothing was written. Change or remove one of "
        + "them")
  }

  static func emptyInRedis(_ key: EntryKey) -> Self {
    .notSupported(
      "a Redis server has no empty lists, sets and hashes; nothing was written. Delete "
        + "\(key.spoken) instead")
  }

  static func notAppended(_ key: EntryKey, _ id: String) -> Self {
    .notSupported(
      "\(key.spoken) is a stream, so \(id) must be a new ID after the last one, such as "
        + "1526919030474-0, with fields; nothing was written")
  }

  static func notRewritable(_ key: EntryKey, _ obstacle: String) -> Self {
    .notSupported("\(key.spoken) was not written: \(obstacle)")
  }

  static func pastExpiry(_ key: EntryKey) -> Self {
    .notSupported(
      "the server would delete \(key.spoken), because that time has passed; nothing was written. "
        + "Delete it instead, which you can undo")
  }

  static func expiredSince(_ key: EntryKey) -> Self {
    .notSupported(
      "the previous value of \(key.spoken) has expired by now, so undo would delete the key; nothing "
        + "was written")
  }
}
