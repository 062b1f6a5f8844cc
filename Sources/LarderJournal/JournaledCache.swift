import Foundation
import Harmony
import LarderModel

/// A timed cache, of which it is recorded what it held before it is refreshed or evicted.
struct JournaledCache: CacheService {
  let cache: any CacheService
  let writer: JournaledWriter

  func backing(_ key: EntryKey) async throws -> Entry? { try await cache.backing(key) }

  func base(_ key: EntryKey) async throws -> Entry? { try await cache.base(key) }

  func tally() async throws -> CacheTally { try await cache.tally() }

  func exchangeObstacle() async throws -> String? { try await cache.exchangeObstacle() }

  func exchange(
    _ exchanges: [CacheExchange], told: @escaping @Sendable (EntryKey) -> Void
  ) async throws -> [Entry] {
    try await cache.exchange(exchanges, told: told)
  }

  /// Refreshes entries in one step.
  ///
  /// The cache reads them itself, as for its program: what it gets is the backing store, and no copy
  /// that went through larder. What it held is read just before.
  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey, Entry?) -> Void
  ) async throws -> [Entry] {
    guard try await canExchange() else { return try await cache.refresh(keys, scan, told: told) }
    var items = try await writer.items(keys, scan) { $0 ?? CachedValue(.null) }
    for place in items.indices.reversed() where items[place].before == nil {
      try scan?.reportRead(items.count)
      // It stays what it is: nothing.
      if try await cache.backing(items[place].key)?.value == nil { items.remove(at: place) }
    }
    guard !items.isEmpty else { return [] }
    return try await writer.recorded(.refresh, items, scan) { keys, made in
      let read = try await cache.refresh(keys, scan) { key, entry in
        made(key, entry)
        told(key, entry)
      }
      let byKey = Dictionary(read.map { ($0.key, $0) }) { $1 }
      return keys.map { byKey[$0] ?? Entry(key: $0) }
    }.filter { $0.value != nil }
  }

  /// Evicts entries in one step; what the cache held is read just before.
  func evict(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey) -> Void
  ) async throws {
    guard try await canExchange() else { return try await cache.evict(keys, scan, told: told) }
    let items = try await writer.items(keys, scan) { _ in nil }.filter { $0.before != nil }
    guard !items.isEmpty else { return }
    _ = try await writer.recorded(.evict, items, scan) { keys, made in
      try await cache.evict(keys, scan) { key in
        made(key, nil)
        told(key)
      }
      return []
    }
  }

  /// Whether what the cache holds can be put back; if not, it is said that this cannot be undone.
  private func canExchange() async throws -> Bool {
    guard let obstacle = try await cache.exchangeObstacle() else { return true }
    writer.remarks.add(
      "\(obstacle), so what it held before is not in the journal, and cannot be brought back")
    return false
  }
}

extension JournaledWriter {
  /// Records a step of a cache and has it made, entry by entry.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - items: The entries, as they are and as they are to be.
  ///   - scan: Where it may be said that it is to stop.
  ///   - make: Does it to the keys that it is given, and tells of each entry what became of it.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, and why the journal cannot be written.
  fileprivate func recorded(
    _ action: JournalStep.Action, _ items: [JournalItem], _ scan: Scan?,
    _ make: ([EntryKey], _ told: @escaping @Sendable (EntryKey, Entry?) -> Void) async throws
      -> [Entry]
  ) async throws -> [Entry] {
    let made = Locked<[EntryKey: Entry?]>([:])
    return try await recorded(action, items, scan, partial: { made.withLock { $0 } }) { _ in
      try await make(items.map(\.key)) { key, entry in
        made.withLock { $0[key] = .some(entry) }
      }
    }
  }

