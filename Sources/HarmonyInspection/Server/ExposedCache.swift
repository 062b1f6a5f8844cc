import Foundation
import Harmony

/// The additional operations of an exposed source that is a timed cache.
struct ExposedCache: Sendable {
  let statistics: @Sendable () -> InspectedStatistics
  /// Returns the selected keys of the cached entries.
  let keys: @Sendable (KeySelection) -> [String]
  /// Returns the number of cached keys, if it is known without visiting each entry.
  let keyCount: @Sendable () -> Int?
  /// Returns a digest that shows whether keys were added or removed.
  let digest: @Sendable () -> KeyDigest?
  let entry: @Sendable (_ key: String) throws -> (InspectedValue, InspectedEntry.CachedState)?
  /// Evicts one key, or everything.
  let evict: @Sendable (_ key: String?) -> Bool
  /// Sets when the entry of a key expires.
  let expire: @Sendable (_ key: String, InspectionRequest) throws -> Bool
  /// Replaces or removes a cached entry.
  let exchange: @Sendable (_ key: String, InspectionRequest) throws -> Void
  let refresh: @Sendable (_ key: String) -> Future<InspectedValue>
  let backing: @Sendable (_ key: String) -> Future<InspectedValue>

  init<Cache: InspectableCache>(_ cache: Cache, _ coder: ValueCoder<Cache.T>) {
    let clock = CacheCalendar { cache.time }
    statistics = {
      let statistics = cache.statistics
      return InspectedStatistics(
        hits: statistics.hits, misses: statistics.misses, evictions: statistics.evictions)
    }
    keys = { cache.inspectKeys($0) }
    keyCount = { cache.inspectKeyCount() }
    digest = { cache.inspectKeyDigest() }
    entry = { key in
      try cache.inspect(key).map { entry in
        (try coder.encoded(entry.content), InspectedEntry.CachedState(entry, clock))
      }
    }
    evict = { key in
      guard let key else {
        cache.evictAll()
        return true
      }
      return cache.evict(key)
    }
    expire = { try cache.expire($0, $1, clock) }
    refresh = { key in
      if case .list? = cache.inspect(key)?.content {
        return cache.refreshAll(IdQuery(key)).map { .list(try $0.map(coder.encode)) }
      }
      return cache.refresh(IdQuery(key)).map { try coder.encode($0) }
    }
    exchange = { try cache.exchange($0, $1, coder, clock) }
    backing = { cache.backing($0, coder) }
  }
}

extension InspectableCache {
  /// Reads the backing store, trying the shape of the cached entry first.
  fileprivate func backing(_ key: String, _ coder: ValueCoder<T>) -> Future<InspectedValue> {
    let isList = if case .list? = inspect(key)?.content { true } else { false }
    return Future {
      if isList, let list = try await self.list(backing: key, coder) { return list }
      do {
        return try coder.encode(try await self.getFromSource(IdQuery(key)).getCancelling())
      } catch let error where !isList && error.isAbsence {
        guard let list = try await self.list(backing: key, coder) else { throw error }
        return list
      }
    }
  }

  /// Reads a list from the backing store.
  ///
  /// - Returns: The list; nil if there is none, for which many sources return an empty list.
  private func list(
    backing key: String, _ coder: ValueCoder<T>
  ) async throws -> InspectedValue? {
    do {
      let values = try await getAllFromSource(IdQuery(key)).getCancelling()
      return values.isEmpty ? nil : .list(try values.map(coder.encode))
    } catch let error where error.isAbsence || error is CoreError.NotImplemented {
      return nil
    }
  }
}

extension Error {
  /// Whether the error means that there is no value, although there may be a list.
  fileprivate var isAbsence: Bool {
    self is CoreError.NotFound || self is CoreError.QueryNotSupported
  }
}

extension InspectedEntry.CachedState {
  init<T>(_ entry: CachedEntry<T>, _ clock: CacheCalendar) {
    let offset = clock.offset
    self.init(
      age: entry.age.inSeconds, timeToLive: entry.timeToLive.inSeconds, hits: entry.hits,
      lastUsed: entry.lastUsed.inSeconds, cost: entry.cost,
      stored: (entry.stored + offset).inSeconds,
      expires: entry.isEndless ? Self.never : (entry.expires + offset).inSeconds)
  }
}
