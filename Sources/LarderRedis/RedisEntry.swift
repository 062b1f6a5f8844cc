import Foundation
import HarmonyRedis
import LarderModel

/// An entry as it was found on the server.
struct RedisEntry {
  var entry: Entry
  /// The type; nil for one of a module, which larder cannot read.
  var type: RedisType?
  /// The expiry in milliseconds since 1970; nil for none.
  var expiry: Int64?
  /// The error for which the value was not read.
  var problem: (any Error)?
}

extension RedisEntry {
  /// Creates an entry without its value.
  init(_ key: RedisArgument, _ type: RedisType?) {
    var entry = Entry(key: key.entryKey, type: type?.stored)
    entry.form = type?.form
    entry.typeName = type?.rawValue
    if type == .stream { entry.editObstacle = Messages.streamEntries }
    self.init(entry: entry, type: type)
  }

  /// Returns the entry with an expiry in milliseconds since 1970, and with a size if that is known.
  func with(expiry: Int64?, size: RedisValue?) -> RedisEntry {
    var copy = self
    copy.expiry = expiry
    copy.entry.expires = expiry.map { Date(redisMilliseconds: $0) }
    if let size = size?.integer.flatMap({ Int(exactly: $0) }) { copy.entry.size = size }
    return copy
  }

  /// Returns the entry with the value in a reply; nil if it has none.
  func holding(_ reply: RedisValue) -> RedisEntry? {
    guard let type, let value = type.value(reply) else { return nil }
    var copy = holding(value)
    if type.hasOtherNames(reply) {
      copy.entry.editObstacle = Messages.namesNotText
      copy.entry.loss = Messages.namesNotText
    }
    return copy
  }

  /// Returns the entry with a value of its type.
  func holding(_ value: StoredValue) -> RedisEntry {
    var copy = self
    copy.entry = Entry(
      key: entry.key, value: value, size: entry.size, expires: entry.expires, form: type?.form)
    copy.entry.typeName = type?.rawValue
    copy.entry.editObstacle = entry.editObstacle
    // A set and a list of the same elements are not the same.
    if let form = type?.form {
      copy.entry.fingerprint = Fingerprint(of: value, spelled: nil, form: form)
    }
    return copy
  }
}

extension RedisEntry {
  /// Returns the entry without a value, for an error.
  func unread(_ problem: any Error) -> RedisEntry {
    var copy = self
    copy.problem = problem
    return copy
  }
}

extension RedisArgument {
  /// The key in a store for one on the server.
  var entryKey: EntryKey { EntryKey(textBytes: bytes) }
}

extension EntryKey {
  /// The key on the server; nil if there is none such.
  var redisKey: RedisArgument? {
    switch self {
    case .text(let text): RedisArgument(text)
    case .malformedText(let bytes): RedisArgument(bytes)
    default: nil
    }
  }

  func redisKeyToWrite() throws(StoreError) -> RedisArgument {
    guard let redisKey else { throw .redisKeysAreText(self) }
    return redisKey
  }
}

extension Date {
  /// Creates a date from milliseconds since 1970.
  init(redisMilliseconds milliseconds: Int64) {
    // Relative to 2001, as dates are stored, so that the milliseconds are exact.
    self.init(timeIntervalSinceReferenceDate: (Double(milliseconds) - 978_307_200_000) / 1_000)
  }
}

extension Int64 {
  /// The current time in milliseconds since 1970.
  static var millisecondsNow: Int64 { milliseconds(Date()) }

  /// Returns a date in milliseconds since 1970, limited to the range of the type.
  static func milliseconds(_ date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }
}
