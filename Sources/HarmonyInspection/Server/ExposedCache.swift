import Foundation
import Harmony

/// What is shown of a timed cache beside what every source can do.
struct ExposedCache: Sendable {
  let statistics: @Sendable () -> InspectedStatistics
  /// The keys of what is cached, sorted.
  let keys: @Sendable () -> [String]
  let entry: @Sendable (_ key: String) throws -> (InspectedValue, InspectedEntry.CachedState)?
  /// Forgets one key, or everything.
  let evict: @Sendable (_ key: String?) -> Bool
  let refresh: @Sendable (_ key: String) -> Future<InspectedValue>
  let beneath: @Sendable (_ key: String) -> Future<InspectedValue>

  init<Cache: InspectableCache>(_ cache: Cache, _ coder: ValueCoder<Cache.T>) {
    statistics = {
      let statistics = cache.statistics
      return InspectedStatistics(
        hits: statistics.hits, misses: statistics.misses, evictions: statistics.evictions)
    }
    keys = { cache.inspectKeys() }
    entry = { key in
      try cache.inspect(key).map { entry in
        let value: InspectedValue =
          switch entry.content {
          case .value(let value): try coder.encode(value)
          case .list(let values): .list(try values.map(coder.encode))
          }
        return (value, InspectedEntry.CachedState(entry))
      }
    }
    evict = { key in
      guard let key else {
        cache.evictAll()
        return true
      }
      return cache.evict(key)
    }
    refresh = { cache.refresh(IdQuery($0)).map { try coder.encode($0) } }
    beneath = { cache.getFromSource(IdQuery($0)).map { try coder.encode($0) } }
  }
}

extension InspectedEntry.CachedState {
  fileprivate init<T>(_ entry: CachedEntry<T>) {
    self.init(
      age: entry.age.seconds, timeToLive: entry.timeToLive.seconds, hits: entry.hits,
      lastUsed: entry.lastUsed.seconds, cost: entry.cost)
  }
}

extension Duration {
  /// This duration in seconds.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
