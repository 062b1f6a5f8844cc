import Harmony
import HarmonyRedis
import LarderModel

/// A writer of entries, in transactions that fail if an entry changes after it was compared.
struct RedisWriter {
  let client: RedisClient
  let features: RedisFeatures

  /// The number of keys in one transaction, which blocks the server.
  private static let batch = 100
  /// The maximum size of the values in one transaction, apart from the last.
  private static let maximumSize = 8 << 20
  /// The number of attempts while other programs write the same keys.
  private static let attempts = 8

  /// A write to a key.
  enum Change {
    case nothing
    case value(StoredValue, RedisForm)
    case expiry(RedisForm.Expiry)
    case dump(RedisDump)

    var size: Int {
      switch self {
      case .nothing, .expiry: 0
      case .value(let value, _): value.storedSize
      case .dump(let dump): dump.bytes.count
      }
    }
  }

  /// The commands of a transaction, and the keys with the entries that it leaves.
  fileprivate struct Plan {
    var commands: [RedisCommand] = []
    var results: [(key: RedisArgument, type: RedisType?)?] = []
  }

  /// Performs writes, as many together as the server can.
  ///
  /// - Parameters:
  ///   - writes: The writes, with at most one for each key.
  ///   - scan: The scan that receives progress and can stop the operation.
  /// - Returns: The entries as stored; nil for those that were deleted.
  /// - Throws: ``StoreError/conflict(current:)`` if a condition does not hold, or ``RedisError``.
  func perform(
    _ writes: [(request: WriteRequest, change: Change)], _ scan: Scan? = nil
  ) async throws -> [Entry?] {
    var keys: [RedisArgument] = []
    for write in writes {
      let key = try write.request.key.redisKeyToWrite()
      keys.append(key)
      // Nothing is written if a value is certain to be refused.
      if case .value(let value, let form) = write.change,
        RedisType(value, form, over: nil) == nil
      {
        throw StoreError.notOfRedis(write.request.key, value.type)
      }
      // The server would delete the entry.
      if case .value(_, let form) = write.change, case .at(let milliseconds)? = form.expiry,
        milliseconds <= .millisecondsNow
      {
        throw StoreError.pastExpiry(write.request.key)
      }
    }
    var stored = [Entry?](repeating: nil, count: writes.count)
    var count = 0
    for group in try await client.transactionGroups(keys) {
      var rest = group[...]
      while !rest.isEmpty {
        let part = Self.batch(rest) { writes[$0].change.size }
        rest = rest.dropFirst(part.count)
        try scan?.reportChanged(count)
        let entries = try await transaction(part.map { keys[$0] }) { current in
          var plan = Plan()
          for (place, old) in zip(part, current) {
            let write = writes[place]
            guard write.request.condition.allows(old?.entry) else {
              throw StoreError.conflict(current: old?.entry)
            }
            try plan.add(keys[place], write.change, over: old)
          }
          return plan
        }
        for (place, entry) in zip(part, entries) { stored[place] = entry }
        count += part.count
      }
    }
    // Ignore a cancellation at this point: all changes have been made.
    try? scan?.reportChanged(count)
    return stored
  }

  /// Returns the first elements that fit into one transaction, at least one.
  private static func batch(
    _ places: ArraySlice<Int>, size: (Int) -> Int
  ) -> ArraySlice<Int> {
    var total = 0
    let count = places.prefix(batch).prefix { place in
      defer { total += size(place) }
      return total <= maximumSize
    }.count
    return places.prefix(max(count, 1))
  }

  /// Performs commands, once the current entries of their keys have been compared.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - prepare: Returns what to do, for the current entries of the keys.
  /// - Returns: The entries that the transaction leaves, read as a part of it.
  /// - Throws: ``RedisError``, and errors of the closure.
  private func transaction(
    _ keys: [RedisArgument], _ prepare: ([RedisEntry?]) throws -> Plan
  ) async throws -> [Entry?] {
    for _ in 0..<Self.attempts {
      var plan = Plan()
      let replies = try await client.transaction(watching: keys) { read in
        plan = try prepare(try await RedisReader(send: read, features: features).all(keys))
        return plan.commands
          + plan.results.flatMap { result in
            result.map { features.reading($0.key, of: $0.type) } ?? []
          }
      }
      guard let replies else { continue }
      var rest = replies.dropFirst(plan.commands.count)
      return try plan.results.map { result -> Entry? in
        guard let result else { return nil }
        let count = features.reading(result.key, of: result.type).count
        defer { rest = rest.dropFirst(count) }
        return try features.entry(result.key, of: result.type, Array(rest.prefix(count)))
      }
    }
    throw StoreError.keepsChanging
  }

  // MARK: Renaming

  /// Renames entries in order, as many together as the server can.
  func rename(_ renames: [RenameQuery], _ scan: Scan?) async throws -> [Entry] {
    let ordered = try renames.inOrder()
    for rename in ordered { _ = try rename.newKey.redisKeyToWrite() }
    var renamed: [EntryKey: Entry] = [:]
    let size = try await client.isCluster() ? 1 : Self.batch
    for start in stride(from: 0, to: ordered.count, by: size) {
      let part = Array(ordered[start..<min(start + size, ordered.count)])
      try scan?.reportChanged(start)
      let keys = part.flatMap { [$0.entryKey.redisKey, $0.newKey.redisKey] }.compactMap(\.self)
      let isTogether = try await client.transactionGroups(keys).count == 1
      let entries =
        isTogether ? try await renameTogether(part) : [try await move(part[0])]
      for (rename, entry) in zip(part, entries) { renamed[rename.entryKey] = entry }
    }
    try? scan?.reportChanged(ordered.count)
    for rename in renames where rename.entryKey == rename.newKey {
      renamed[rename.entryKey] = try await expected(rename).entry
    }
    return renames.compactMap { renamed[$0.entryKey] }
  }

