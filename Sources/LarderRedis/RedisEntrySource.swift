import Foundation
import Harmony
import HarmonyRedis
import LarderModel
import LarderStoreBase

/// A data source for the keys of one database of a server, or of a cluster.
///
/// Several changes are made together in transactions: all of them on a single server, as long as
/// they are not too many, and those of each hash slot in a cluster.
final class RedisEntrySource: EntrySource {
  private let client: RedisClient
  private let location: StoreLocation
  private let isReadOnly: Bool
  private let features: RedisFeatures
  private let keys: RedisKeys
  /// The version of the server, which decides whether it understands a recorded entry.
  private let version: RedisVersion?

  init(
    _ client: RedisClient, at location: StoreLocation, isReadOnly: Bool, features: RedisFeatures,
    version: RedisVersion?
  ) {
    self.client = client
    self.location = location
    self.isReadOnly = isReadOnly
    self.features = features
    self.version = version
    keys = RedisKeys(client)
  }

  /// Returns a change feed; after each change, the keys are listed again.
  func changeFeed() -> some ChangeFeed {
    RedisChangeFeed(client) { [keys] in keys.forget() }
  }

  private var reader: RedisReader {
    RedisReader(client, features)
  }

  private var writer: RedisWriter { RedisWriter(client: client, features: features) }

  private var pages: RedisPages {
    RedisPages(client: client, location: location, keys: keys, reader: reader)
  }

  /// Performs calls, and explains their errors.
  private func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as RedisError {
      throw StoreError(redis: error, at: location)
    }
  }

  private func future<Value: Sendable>(
    _ body: @escaping @Sendable (RedisEntrySource) async throws -> Value
  ) -> Future<Value> {
    Future { [self] in try await explaining { try await body(self) } }
  }

  /// Performs calls that write, or fails if the store is read-only.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (RedisEntrySource) async throws -> Value
  ) -> Future<Value> {
    if isReadOnly { return Future(StoreError.openedReadOnly(location.description)) }
    return future { source in
      defer { source.keys.forget() }
      return try await body(source)
    }
  }

  // MARK: Reading

  func read(_ keys: [EntryKey]) -> Future<[Entry]> { read(keys, maximumSize: nil) }

  private func read(_ keys: [EntryKey], maximumSize: Int?) -> Future<[Entry]> {
    future { source in
      let found = try await source.reader.all(
        keys.compactMap(\.redisKey), maximumSize: maximumSize ?? RedisReader.maximumSize)
      var rest = found[...]
      return try keys.map { key in
        let entry = try (key.redisKey.flatMap { _ in rest.popFirst() ?? nil }).found(key)
        if let problem = entry.problem { throw problem }
        return entry.entry
      }
    }
  }

  func get(_ query: any Query) -> Future<Entry> {
    if let query = query as? PresenceQuery { return answer(query) }
    switch ReadRequest(query) {
    case .one(let key):
      return read([key], maximumSize: (query as? EntryQuery)?.maximumSize).map { try $0.only() }
    case .count(let query): return answer(query)
    default: return query.unsupported()
    }
  }

  func answer(_ query: PresenceQuery) -> Future<Entry> {
    future { source in
      let keys = [query.entryKey.redisKey].compactMap(\.self)
      return try (try await source.reader.summaries(keys).first ?? nil)
        .found(query.entryKey).entry
    }
  }

  func answer(_ query: EntriesQuery) -> Future<[Entry]> {
    future { source in
      // A key that is not text cannot exist, and is reported as missing.
      let known = query.keys.prefix { $0.redisKey != nil }
      guard !known.isEmpty else { return query.keys.prefix(1).map { Entry(key: $0) } }
      let found = try await source.reader.some(
        known.compactMap(\.redisKey), maximumSize: query.maximumSize ?? RedisReader.maximumSize)
      return zip(known, found)
        .prefix { $1 == nil || $1?.entry.value != nil || query.leavesOutLarge }
        .map { $1?.entry ?? Entry(key: $0) }
    }
  }

  func answer(_ query: CountQuery) -> Future<Entry> { future { try await $0.pages.count(query) } }

  func answer(_ query: EntryPageQuery) -> Future<[Entry]> {
    future { try await $0.pages.page(query) }
  }

  func answer(_ query: SampleQuery) -> Future<[Entry]> {
    future { try await $0.pages.sample(query) }
  }

  // MARK: Writing

  func put(_ writes: [EntryWrite]) -> Future<[Entry]> {
    write { source in
      try await source.writer.perform(
        writes.map { ($0.request, .value($0.value, RedisForm($0.form))) }
      ).compactMap(\.self)
    }
  }

  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> {
    write { try await $0.writer.rename(renames, scan) }
  }

  func answer(_ query: ChangesQuery) -> Future<[Entry]> {
    write { source in
      try await source.writer.perform(
        query.changes.map { (WriteRequest($0), $0.redisChange) }, query.scan
      )
      .compactMap(\.self)
    }
  }

  func answer(_ query: RecordedChangeQuery) -> Future<[Entry]> {
    write { source in
      switch query.change {
      case .renames(let renames): try await source.rename(renames, query.record)
      case .changes(let changes): try await source.change(changes, query.record)
      }
    }
  }

  /// Renames entries after recording their expiries.
  private func rename(_ query: RenamesQuery, _ record: ChangeRecord) async throws -> [Entry] {
    if record.purpose == .change {
      let keys = query.renames.compactMap(\.entryKey.redisKey)
      let expiries = zip(keys, try await client.send(keys.map(features.expiry)))
      let dumps = expiries.map { ($0, RedisDump(expiry: features.milliseconds($1))) }
      try record.record(
        RedisRecord(version: version, dumps: Dictionary(dumps) { $1 }).encoded, isSpare: true)
    }
    return try await writer.rename(query.renames, query.scan)
  }

  /// Makes changes after recording the current entries, or restores recorded entries.
  private func change(_ query: ChangesQuery, _ record: ChangeRecord) async throws -> [Entry] {
    let keys = query.changes.compactMap(\.key.redisKey)
    let kept = record.recorded.flatMap(RedisRecord.init(encoded:))
    if record.purpose == .change {
      var dumps = try await writer.dumps(keys, limit: record.limit)
      for change in query.changes {
        guard let key = change.key.redisKey else { continue }
        dumps[key, default: RedisDump()].newExpiry = RedisForm(change.form).expiry
      }
      try record.record(RedisRecord(version: version, dumps: dumps).encoded)
    }
    // An older server may not understand the format of a newer one.
    let isUnderstood =
      kept?.version.map { theirs in version.map { theirs <= $0 } ?? false } ?? true
    return try await writer.perform(
      query.changes.map { change in
        let dump = change.key.redisKey.flatMap { kept?.dumps[$0] }
        return switch (record.purpose, dump, change.value) {
        case (.undo, let dump?, let value?) where isUnderstood && !dump.bytes.isEmpty:
          (WriteRequest(change), .dump(dump, of: value))
        // The entry has expired, and would have had the same expiry with the other value.
        case (.redo, let dump?, _?) where change.expecting == nil && dump.isExpired:
          (WriteRequest(change), .nothing)
        default: (WriteRequest(change), change.redisChange)
        }
      }, query.scan
    ).compactMap(\.self)
  }

  func answer(_ request: DeleteRequest) -> Future<Void> {
    write { source in
      switch request {
      case .one(let key, let condition):
        guard key.redisKey != nil else {
          if case .unchanged = condition { throw StoreError.conflict(current: nil) }
          return
        }
        _ = try await source.writer.perform([(WriteRequest(key, condition), .nothing)])
      case .several(let keys): try await source.writer.delete(keys.compactMap(\.redisKey))
      case .prefix(let prefix, let scan): try await source.writer.delete(below: prefix, scan)
      case .all: try await source.writer.delete(below: "", nil)
      }
    }
  }
}

