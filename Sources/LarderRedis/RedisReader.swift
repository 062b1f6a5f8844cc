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
}

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

  /// Returns the commands that read an entry of a known type; nil for one of a module.
  func reading(_ key: RedisArgument, of type: RedisType?) -> [RedisCommand] {
    [expiry(key)]
      + (hasSizes ? [RedisCommand(["MEMORY", "USAGE", key], key: key, isWrite: false)] : [])
      + (type.map { [$0.reading(key)] } ?? [])
  }

  /// Returns the entry in the replies to ``reading(_:of:)``; nil if there is none.
  ///
  /// - Throws: ``RedisError`` if the value cannot be read.
  func entry(
    _ key: RedisArgument, of type: RedisType?, _ replies: [RedisValue]
  ) throws -> Entry? {
    guard let expiry = replies.first else { return nil }
    let found = RedisEntry(
      key, type, expiry: milliseconds(expiry), size: hasSizes ? replies[1] : .null)
    guard let type, let value = replies.last else { return found.entry }
    return found.holding(try value.answer(to: type.reading(key)))?.entry
  }
}

/// A reader of entries, through a client or inside of a transaction.
struct RedisReader {
  let send: RedisClient.Reading
  let features: RedisFeatures

  /// The number of keys in one pipeline.
  static let batch = 500
  /// The maximum size of the values in one pipeline, apart from the last.
  private static let maximumTotalSize = 4 << 20
  /// The number of bytes that decide whether a string is shown as text.
  private static let sampleSize = 64

  // MARK: Properties

  /// Returns the commands that read what a list shows of a key.
  private func facts(_ key: RedisArgument) -> [RedisCommand] {
    [.read("TYPE", key: key), .read("GETRANGE", key: key, 0, RedisArgument(Self.sampleSize - 1))]
      + features.reading(key, of: nil)
  }

  /// Returns the entry without its value for the replies to ``facts(_:)``; nil if there is none.
  private func entry(_ key: RedisArgument, _ replies: [RedisValue]) -> RedisEntry? {
    guard replies.count >= 3, replies[0].text != "none" else { return nil }
    let type = replies[0].text.flatMap { RedisType(rawValue: $0) }
    var found = RedisEntry(
      key, type, expiry: features.milliseconds(replies[2]),
      size: features.hasSizes ? replies[3] : .null)
    // Without permission to ask for the type, the key is known nevertheless.
    if type == nil { found.entry.specialType = replies[0].text }
    if type == .string, let sample = replies[1].bytes, !Self.isText(sample) {
      found.entry.type = .data
    }
    return found
  }

  /// Returns whether the beginning of a string is text; its last character may be cut off.
  private static func isText(_ sample: [UInt8]) -> Bool {
    (0..<(sample.count == sampleSize ? 4 : 1)).contains {
      String(validating: sample.dropLast($0), as: UTF8.self) != nil
    }
  }

  /// Returns entries without their values; nil for keys that do not exist.
  func summaries(_ keys: [RedisArgument]) async throws -> [RedisEntry?] {
    var entries: [RedisEntry?] = []
    for start in stride(from: 0, to: keys.count, by: Self.batch) {
      let part = keys[start..<min(start + Self.batch, keys.count)]
      var replies = try await send(part.flatMap(facts))[...]
      for key in part {
        let count = facts(key).count
        entries.append(entry(key, Array(replies.prefix(count))))
        replies = replies.dropFirst(count)
      }
    }
    return entries
  }

  // MARK: Values

  /// Returns whole entries, from the first on, until they are too large for one answer; nil for keys
  /// that do not exist.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - maximumSize: The size above which a value is not read.
  /// - Returns: At least one entry, unless there are no keys.
  /// - Throws: ``StoreError/failed(_:)`` if the first value is too large.
  func some(_ keys: [RedisArgument], maximumSize: Int? = nil) async throws -> [RedisEntry?] {
    var entries = try await summaries(Array(keys.prefix(Self.batch)))
    var (places, size): ([Int], Int) = ([], 0)
    for (place, entry) in entries.enumerated() {
      guard let entry else { continue }
      let own = entry.entry.size ?? 0
      if let maximumSize, own > maximumSize {
        guard place > 0 else { throw StoreError.tooLargeToRead(entry.entry.key, own, maximumSize) }
        entries.removeSubrange(place...)
        break
      }
      if entry.type != nil { places.append(place) }
      size += own
      if size >= Self.maximumTotalSize {
        entries.removeSubrange((place + 1)...)
        break
      }
    }
    let commands = places.compactMap { entries[$0]?.type?.reading(keys[$0]) }
    for (place, (command, reply)) in zip(places, zip(commands, try await send(commands))) {
      if case .failure(let error) = reply, error.code == "WRONGTYPE" {
        // Another program has replaced it since its type was read.
        entries[place] = try await some([keys[place]], maximumSize: maximumSize).first ?? nil
      } else {
        let value = try reply.answer(to: command)
        entries[place] = entries[place]?.holding(value)
      }
    }
    return entries
  }

  /// Returns all entries, whole; nil for keys that do not exist.
  func all(_ keys: [RedisArgument], maximumSize: Int? = nil) async throws -> [RedisEntry?] {
    var entries: [RedisEntry?] = []
    while entries.count < keys.count {
      entries += try await some(Array(keys[entries.count...]), maximumSize: maximumSize)
    }
    return entries
  }
}

extension RedisEntry {
  /// Creates an entry without its value.
  init(_ key: RedisArgument, _ type: RedisType?, expiry: Int64?, size: RedisValue) {
    var entry = Entry(
      key: EntryKey(textBytes: key.bytes), type: type?.stored,
      size: size.integer.flatMap { Int(exactly: $0) },
      expires: expiry.map {
        // Relative to 2001, as dates are stored, so that the milliseconds are exact.
        Date(timeIntervalSinceReferenceDate: (Double($0) - 978_307_200_000) / 1_000)
      })
    entry.form = type?.form
    self.init(entry: entry, type: type, expiry: expiry)
  }

  /// Returns the entry with the value in the reply to ``RedisType/reading(_:)``; nil if it has none.
  func holding(_ reply: RedisValue) -> RedisEntry? {
    guard let type, let value = type.value(reply) else { return nil }
    var copy = self
    copy.entry = Entry(
      key: entry.key, value: value, size: entry.size, expires: entry.expires, form: type.form)
    // A set and a list of the same elements are not the same.
    if let form = type.form {
      copy.entry.fingerprint = Fingerprint(of: value, spelled: nil, form: form)
    }
    if type.hasOtherNames(reply) {
      copy.entry.obstacle = Messages.namesNotText
      copy.entry.loss = Messages.namesNotText
    }
    return copy
  }
}
