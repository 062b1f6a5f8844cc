import Harmony
import HarmonyRedis
import LarderModel
import LarderStoreBase

/// A reader of pages and counts, for which all keys are listed.
struct RedisPages {
  let client: RedisClient
  let location: StoreLocation
  let keys: RedisKeys
  let reader: RedisReader

  /// The maximum number of keys to list at a time.
  private static let maximumCount = 10_000
  /// The minimum number of keys in a database from which a sample is read.
  private static let minimumSampled = 20_000
  /// The number of parts of the list of keys that are looked at for a sample.
  private static let sampledParts = 20

  /// Returns a page of entries.
  func page(_ query: EntryPageQuery) async throws -> [Entry] {
    try query.checkOrder([.types, .expiry])
    guard let ordered = query.inKeyOrder else { return try await sorted(query) }
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    let isFiltered = query.filter != nil || query.expiring != nil
    let limit = max(query.limit, 0)
    var walk = Walk(keys, query.prefix, after: query.after, ordered.direction)
    var meter = ScanMeter(query.scan)
    var page: [Entry] = []
    var (isComplete, isSpent) = (false, false)
    while page.count < limit, !isSpent {
      let count = isFiltered ? RedisReader.batch : min(limit - page.count, Self.maximumCount)
      let listed = try await walk.next(count, query.scan)
      isComplete = listed.isEmpty
      if isComplete { break }
      for (key, entry) in zip(listed, try await entries(listed, query, matcher))
      where page.count < limit && !isSpent {
        walk.after = key
        if let entry { page.append(entry.shown(query.detail)) }
        isSpent = meter.countOne()
      }
      if isFiltered { meter.report(position: walk.position) }
    }
    meter.report(position: walk.position, isComplete: isComplete)
    return page
  }

  /// Returns the first entries that the server finds, or none if all keys are listed quickly.
  func sample(_ query: SampleQuery) async throws -> [Entry] {
    guard try await keyCount() >= Self.minimumSampled else { return [] }
    var found: [[UInt8]] = []
    var parts = 0
    for try await part in client.scan(prefix: Array(query.prefix.utf8)) {
      parts += 1
      // The server may repeat a key.
      found += part.filter { !found.contains($0) }.prefix(query.limit - found.count)
      if found.count >= query.limit || parts == Self.sampledParts { break }
    }
    return try await entries(found, EntryPageQuery(detail: query.detail), nil).compactMap {
      $0?.shown(query.detail)
    }
  }

  /// Returns a page in another order, for which all entries are examined.
  private func sorted(_ query: EntryPageQuery) async throws -> [Entry] {
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    var previous: Entry?
    if let after = query.after?.redisKey {
      previous = try await reader.summaries([after]).first??.entry
    }
    let rank = try query.rankAfter(matcher) { _ in previous }
    var selection = SortedSelection(query, after: rank)
    var meter = ScanMeter(query.scan, isWhole: true)
    // The values of the page are read at the end.
    var examined = query
    examined.detail = query.order.needsFacts || query.detail == .summary ? .summary : .keys
    try await forEach(query.prefix, query.scan) { listed in
      for entry in try await entries(listed, examined, matcher) {
        try meter.countOneOfAll()
        guard let entry else { continue }
        let rank =
          query.order.needsFacts
          ? query.order.rank(of: entry) : matcher?.rank(of: entry.key) ?? .unknown
        selection.take(rank, entry.key) { _ in entry.shown(examined.detail) }
      }
      return true
    }
    let page = selection.takePage()
    meter.report(position: nil, isComplete: !selection.hasMore)
    guard query.detail == .values else { return page.map { $0.shown(query.detail) } }
    return try await whole(page.compactMap(\.key.redisKey), query) { $0?.entry }
      .compactMap(\.self)
  }

  /// Returns an entry with the number of entries that match.
  func count(_ query: CountQuery) async throws -> Entry {
    if query.prefix.isEmpty, query.filter == nil, !query.measures {
      return CountQuery.answer(try await keyCount())
    }
    if query.precision == .estimate { throw CoreError.QueryNotSupported.query(query) }
    let page = EntryPageQuery(
      prefix: query.prefix, filter: query.filter, detail: query.measures ? .summary : .keys)
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    var meter = ScanMeter(query.scan)
    var (count, bytes, isSpent) = (0, query.measures ? Int?.some(0) : nil, false)
    try await forEach(query.prefix, query.scan) { listed in
      for entry in try await entries(listed, page, matcher) {
        isSpent = meter.countOne() || isSpent
        guard let entry else { continue }
        count += 1
        if let sum = bytes { bytes = entry.size.map { sum + $0 } }
      }
      meter.report(position: nil)
      return !isSpent
    }
    meter.report(position: nil, isComplete: !isSpent)
    return CountQuery.answer(count, bytes: bytes, isExact: !isSpent)
  }

