import Harmony
import LarderCore

/// What a timed cache is told to hold, while what is underneath stays as it is.
extension JournaledWriter {
  /// Has a cache read entries anew, in one step.
  ///
  /// - Returns: Those that there are.
  func refresh(_ query: RefreshQuery) async throws -> [Entry] {
    guard try await canExchange() else { return try await source.putAll([], in: query).get() }
    return try await retrying(.anything) {
      try await exchange(.refresh, query.keys) { key in
        guard let entry = try await beneath(key), let value = entry.value else { return nil }
        return CachedValue(value, form: entry.form)
      }
    }
  }

  /// Takes entries out of a cache, in one step.
  func evict(_ query: EvictionQuery) async throws {
    guard try await canExchange() else { return try await source.delete(query).get() }
    _ = try await retrying(.anything) {
      try await exchange(.evict, query.keys) { _ in nil }
    }
  }

  /// Gives a cache back what it held before a step, or what the step gave it.
  func exchange(_ items: [JournalItem], isUndo: Bool) async throws -> [Entry] {
    let exchanges = items.map { $0.exchange(isUndo: isUndo) }
    return try await source.putAll([], in: CacheExchangesQuery(exchanges)).get()
  }

  /// Whether a cache can be given back what it held; if not, it is said that there is no way back.
  private func canExchange() async throws -> Bool {
    do {
      _ = try await source.putAll([], in: CacheExchangesQuery([])).get()
      return true
    } catch StoreError.notSupported {
      remarks?.add(
        "the program was made with an older HarmonyInspection, so what its cache held before is not "
          + "in the journal, and cannot be brought back")
      return false
    } catch is CoreError.QueryNotSupported {
      return false
    }
  }

  /// Puts other things in the place of what a cache holds.
  private func exchange(
    _ action: JournalStep.Action, _ keys: [EntryKey],
    for new: (EntryKey) async throws -> CachedValue?
  ) async throws -> [Entry] {
    var present: [CachedValue?] = []
    try await source.forEachEntry(keys) { _, entry in
      present.append(entry.flatMap { CachedValue($0) })
    }
    var items: [JournalItem] = []
    var known: Set<EntryKey> = []
    var size = 0
    for (key, cached) in zip(keys, present) where known.insert(key).inserted {
      let content = try await new(key)
      guard cached != nil || content != nil else { continue }
      size += (cached?.value.storedSize ?? 0) + (content?.value.storedSize ?? 0)
      guard size <= journal.limit else { throw tooLarge("changes", "changed") }
      items.append(JournalItem(key, cached: cached, new: content))
    }
    guard !items.isEmpty else { return [] }
    return try await recorded(action, items) { _ in try await exchange(items, isUndo: false) }
  }

  /// What the source underneath the cache holds under a key.
  private func beneath(_ key: EntryKey) async throws -> Entry? {
    do {
      return try await source.get(BeneathQuery(key)).getCancelling()
    } catch is CoreError.NotFound {
      return nil
    }
  }
}
