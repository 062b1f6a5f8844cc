import Foundation
import HarmonyRedis
import LarderModel

/// The commands that turn the current value of a key into another, member by member.
struct RedisCommands {
  let type: RedisType
  private(set) var commands: [RedisCommand] = []
  private let key: RedisArgument

  /// Creates the commands for a value.
  ///
  /// The key keeps its expiry, unless the form sets another.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The new value.
  ///   - form: The new form.
  ///   - old: The current entry; nil if there is none.
  /// - Throws: ``StoreError/notSupported(_:)`` if the server has no such value.
  init(
    _ key: RedisArgument, _ value: StoredValue, _ form: RedisForm, over old: RedisEntry?
  ) throws(StoreError) {
    let name = key.entryKey
    guard let type = RedisType(value, form, over: old?.type) else {
      throw .notOfRedis(name, value.type)
    }
    self.type = type
    self.key = key
    let isSame = old?.type == type
    let before = isSame ? old?.entry.value : nil
    if before != value {
      if old != nil, !isSame { write("UNLINK") }
      switch (type, value) {
      case (.string, _):
        write("SET", [value.redisBytes.map { RedisArgument($0) } ?? "", "KEEPTTL"])
      case (.list, .array(let values)):
        try writeList(try Self.strings(values, name), over: before)
      case (.set, .array(let values)):
        var old: [[UInt8]] = []
        if case .array(let values)? = before { old = try Self.strings(values, name) }
        let new = try Self.strings(values, name)
        let (known, wanted) = (Set(old), Set(new))
        if wanted.count < new.count { throw .repeated(Self.repeated(new), in: name) }
        write("SADD", new.filter { !known.contains($0) }.map { RedisArgument($0) })
        write("SREM", old.filter { !wanted.contains($0) }.map { RedisArgument($0) })
      case (_, .dictionary(let fields)):
        try writeFields(fields, over: before)
      default: throw .notOfRedis(name, value.type)
      }
    }
    // A key that is deleted first loses its expiry.
    let isNew = commands.first.map { $0.description == "UNLINK" } ?? false
    if let expiry = form.expiry ?? (isNew ? old?.expiry.map { .at(milliseconds: $0) } : nil) {
      commands.append(Self.expire(key, expiry))
    }
  }

  /// Returns the command that sets the expiry of a key.
  static func expire(_ key: RedisArgument, _ expiry: RedisForm.Expiry) -> RedisCommand {
    switch expiry {
    case .never: .write("PERSIST", key: key)
    case .at(let milliseconds): .write("PEXPIREAT", key: key, RedisArgument(milliseconds))
    }
  }

  private mutating func write(_ name: RedisArgument, _ arguments: [RedisArgument]? = nil) {
    if arguments?.isEmpty == true { return }
    commands.append(RedisCommand([name, key] + (arguments ?? []), key: key, isWrite: true))
  }

  private mutating func writeList(
    _ new: [[UInt8]], over before: StoredValue?
  ) throws(StoreError) {
    var old: [[UInt8]] = []
    if case .array(let values)? = before {
      old = try Self.strings(values, key.entryKey)
    }
    if !old.isEmpty, new.starts(with: old) {
      write("RPUSH", new.dropFirst(old.count).map { RedisArgument($0) })
    } else if old.count == new.count {
      for place in new.indices where old[place] != new[place] {
        write("LSET", [RedisArgument(place), RedisArgument(new[place])])
      }
    } else {
      if !old.isEmpty { write("UNLINK") }
      write("RPUSH", new.map { RedisArgument($0) })
    }
  }

  /// Writes the fields of a hash, the members of a sorted set or the entries of a stream.
  private mutating func writeFields(
    _ fields: [StoredValue.Field], over before: StoredValue?
  ) throws(StoreError) {
    let name = key.entryKey
    guard !fields.isEmpty else { throw .emptyInRedis(name) }
    let names = fields.map { Array($0.name.utf8) }
    if Set(names).count < names.count { throw .repeated(Self.repeated(names), in: name) }
    var old: [[UInt8]: StoredValue] = [:]
    if case .dictionary(let fields)? = before {
      for field in fields { old[Array(field.name.utf8)] = field.value }
    }
    var last = old.keys.compactMap(RedisStreamID.init).max()
    var added: [RedisArgument] = []
    for (field, member) in zip(fields, names) where old.removeValue(forKey: member) != field.value {
      switch type {
      case .zset:
        guard let score = field.value.redisScore else { throw .noScore(name, field.name) }
        added += [score, RedisArgument(member)]
      case .stream: try addEntry(field, after: &last)
      default:
        guard let bytes = field.value.redisBytes else {
          throw .notInRedis(name, field.name, field.value.type)
        }
        added += [RedisArgument(member), RedisArgument(bytes)]
      }
    }
    // In this order, the key exists all the time, and keeps its expiry.
    write(type == .zset ? "ZADD" : "HSET", added)
    let removed = old.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { RedisArgument($0) }
    write(type == .zset ? "ZREM" : type == .stream ? "XDEL" : "HDEL", removed)
  }

  /// Adds an entry to a stream, where it must be the last one.
  private mutating func addEntry(
    _ field: StoredValue.Field, after last: inout RedisStreamID?
  ) throws(StoreError) {
    let name = key.entryKey
    guard let id = RedisStreamID(Array(field.name.utf8)), last.map({ $0 < id }) ?? true,
      case .dictionary(let parts) = field.value, !parts.isEmpty
    else { throw .notAppended(name, field.name) }
    last = id
    var words: [RedisArgument] = [RedisArgument(field.name)]
    for part in parts {
      guard let bytes = part.value.redisBytes else {
        throw .notInRedis(name, "\(field.name).\(part.name)", part.value.type)
      }
      words += [RedisArgument(part.name), RedisArgument(bytes)]
    }
    write("XADD", words)
  }

  /// Returns the first name that follows an equal one.
  private static func repeated(_ names: [[UInt8]]) -> String {
    var seen: Set<[UInt8]> = []
    let name = names.first { !seen.insert($0).inserted } ?? []
    return EntryKey(textBytes: name).spoken
  }

  private static func strings(
    _ values: [StoredValue], _ key: EntryKey
  ) throws(StoreError) -> [[UInt8]] {
    guard !values.isEmpty else { throw .emptyInRedis(key) }
    var strings: [[UInt8]] = []
    for (place, value) in values.enumerated() {
      guard let bytes = value.redisBytes else {
        throw .notInRedis(key, "[\(place)]", value.type)
      }
      strings.append(bytes)
    }
    return strings
  }
}

/// The ID of an entry of a stream, such as 1526919030474-0.
struct RedisStreamID: Comparable {
  private let milliseconds: UInt64
  private let number: UInt64

  private init(_ milliseconds: UInt64, _ number: UInt64) {
    (self.milliseconds, self.number) = (milliseconds, number)
  }

  init?(_ bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = UInt64(parts[0]), let number = UInt64(parts[1]),
      milliseconds > 0 || number > 0
    else { return nil }
    self.init(milliseconds, number)
  }

  var text: String { "\(milliseconds)-\(number)" }

  /// The ID that follows; itself if it is the last one.
  var next: RedisStreamID {
    if number < .max { return RedisStreamID(milliseconds, number + 1) }
    return milliseconds < .max ? RedisStreamID(milliseconds + 1, 0) : self
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.milliseconds, left.number) < (right.milliseconds, right.number)
  }
}