  /// Returns the number of keys of all servers.
  private func keyCount() async throws -> Int {
    var count: Int64 = 0
    for master in try await client.masters() {
      count += try await client.send(.read("DBSIZE"), to: master).integer ?? 0
    }
    return Int(clamping: count)
  }

  // MARK: Parts

  /// The keys of a page, one part after the other.
  private struct Walk {
    let keys: RedisKeys
    let prefix: [UInt8]
    let isBackward: Bool
    var after: [UInt8]?
    /// Whether the page starts after all keys.
    private let isEmpty: Bool

    init(
      _ keys: RedisKeys, _ prefix: String, after: EntryKey?, _ direction: EntryPageQuery.Direction
    ) {
      self.keys = keys
      self.prefix = Array(prefix.utf8)
      isBackward = direction == .backward
      self.after = after?.redisKey?.bytes
      // Keys of other types come before or after all of these.
      isEmpty =
        after.map { $0.redisKey == nil && ($0 < .text("")) == (direction == .backward) } ?? false
    }

    var position: EntryKey? { after.map { EntryKey(textBytes: $0) } }

    func next(_ count: Int, _ scan: Scan?) async throws -> [[UInt8]] {
      if isEmpty { return [] }
      return try await keys.next(
        count, below: prefix, after: after, isBackward: isBackward, scan)
    }
  }

  /// Calls a closure with all keys that have a prefix, in parts, until it returns false.
  private func forEach(
    _ prefix: String, _ scan: Scan?, _ body: ([[UInt8]]) async throws -> Bool
  ) async throws {
    var walk = Walk(keys, prefix, after: nil, .forward)
    while true {
      let listed = try await walk.next(RedisReader.batch, scan)
      guard let last = listed.last, try await body(listed) else { return }
      walk.after = last
    }
  }

  /// Returns the entries of keys with what a page needs; nil for those that do not match or are gone.
  private func entries(
    _ listed: [[UInt8]], _ query: EntryPageQuery, _ matcher: KeyMatcher?
  ) async throws -> [Entry?] {
    let isWhole = query.detail == .values || query.filter?.readsValues == true
    let matching = listed.map { key in
      query.filter?.field != .keys || key.withUnsafeBytes { matcher?.matches($0) ?? true }
    }
    if !isWhole, query.detail == .keys, query.expiring == nil {
      return zip(listed, matching).map { $1 ? Entry(key: EntryKey(textBytes: $0)) : nil }
    }
    let places = listed.indices.filter { matching[$0] }
    let keys = places.map { RedisArgument(listed[$0]) }
    func matched(_ found: RedisEntry?) -> Entry? {
      guard let found, query.expiring?.contains(found.entry.expires) ?? true else { return nil }
      if query.filter?.field == .values, let matcher {
        if let problem = found.problem {
          matcher.report(unreadable: found.entry.key, StoreError(redis: problem, at: location))
        }
        guard let value = found.entry.value, matcher.matches(value, of: found.entry.key) else {
          return nil
        }
      }
      return found.entry
    }
    let found =
      isWhole
      ? try await whole(keys, query) { matched($0)?.shown(query.detail) }
      : try await reader.summaries(keys).map(matched)
    var entries = [Entry?](repeating: nil, count: listed.count)
    for (place, entry) in zip(places, found) { entries[place] = entry }
    return entries
  }

  /// Returns the results of a closure for whole entries, without having all of them in memory.
  ///
  /// - Throws: The error of a value that cannot be read if the query limits the size of values.
  private func whole<Result>(
    _ keys: [RedisArgument], _ query: EntryPageQuery, _ body: (RedisEntry?) -> Result
  ) async throws -> [Result] {
    var results: [Result] = []
    while results.count < keys.count {
      let some = try await reader.some(
        Array(keys[results.count...]), maximumSize: query.maximumSize ?? RedisReader.maximumSize)
      if query.maximumSize != nil, let problem = some.lazy.compactMap({ $0?.problem }).first {
        throw problem
      }
      results += some.map(body)
    }
    return results
  }
}

extension Entry {
  /// The entry without a value that was read for a filter.
  private var withoutValue: Entry {
    guard value != nil else { return self }
    var entry = Entry(key: key, type: type, size: size, expires: expires)
    (entry.form, entry.typeName) = (form, typeName)
    return entry
  }

  /// Returns the entry reduced to a page's detail.
  fileprivate func shown(_ detail: EntryPageQuery.Detail) -> Entry {
    switch detail {
    case .keys: Entry(key: key)
    case .summary: withoutValue
    case .values: self
    }
  }
}
