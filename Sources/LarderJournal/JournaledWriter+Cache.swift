import Harmony
import LarderCore

/// What a timed cache is told to hold, while what is underneath stays as it is.
extension JournaledWriter {
  /// Has a cache read entries anew, in one step.
  ///
  /// The cache does it by itself, as for its program: what it gets is what is underneath, and no copy
  /// that went through larder. What it held is looked at just before.
  ///
  /// - Returns: Those that there are.
  func refresh(_ query: RefreshQuery) async throws -> [Entry] {
    guard try await canExchange() else {
      return try await source.putAll([], in: query).getCancelling()
    }
    var items = try await items(query.keys, query.scan) { $0 ?? CachedValue(.null) }
    for place in items.indices.reversed() where items[place].before == nil {
      try query.scan?.reportRead(items.count)
      // It stays what it is: nothing.
      if try await !isBeneath(items[place].key) { items.remove(at: place) }
    }
    guard !items.isEmpty else { return [] }
    return try await recorded(.refresh, items, query.scan) { keys, told in
      var each = RefreshQuery(keys, scan: query.scan)
      each.told = { key, entry in
        told(key, entry)
        query.told?(key, entry)
      }
      let read = try await source.putAll([], in: each).getCancelling()
      let byKey = Dictionary(read.map { ($0.key, $0) }) { $1 }
      return keys.map { byKey[$0] ?? Entry(key: $0) }
    }.filter { $0.value != nil }
  }

  /// Takes entries out of a cache, in one step.
  ///
  /// What it held is looked at just before.
  func evict(_ query: EvictionQuery) async throws {
    guard try await canExchange() else { return try await source.delete(query).getCancelling() }
    let items = try await items(query.keys, query.scan) { _ in nil }.filter { $0.before != nil }
    guard !items.isEmpty else { return }
    _ = try await recorded(.evict, items, query.scan) { keys, told in
      var each = EvictionQuery(keys, scan: query.scan)
      each.told = { key in
        told(key, nil)
        query.told?(key)
      }
      try await source.delete(each).getCancelling()
      return []
    }
  }

  /// Records a step of a cache and has it made, entry by entry.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - items: The entries, as they are and as they are to be.
  ///   - scan: Where it may be said that it is to stop.
  ///   - make: Does it to the keys that it is given, and tells of each entry what became of it.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, and why the journal cannot be written.
  private func recorded(
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
    var query = CacheExchangesQuery(items.map { $0.exchange(isUndo: isUndo) })
    let made = Locked<Set<EntryKey>>([])
    query.told = { key in made.withLock { _ = $0.insert(key) } }
    let written = try await source.putAll([], in: query).get()
    let keys = made.withLock { $0 }
    let others = items.map(\.key).filter { !keys.contains($0) }
    if let first = others.first {
      let names = others.count == 1 ? first.spoken : "\(first.spoken) and \(others.count - 1) more"
      remarks?.add(
        "\(names): cached anew by the program since then, and left as "
          + "\(others.count == 1 ? "it is" : "they are")")
    }
    return (written, keys)
  }

  /// Whether a cache can be given back what it held; if not, it is said that it cannot be undone.
  private func canExchange() async throws -> Bool {
    do {
      _ = try await source.putAll([], in: CacheExchangesQuery([])).get()
      return true
    } catch StoreError.notSupported(let reason) {
      remarks?.add(
        "\(reason), so what it held before is not in the journal, and cannot be brought back")
      return false
    } catch is CoreError.QueryNotSupported {
      return false
    }
  }

  /// Whether the source underneath a cache has something under a key.
  private func isBeneath(_ key: EntryKey) async throws -> Bool {
    do {
      return try await source.get(BeneathQuery(key)).getCancelling().value != nil
    } catch is CoreError.NotFound {
      return false
    }
  }

  /// What a cache holds under some keys, for a step that gives it something else.
  ///
  /// - Parameters:
  ///   - keys: The keys, each of which is taken once.
  ///   - scan: Where it is reported how far it is.
  ///   - after: What it holds afterwards as far as is known, nil for nothing.
  /// - Returns: An entry of the step for each key.
  /// - Throws: What keeps them from being read, and ``StoreError`` where they are too much.
  private func items(
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
