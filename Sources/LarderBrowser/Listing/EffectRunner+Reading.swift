import LarderModel
import Harmony

extension EffectRunner {
  /// Reads an entry as far as somebody may see it.
  func read(
    _ key: EntryKey, in reference: StoreReference, through path: BrowserEffect.ReadPath
  ) async throws -> Entry {
    let opened = try opened(reference)
    let query = EntryQuery(key, maximumSize: EntryQuery.usualMaximumSize)
    if opened.store.hidesValues {
      let entry = try await opened.store.source.get(query).getCancelling()
      return path == .revealing ? entry : entry.concealed
    }
    switch path {
    case .cacheOnly:
      guard let cached = opened.cache.inspect(query.key), let entry = cached.content.entry else {
        throw StoreError.notFound("not cached; Enter reads it through the cache")
      }
      return entry
    case .fresh where environment.readsThroughCache:
      return try await opened.cache.refresh(query).getCancelling()
    case .fresh, .revealing,
      .usual where !environment.readsThroughCache:
      return try await opened.store.source.get(query).getCancelling()
    case .usual, .cache: return try await opened.cache.get(query).getCancelling()
    }
  }

  /// Counts the keys with a prefix, first as well as the store can at once.
  func count(
    _ reference: StoreReference, _ prefix: String, token: Int, send: Send
  ) async {
    for precision in [CountQuery.Precision.estimate, .exact] {
      let query = CountQuery(prefix: prefix, precision: precision)
      if let answer = await answer(query, in: reference), case .integer(let count)? = answer.value {
        await send(.counted(token: token, count: Int(count), isExact: answer.isWhole))
        return
      }
    }
  }

  /// Tells what the cache over a store holds.
  func inspect(_ reference: StoreReference, send: Send) async {
    guard let cache = registry.store(reference)?.cache else { return }
    let now = environment.clock.now
    let statuses = cache.inspect().compactMap { cached in
      cached.content.entry.map { entry in
        CacheStatus(
          key: entry.key, fetchedAt: now - cached.age, timeToLive: cached.timeToLive,
          hits: cached.hits)
      }
    }
    await send(.cacheInspected(reference, statuses, now: now))
  }
}
