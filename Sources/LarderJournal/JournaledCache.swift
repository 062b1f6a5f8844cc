import Harmony
import LarderCore

/// A timed cache, of which it is recorded what it held before it is refreshed or evicted.
struct JournaledCache: CacheService {
  let cache: any CacheService
  let writer: JournaledWriter

  func beneath(_ key: EntryKey) async throws -> Entry? { try await cache.beneath(key) }

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
  /// The cache reads them itself, as for its program: what it gets is what is underneath, and no copy
  /// that went through larder. What it held is read just before.
  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey, Entry?) -> Void
  ) async throws -> [Entry] {
    guard try await canExchange() else { return try await cache.refresh(keys, scan, told: told) }
    var items = try await writer.items(keys, scan) { $0 ?? CachedValue(.null) }
    for place in items.indices.reversed() where items[place].before == nil {
      try scan?.reportRead(items.count)
      // It stays what it is: nothing.
      if try await cache.beneath(items[place].key)?.value == nil { items.remove(at: place) }
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
    writer.remarks?.add(
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
    let partial = {
      PartialChange(made: made.withLock { $0 }, isStopped: scan?.isStopped == true)
    }
    return try await recorded(action, items, partial: partial) { _ in
      try await make(items.map(\.key)) { key, entry in
        made.withLock { $0[key] = .some(entry) }
      }
    }
  }

  /// Gives a cache back what it held before a step, or what the step gave it.
  ///
  /// What its program has cached anew since then stays as it is, and that is said: a program that is
  /// at work does so with some of many entries.
  ///
  /// - Returns: The entries that are cached then, and the keys of all that was changed.
  /// - Throws: ``StoreError/conflict(current:)`` where nothing is as the step left it.
  func exchange(
    _ items: [JournalItem], isUndo: Bool
  ) async throws -> (written: [Entry], keys: Set<EntryKey>) {
    let made = Locked<Set<EntryKey>>([])
    let exchanges = items.map { $0.exchange(isUndo: isUndo) }
    let written = try await cache?.exchange(exchanges) { key in
      made.withLock { _ = $0.insert(key) }
    }
    let keys = made.withLock { $0 }
    let others = items.map(\.key).filter { !keys.contains($0) }
    if let first = others.first {
      let names = others.count == 1 ? first.spoken : "\(first.spoken) and \(others.count - 1) more"
      remarks?.add(
        "\(names): cached anew by the program since then, and left as "
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
    var items: [JournalItem] = []
    var size = 0
    try await source.forEachEntry(keys) { place, entry in
      try scan?.reportRead(place)
      let cached = entry.flatMap { CachedValue($0) }
      var new = after(cached)
      // When it will end is not known yet.
      new?.times = nil
      let item = JournalItem(keys[place], cached: cached, new: new)
      size += JournalTable.size(of: item)
      guard size <= journal.limit else { throw tooLarge("changes", "changed") }
      items.append(item)
    }
    return items
  }
}
