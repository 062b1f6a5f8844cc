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
    /// The dump of a value.
    case dump(RedisDump, of: StoredValue)

    var size: Int {
      switch self {
      case .nothing, .expiry: 0
      case .value(let value, _): value.storedSize
      case .dump(let dump, _): dump.bytes.count
      }
    }

    /// Whether the current value decides what to write.
    var dependsOnValue: Bool {
      if case .value = self { true } else { false }
    }
  }

  /// The commands of a transaction, and the keys with the entries that it leaves, apart from their
  /// expiries and sizes.
  fileprivate struct Plan {
    var commands: [RedisCommand] = []
    var results: [(key: RedisArgument, entry: RedisEntry)?] = []
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
      guard case .value(let value, let form) = write.change else { continue }
      // Nothing is written if a value is certain to be refused.
      try await scan.blaming(write.request.key) {
        if RedisType(value, form, over: nil) == nil {
          throw StoreError.notOfRedis(write.request.key, value.type)
        }
        // The server would delete the entry.
        if case .at(let milliseconds)? = form.expiry, milliseconds <= .millisecondsNow {
          throw StoreError.pastExpiry(write.request.key)
        }
      }
    }
    var stored = [Entry?](repeating: nil, count: writes.count)
    var count = 0
    var kept = 0
    for group in try await client.transactionGroups(keys) {
      var rest = group[...]
      while !rest.isEmpty {
        let part = try await takeBatch(of: &rest) { (keys[$0], writes[$0].change.size) }
        let needsValues = part.contains {
          writes[$0].change.dependsOnValue || writes[$0].request.condition.comparesValue
        }
        try scan?.reportChanged(count)
        let entries = try await transaction(part.map { keys[$0] }, needsValues) { current in
          var plan = Plan()
          for (place, old) in zip(part, current) {
            let write = writes[place]
            try scan.blaming(write.request.key) {
              guard write.request.condition.allows(old?.entry) else {
                throw StoreError.conflict(current: old?.entry)
              }
              try plan.add(keys[place], write.change, over: old)
            }
          }
          return plan
        }
        for (place, entry) in zip(part, entries) {
          stored[place] = Self.trimmed(entry, writes[place].change, &kept)
        }
        count += part.count
      }
    }
    // Ignore a cancellation at this point: all changes have been made.
    try? scan?.reportChanged(count)
    return stored
  }

  /// Removes and returns the first elements whose values fit into one transaction, at least one.
  ///
  /// - Parameters:
  ///   - rest: The elements.
  ///   - element: Returns the key of an element, and the number of bytes that are sent for it.
  /// - Returns: The elements of the transaction.
  /// - Throws: ``RedisError``.
  private func takeBatch<Element>(
    of rest: inout ArraySlice<Element>, _ element: (Element) throws -> (RedisArgument, size: Int)
  ) async throws -> [Element] {
    if rest.count == 1 {
      defer { rest = [] }
      return Array(rest)
    }
    let next = try rest.prefix(Self.batch).map(element)
    let current = try await RedisReader(client, features).summaries(next.map(\.0))
    var total = 0
    let count = zip(next, current).prefix { element, old in
      total += element.size + (old?.entry.size ?? 0)
      return total <= Self.maximumSize
    }.count
    defer { rest = rest.dropFirst(max(count, 1)) }
    return Array(rest.prefix(max(count, 1)))
  }

  /// Returns a written entry, without its value if that was only read and would be one too many in
  /// memory.
  private static func trimmed(
    _ entry: Entry?, _ change: Change, _ kept: inout Int
  ) -> Entry? {
    guard var entry, !change.dependsOnValue else { return entry }
    kept += entry.size ?? 0
    if kept > maximumSize {
      entry.value = nil
      entry.isWhole = false
    }
    return entry
  }

  /// Performs commands, once the current entries of their keys have been compared.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - needsValues: Whether the values of the current entries are needed.
  ///   - prepare: Returns what to do, for the current entries of the keys.
  /// - Returns: The entries that the transaction leaves, with their expiries and sizes as a part of
  ///   it.
  /// - Throws: ``RedisError``, and errors of the closure.
  private func transaction(
    _ keys: [RedisArgument], _ needsValues: Bool, _ prepare: ([RedisEntry?]) throws -> Plan
  ) async throws -> [Entry?] {
    for _ in 0..<Self.attempts {
      var plan = Plan()
      let replies = try await client.transaction(watching: keys) { read in
        let reader = RedisReader(inside: read, features)
        let current = try await needsValues ? reader.all(keys) : reader.summaries(keys)
        if needsValues, let problem = current.lazy.compactMap({ $0?.problem }).first {
          throw problem
        }
        plan = try prepare(current)
        plan.commands += try await features.keepingFieldExpiries(plan.commands, read)
        return plan.commands
          + plan.results.flatMap { result in result.map { features.facts($0.key) } ?? [] }
      }
      guard let replies else { continue }
      var rest = replies.dropFirst(plan.commands.count)
      return plan.results.map { result -> Entry? in
        guard let result else { return nil }
        let facts = Array(rest.prefix(features.facts(result.key).count))
        rest = rest.dropFirst(facts.count)
        // The entry may have expired at once.
        if facts.first?.integer == -2 { return nil }
        var entry = features.adding(facts, to: result.entry).entry
        entry.key = result.key.entryKey
        return entry
      }
    }
    throw StoreError.keepsChanging(keys.first?.entryKey ?? .text(""))
  }

  // MARK: Renaming

  /// Renames entries in order, as many together as the server can.
  func rename(_ renames: [RenameQuery], _ scan: Scan?) async throws -> [Entry] {
    let ordered = try renames.inOrder()
    for rename in ordered { _ = try rename.newKey.redisKeyToWrite() }
    var renamed: [EntryKey: Entry] = [:]
    let isCluster = try await client.isCluster()
    var (rest, kept) = (ordered[...], 0)
    while let first = rest.first {
      try scan?.reportChanged(ordered.count - rest.count)
      let part: [RenameQuery]
      if isCluster {
        part = [first]
        rest = rest.dropFirst()
      } else {
        part = try await takeBatch(of: &rest) { (try $0.entryKey.redisKeyToWrite(), 0) }
      }
      let keys = part.flatMap { [$0.entryKey.redisKey, $0.newKey.redisKey] }.compactMap(\.self)
      let isTogether = try await client.transactionGroups(keys).count == 1
      let entries: [Entry?] =
        isTogether ? try await renameTogether(part) : [try await move(first)]
      for (rename, entry) in zip(part, entries) {
        renamed[rename.entryKey] = Self.trimmed(entry, .nothing, &kept)
      }
    }
    try? scan?.reportChanged(ordered.count)
    for rename in renames where rename.entryKey == rename.newKey {
      renamed[rename.entryKey] = try await expected(rename).entry
    }
    return renames.compactMap { renamed[$0.entryKey] }
  }

  /// Renames entries of one node; the result is nil for an entry that has expired meanwhile.
  private func renameTogether(_ renames: [RenameQuery]) async throws -> [Entry?] {
    let names = renames.flatMap { [$0.entryKey, $0.newKey] }
    let keys = try names.map { try $0.redisKeyToWrite() }
    return try await transaction(keys, true) { current in
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
        plan.results.append((new, entry))
      }
      return plan
    }
  }

  /// Renames an entry to a key of another node: first writes it there, then deletes the old one.
  private func move(_ rename: RenameQuery) async throws -> Entry {
    let dumps = try await dumps([try rename.entryKey.redisKeyToWrite()], limit: .max)
    let current = try await expected(rename).entry
    guard let dump = dumps.values.first, let value = current.value else {
      throw StoreError.conflict(current: nil)
    }
    let written = try await perform([
      (WriteRequest(rename.newKey, .nothing), .dump(dump, of: value))
    ])
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
    let found =
      try await RedisReader(client, features).all([rename.entryKey.redisKeyToWrite()]).first ?? nil
    if let problem = found?.problem { throw problem }
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
    var rest = keys[...]
    while !rest.isEmpty {
      let part = try await takeBatch(of: &rest) { ($0, 0) }
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
      if old?.type != .stream, let obstacle = old?.entry.editObstacle {
        throw .notRewritable(key.entryKey, obstacle)
      }
      let new = try RedisCommands(key, value, form, over: old)
      commands += new.commands
      results.append((key, RedisEntry(key, new.type).holding(new.type.stored(value))))
    case .expiry(let expiry):
      guard let old else { throw .conflict(current: nil) }
      commands.append(RedisCommands.expire(key, expiry))
      results.append((key, old))
    case .dump(let dump, let value):
      let command = try dump.restoring(key, over: old)
      if let command { commands.append(command) }
      results.append(command == nil ? nil : (key, RedisEntry(key, dump.type).holding(value)))
    }
  }
}

extension WriteRequest.Condition {
  /// Whether the current value is compared, or reported if there must be none.
  fileprivate var comparesValue: Bool {
    if case .anything = self { false } else { true }
  }
}