  /// Gives a cache back what it held before a step, or what the step gave it.
  ///
  /// What its program has cached again since then stays as it is, and that is said: a program that is
  /// at work does so with some of many entries.
  ///
  /// - Returns: The entries that are cached then, and the keys of all that was changed.
  /// - Throws: ``StoreError/conflict(current:)`` where nothing is as the step left it.
  func exchange(
    _ items: [JournalItem], isUndo: Bool
  ) async throws -> (written: [Entry], keys: Set<EntryKey>) {
    let made = Locked<Set<EntryKey>>([])
    let exchanges = items.map { $0.exchange(isUndo: isUndo) }
    let written = try await store.cache?.exchange(exchanges) { key in
      made.withLock { _ = $0.insert(key) }
    }
    let keys = made.withLock { $0 }
    let others = items.map(\.key).filter { !keys.contains($0) }
    if let first = others.first {
      let names = others.count == 1 ? first.spoken : "\(first.spoken) and \(others.count - 1) more"
      remarks.add(
        "\(names): cached again by the program since then, and left as "
          + "\(others.count == 1 ? "it is" : "they are")")
    }
    return (written ?? [], keys)
  }

  /// What a cache holds under some keys, for a step that gives it something else.
  ///
  /// - Parameters:
  ///   - keys: The keys, each of which is taken once.
  ///   - scan: Where it is reported how far it is.
  ///   - after: What it holds afterwards as far as is known, nil for nothing.
  /// - Returns: An entry of the step for each key.
  /// - Throws: What keeps them from being read, and ``StoreError`` where they are too much.
  fileprivate func items(
    _ keys: [EntryKey], _ scan: Scan?, after: (CachedValue?) -> CachedValue?
  ) async throws -> [JournalItem] {
    var known: Set<EntryKey> = []
    let keys = keys.filter { known.insert($0).inserted }
    var draft = StepDraft(limit: journal.limit)
    try await store.source.forEachEntry(keys) { place, entry in
      try scan?.reportRead(place)
      let cached = entry.flatMap { CachedValue($0) }
      var new = after(cached)
      // When it will end is not known yet.
      new?.times = nil
      try draft.append(
        JournalItem(
          key: keys[place], before: cached.map { .init(cached: $0) },
          after: new.map { .init(cached: $0) }, subject: .cached))
    }
    return draft.items
  }
}

extension JournalItem.Side {
  private enum Field {
    static let value = "value"
    static let stored = "stored"
    static let expires = "expires"
  }

  /// The state of an entry in a timed cache: the value and its times.
  init(cached: CachedValue) {
    var fields = [StoredValue.Field(Field.value, cached.value)]
    if let times = cached.times {
      if let stored = times.stored { fields.append(.init(Field.stored, .date(stored))) }
      fields.append(.init(Field.expires, times.expires.map { .date($0) } ?? .null))
    }
    self.init(value: .record(fields), form: cached.form)
  }

  /// What is cached in this state.
  fileprivate var cached: CachedValue? {
    func date(_ name: String) -> Date? {
      if case .date(let date)? = value.field(name) { date } else { nil }
    }
    return value.field(Field.value).map { own in
      let times = value.field(Field.expires).map { _ in
        CachedValue.Times(stored: date(Field.stored), expires: date(Field.expires))
      }
      return CachedValue(own, form: form, times: times)
    }
  }
}

extension JournalItem {
  /// What is cached of an entry: what was before the step, or what it made of it, if it is that.
  func cachedMark(of entry: Entry?) -> StoredValue? {
    guard let found = entry.flatMap({ CachedValue($0) }) else { return nil }
    return value(nearest: Side(cached: found)) { $0.cached?.isMet(by: found) == true }
  }

  /// Concludes from what is cached whether the step has changed an entry, of which nothing was told.
  mutating func settle(cached entry: Entry?) {
    let found = mark(of: entry)
    if found == before?.value {
      isDone = false
    } else if found == after?.value || after != nil {
      // What was read again may be any value.
      isDone = true
      take(entry ?? Entry(key: key), after: true)
    }
  }

  /// How the cache gets what the step gave it, or back what it held before.
  fileprivate func exchange(isUndo: Bool) -> CacheExchange {
    CacheExchange(key, expecting: self[after: isUndo]?.cached, new: self[after: !isUndo]?.cached)
  }
}
