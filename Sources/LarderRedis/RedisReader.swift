import HarmonyRedis
import LarderModel

/// A reader of entries, through a client or inside of a transaction.
struct RedisReader {
  private let send: RedisClient.Reading
  private let features: RedisFeatures
  /// The client, which reads a value in parts that belong together; nil inside of a transaction,
  /// which ensures that anyway.
  private let client: RedisClient?

  /// The number of keys in one pipeline.
  static let batch = 500
  /// The maximum size of a value, in bytes, unless a query sets another.
  static let maximumSize = 256 << 20
  /// The maximum size of the values in one pipeline, apart from the last.
  private static let maximumTotalSize = 4 << 20
  /// The number of bytes that decide whether a string is shown as text.
  private static let sampleSize = 64
  /// The number of fields whose expiries are read, as a command cannot have more than 2^20 words.
  private static let maximumFields = 1_000_000
  /// The number of attempts to read a value in parts while other programs write it.
  private static let attempts = 8

  /// Creates a reader that uses a client.
  init(_ client: RedisClient, _ features: RedisFeatures) {
    send = { try await client.send($0) }
    self.client = client
    self.features = features
  }

  /// Creates a reader inside of a transaction that watches the keys.
  init(inside send: @escaping RedisClient.Reading, _ features: RedisFeatures) {
    self.send = send
    self.features = features
    client = nil
  }

  // MARK: Properties

  /// Returns the commands that read what a list shows of a key.
  private func facts(_ key: RedisArgument) -> [RedisCommand] {
    [.read("TYPE", key: key), .read("GETRANGE", key: key, 0, RedisArgument(Self.sampleSize - 1))]
      + features.facts(key)
  }

  /// Returns the entry without its value for the replies to ``facts(_:)``; nil if there is none.
  private func entry(_ key: RedisArgument, _ replies: [RedisValue]) -> RedisEntry? {
    guard replies.count >= 3, replies[0].text != "none" else { return nil }
    let type = replies[0].text.flatMap { RedisType(rawValue: $0) }
    var found = features.adding(Array(replies[2...]), to: RedisEntry(key, type))
    if type == nil { found.entry.specialType = replies[0].text }
    do {
      _ = try replies[0].answer(to: .read("TYPE"))
    } catch {
      // Without permission to ask for the type, the key is known nevertheless.
      found.problem = error
    }
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
  /// An entry that cannot be read, or is too large, has no value but a ``RedisEntry/problem``.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - maximumSize: The size above which a value is not read.
  /// - Returns: At least one entry, unless there are no keys.
  /// - Throws: ``RedisError`` if the server does not answer.
  func some(
    _ keys: [RedisArgument], maximumSize: Int = Self.maximumSize
  ) async throws -> [RedisEntry?] {
    var entries = try await summaries(Array(keys.prefix(Self.batch)))
    var (places, size): ([Int], Int) = ([], 0)
    for (place, entry) in entries.enumerated() where size < Self.maximumTotalSize {
      guard let entry else { continue }
      let own = entry.entry.size ?? 0
      if own > maximumSize {
        entries[place]?.problem = StoreError.tooLargeToRead(entry.entry.key, own, maximumSize)
      } else if entry.type != nil {
        places.append(place)
        size += own
        if size >= Self.maximumTotalSize { entries.removeSubrange((place + 1)...) }
      }
    }
    var parts = places.compactMap { place in
      entries[place]?.type.map {
        RedisParts(keys[place], $0, isBounded: entries[place]?.entry.size != nil)
      }
    }
    let replies: [RedisValue]
    do {
      replies = try await send(parts.map(\.command))
    } catch let error as RedisError where error.reason == .tooLarge {
      guard keys.count == 1 else {
        return try await some(Array(keys.prefix(1)), maximumSize: maximumSize)
      }
      entries[0]?.problem = error
      return entries
    }
    for (index, place) in places.enumerated() {
      if case .failure(let error) = replies[index], error.code == "WRONGTYPE" {
        // Another program has replaced it since its type was read.
        entries[place] = try await some([keys[place]], maximumSize: maximumSize).first ?? nil
        continue
      }
      do {
        try parts[index].take(replies[index])
        entries[place] =
          parts[index].isComplete
          ? entries[place]?.holding(parts[index].value)
          : try await large(parts[index], entries[place], maximumSize)
      } catch let error as RedisError where !error.isOfConnection {
        entries[place]?.problem = error
      }
    }
    if features.hasFieldExpiries { try await noteFieldExpiries(&entries) }
    return entries
  }

  /// Notes the hashes whose copies would be incomplete, without the expiries of their fields.
  private func noteFieldExpiries(_ entries: inout [RedisEntry?]) async throws {
    var hashes: [(place: Int, command: RedisCommand)] = []
    for (place, found) in entries.enumerated() where found?.type == .hash {
      guard let entry = found?.entry, entry.loss == nil, let key = entry.key.redisKey,
        case .dictionary(let fields)? = entry.value
      else { continue }
      let names = fields.prefix(Self.maximumFields).map { RedisArgument($0.name) }
      hashes.append((place, RedisFeatures.expiries(names, of: key)))
    }
    guard !hashes.isEmpty else { return }
    for (hash, reply) in zip(hashes, try await send(hashes.map(\.command))) {
      let count = reply.elements?.count { ($0.integer ?? -1) >= 0 } ?? 0
      if count > 0 { entries[hash.place]?.entry.loss = Messages.expiringFields(count) }
    }
  }

  /// Returns an entry after its first part was read; nil if it no longer exists.
  private func large(
    _ first: RedisParts, _ entry: RedisEntry?, _ maximumSize: Int
  ) async throws -> RedisEntry? {
    guard let client else {
      var parts = first
      while !parts.isComplete, parts.size <= maximumSize {
        try parts.take(try await send([parts.command]).first ?? .null)
      }
      guard parts.size <= maximumSize else {
        return entry?.unread(
          StoreError.tooLargeToRead(first.key.entryKey, parts.size, maximumSize))
      }
      return entry?.holding(parts.value)
    }
    for _ in 0..<Self.attempts {
      var found: RedisEntry?
      do {
        let replies = try await client.transaction(watching: [first.key]) { read in
          found =
            try await RedisReader(inside: read, features)
            .some([first.key], maximumSize: maximumSize).first ?? nil
          if let error = found?.problem as? RedisError { throw error }
          // Fails if the value has changed since its first part was read.
          return [.read("EXISTS", key: first.key)]
        }
        if replies != nil { return found }
      } catch let error as RedisError where error.reason == .notPermitted {
        return try await RedisReader(inside: send, features).large(first, entry, maximumSize)
      }
    }
    return entry?.unread(StoreError.keepsChanging(first.key.entryKey))
  }

  /// Returns all entries, whole unless they have a problem; nil for keys that do not exist.
  func all(
    _ keys: [RedisArgument], maximumSize: Int = Self.maximumSize
  ) async throws -> [RedisEntry?] {
    var entries: [RedisEntry?] = []
    while entries.count < keys.count {
      entries += try await some(Array(keys[entries.count...]), maximumSize: maximumSize)
    }
    return entries
  }
}