  private func renameTogether(_ renames: [RenameQuery]) async throws -> [Entry] {
    let names = renames.flatMap { [$0.entryKey, $0.newKey] }
    return try await transaction(try names.map { try $0.redisKeyToWrite() }) { current in
      var found = Dictionary(zip(names, current)) { $1 }
      var plan = Plan()
      for rename in renames {
        let (old, new) = (
          try rename.entryKey.redisKeyToWrite(), try rename.newKey.redisKeyToWrite()
        )
        guard let entry = found[rename.entryKey] ?? nil, entry.entry.fingerprint == rename.expecting
        else { throw StoreError.conflict(current: found[rename.entryKey]??.entry) }
        // The key may have been freed by an earlier rename.
        if let taken = found[rename.newKey] ?? nil {
          throw StoreError.conflict(current: taken.entry)
        }
        found[rename.entryKey] = .some(nil)
        found[rename.newKey] = entry
        plan.commands.append(.write("RENAME", key: old, new))
        plan.results.append((new, entry.type))
      }
      return plan
    }.compactMap(\.self)
  }

  /// Renames an entry to a key of another node: first writes it there, then deletes the old one.
  private func move(_ rename: RenameQuery) async throws -> Entry {
    let dumps = try await dumps([try rename.entryKey.redisKeyToWrite()], limit: .max)
    _ = try await expected(rename)
    guard let dump = dumps.values.first else { throw StoreError.conflict(current: nil) }
    let written = try await perform([(WriteRequest(rename.newKey, .nothing), .dump(dump))])
    let old = WriteRequest(rename.entryKey, .unchanged(rename.expecting))
    do {
      _ = try await perform([(old, .nothing)])
    } catch StoreError.conflict(let current) {
      let copy = WriteRequest(rename.newKey, .unchanged(rename.expecting))
      _ = try await perform([(copy, .nothing)])
      throw StoreError.conflict(current: current)
    }
    return try [written.first ?? nil].compactMap(\.self).only()
  }

  /// Returns the entry that a rename expects.
  private func expected(_ rename: RenameQuery) async throws -> RedisEntry {
    let reader = RedisReader(send: { try await client.send($0) }, features: features)
    let found = try await reader.all([rename.entryKey.redisKeyToWrite()]).first ?? nil
    guard let found, found.entry.fingerprint == rename.expecting else {
      throw StoreError.conflict(current: found?.entry)
    }
    return found
  }

  // MARK: Undo

  /// Returns the entries of keys as `DUMP` returns them.
  ///
  /// - Throws: ``StoreError`` if they are larger than the limit.
  func dumps(_ keys: [RedisArgument], limit: Int) async throws -> [RedisArgument: RedisDump] {
    var (dumps, size): ([RedisArgument: RedisDump], Int) = ([:], 0)
    for start in stride(from: 0, to: keys.count, by: Self.batch) {
      let part = keys[start..<min(start + Self.batch, keys.count)]
      let commands = part.flatMap { key -> [RedisCommand] in
        [.read("TYPE", key: key), features.expiry(key), .read("DUMP", key: key)]
      }
      let replies = try await client.send(commands)
      for (place, key) in part.enumerated() {
        let own = replies[(3 * place)..<(3 * place + 3)]
        for (command, reply) in zip(commands[own.indices], own) {
          _ = try reply.answer(to: command)
        }
        guard let bytes = own[own.startIndex + 2].bytes else { continue }
        size += bytes.count
        guard size <= limit else { throw StoreError.tooLargeForJournal(limit: limit) }
        dumps[key] = RedisDump(
          type: own[own.startIndex].text.flatMap { RedisType(rawValue: $0) },
          expiry: features.milliseconds(own[own.startIndex + 1]), bytes: bytes)
      }
    }
    return dumps
  }

  // MARK: Deletion

  /// Deletes all entries with a prefix, in batches and without comparing them.
  func delete(below prefix: String, _ scan: Scan?) async throws {
    var count = 0
    defer { scan?.reportDeleted(count) }
    for try await keys in client.scan(prefix: Array(prefix.utf8)) {
      try scan?.reportChanged(count)
      count += try await delete(keys.map { RedisArgument($0) })
    }
  }

  /// Deletes entries, and returns the number of those that existed.
  @discardableResult
  func delete(_ keys: [RedisArgument]) async throws -> Int {
    let commands = keys.map { RedisCommand.write("UNLINK", key: $0) }
    return try zip(commands, try await client.send(commands)).reduce(0) { sum, pair in
      sum + Int(clamping: try pair.1.answer(to: pair.0).integer ?? 0)
    }
  }
}

extension RedisWriter.Plan {
  /// Adds a write to a key with the given current entry.
  fileprivate mutating func add(
    _ key: RedisArgument, _ change: RedisWriter.Change, over old: RedisEntry?
  ) throws(StoreError) {
    switch change {
    case .nothing:
      if old != nil { commands.append(.write("UNLINK", key: key)) }
      results.append(nil)
    case .value(let value, let form):
      if let obstacle = old?.entry.obstacle {
        throw .notRewritable(EntryKey(textBytes: key.bytes), obstacle)
      }
      let new = try RedisCommands(key, value, form, over: old)
      commands += new.commands
      results.append((key, new.type))
    case .expiry(let expiry):
      guard let old else { throw .conflict(current: nil) }
      commands.append(RedisCommands.expire(key, expiry))
      results.append((key, old.type))
    case .dump(let dump):
      let command = try dump.restoring(key, over: old)
      if let command { commands.append(command) }
      results.append(command == nil ? nil : (key, dump.type))
    }
  }
}