extension EntryChange {
  /// The write to the key of the change.
  fileprivate var redisChange: RedisWriter.Change {
    value.map { .value($0, RedisForm(form)) } ?? .nothing
  }
}

// MARK: - Expiry

extension RedisEntrySource: ExpiryService, SeparateExpiries {
  var separate: (any SeparateExpiries)? { self }

  var areWrittenWithValues: Bool { true }

  func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry {
    var entry = entry
    var form = RedisForm(entry.form)
    form.expiry = RedisForm.Expiry(expires)
    entry.form = form.text
    entry.expires = expires
    return entry
  }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    let entries = try await explaining {
      try await reader.all(changes.compactMap(\.key.redisKey))
    }
    guard entries.count == changes.count else { throw StoreError.conflict(current: nil) }
    return try zip(changes, entries).map { change, found in
      var entry = try change.checked(found?.entry)
      entry.expires = change.expires
      return entry
    }
  }

  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    // The server deletes an entry whose expiry has passed.
    if let past = changes.first(where: { $0.expires.map { $0 <= Date() } ?? false }) {
      throw StoreError.pastExpiry(past.key)
    }
    return try await write { source in
      try await source.writer.perform(
        changes.map { change in
          (
            WriteRequest(change.key, change.expecting.map { .unchanged($0) } ?? .anything),
            .expiry(RedisForm.Expiry(change.expires))
          )
        }, scan
      ).compactMap(\.self)
    }.getCancelling()
  }
}

extension RedisForm.Expiry {
  fileprivate init(_ date: Date?) {
    guard let date, date != .distantFuture else {
      self = .never
      return
    }
    self = .at(milliseconds: .milliseconds(date))
  }
}
