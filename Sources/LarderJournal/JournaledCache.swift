import Foundation
import Harmony
import LarderModel

/// A timed cache that records what it held before each refresh and eviction.
struct JournaledCache: CacheService {
  let cache: any CacheService
  let writer: JournaledDataSource

  func backing(_ key: EntryKey) async throws -> Entry? { try await cache.backing(key) }

  func base(_ key: EntryKey) async throws -> Entry? { try await cache.base(key) }

  func tally() async throws -> CacheTally { try await cache.tally() }

  func exchangeObstacle() async throws -> String? { try await cache.exchangeObstacle() }

  func exchange(
    _ exchanges: [CacheExchange], told: @escaping @Sendable (EntryKey) -> Void
  ) async throws -> [Entry] {
    try await cache.exchange(exchanges, told: told)
  }

  /// Refreshes entries in one change.
  ///
  /// The cache reads them itself, as it does for its program, so that it gets the backing store's
  /// values and not copies that went through larder. The cached values are read just before.
  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey, Entry?) -> Void
  ) async throws -> [Entry] {
    guard try await canExchange() else { return try await cache.refresh(keys, scan, told: told) }
    var items = try await writer.items(keys, scan) { $0 ?? CachedValue(.null) }
    for place in items.indices.reversed() where items[place].before == nil {
      try scan?.reportRead(items.count)
      // Neither cached nor in the backing store: a refresh would not change it.
      if try await cache.backing(items[place].key)?.value == nil { items.remove(at: place) }
    }
    guard !items.isEmpty else { return [] }
    let keys = items.map(\.key)
    return try await writer.recorded(.refresh, items, scan) { _, made in
      let read = try await cache.refresh(keys, scan) { key, entry in
        made(key, entry)
        told(key, entry)
      }
      let byKey = Dictionary(read.map { ($0.key, $0) }) { $1 }
      return keys.map { byKey[$0] ?? Entry(key: $0) }
    }.filter { $0.value != nil }
  }

  /// Evicts entries in one change; the cached values are read just before.
  func evict(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey) -> Void
  ) async throws {
    guard try await canExchange() else { return try await cache.evict(keys, scan, told: told) }
    let items = try await writer.items(keys, scan) { _ in nil }.filter { $0.before != nil }
    guard !items.isEmpty else { return }
    _ = try await writer.recorded(.evict, items, scan) { _, made in
      try await cache.evict(items.map(\.key), scan) { key in
        made(key, nil)
        told(key)
      }
      return []
    }
  }

  /// Returns whether the cache's contents can be restored; if not, adds a warning that the change
  /// cannot be undone.
  private func canExchange() async throws -> Bool {
    guard let obstacle = try await cache.exchangeObstacle() else { return true }
    writer.warnings.add(Messages.noOldContent(obstacle))
    return false
  }
}

extension JournaledDataSource {
  /// Restores the cache's contents from before a change, or from after it.
  ///
  /// Entries that the program has cached again since are left unchanged, with a warning: a live
  /// process does that to some of many entries.
  ///
  /// - Returns: The entries that are now cached, and the keys of all that were changed.
  /// - Throws: ``StoreError/conflict(current:)`` if no entry is as the change left it.
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
      warnings.add(Messages.cachedAgain(first, others: others.count - 1))
    }
    return (written ?? [], keys)
  }

  /// Returns the items of a change of cached entries.
  ///
  /// - Parameters:
  ///   - keys: The keys; duplicates are ignored.
  ///   - scan: The scan that progress is reported to.
  ///   - after: A closure that returns the expected cached value after the change, or nil for none.
  /// - Returns: An item for each key.
  /// - Throws: Errors of reading, and ``StoreError`` if the entries are too large for the journal.
  fileprivate func items(
    _ keys: [EntryKey], _ scan: Scan?, after: (CachedValue?) -> CachedValue?
  ) async throws -> [JournalItem] {
    var known: Set<EntryKey> = []
    let keys = keys.filter { known.insert($0).inserted }
    return try await items(keys, scan, .cached) { place, entry in
      let cached = entry.flatMap { CachedValue($0) }
      var new = after(cached)
      // The new expiry is not known yet.
      new?.times = nil
      return JournalItem(
        key: keys[place], before: cached.map { .init(cached: $0) },
        after: new.map { .init(cached: $0) }, subject: .cached)
    }
  }
}

extension JournalItem.Side {
  /// Creates the state of a cached entry from its value and times.
  init(cached: CachedValue) {
    var fields = [StoredValue.Field("value", cached.value)]
    if let times = cached.times {
      if let stored = times.stored { fields.append(.init("stored", .date(stored))) }
      fields.append(.init("expires", times.expires.map { .date($0) } ?? .null))
    }
    self.init(value: .record(fields), form: cached.form)
  }

  /// The cached value of this state.
  fileprivate var cached: CachedValue? {
    func date(_ name: String) -> Date? {
      if case .date(let date)? = value.field(name) { date } else { nil }
    }
    return value.field("value").map { own in
      let times = value.field("expires").map { _ in
        CachedValue.Times(stored: date("stored"), expires: date("expires"))
      }
      return CachedValue(own, form: form, times: times)
    }
  }
}

extension JournalItem {
  /// Returns the cached value of an entry, as recorded before or after the change if it matches
  /// either.
  func cachedSide(of entry: Entry?) -> Side? {
    guard let found = entry.flatMap({ CachedValue($0) }) else { return nil }
    return side(nearest: Side(cached: found)) { $0.cached?.isMet(by: found) == true }
  }

  /// Determines from the cache whether the change was made to an entry, if that was not reported.
  mutating func settle(cached entry: Entry?) {
    let found = side(of: entry)?.value
    if found == before?.value {
      isDone = false
    } else if found == after?.value || after != nil {
      // A refresh may have read any value.
      isDone = true
      take(entry ?? Entry(key: key), after: true)
    }
  }

  /// Returns the exchange that undoes or redoes the change in the cache.
  fileprivate func exchange(isUndo: Bool) -> CacheExchange {
    CacheExchange(key, expecting: self[after: isUndo]?.cached, new: self[after: !isUndo]?.cached)
  }
}
