package import Harmony

/// A custom cache that implements only the required methods.
package final class CustomCache: InspectableCache, GetDataSource, PutDataSource, DeleteDataSource {
  package typealias T = Int

  private let inner = InMemoryDataSource<Int>()
  private let cache: TimedCacheDataSource<Int, InMemoryDataSource<Int>>

  package init() {
    cache = TimedCacheDataSource(inner)
    cache.put(1, forId: "a")
  }

  package func get(_ query: any Query) -> Future<Int> { cache.get(query) }
  package func getAll(_ query: any Query) -> Future<[Int]> { cache.getAll(query) }

  @discardableResult
  package func put(_ value: Int?, in query: any Query) -> Future<Int> {
    cache.put(value, in: query)
  }

  @discardableResult
  package func putAll(_ array: [Int], in query: any Query) -> Future<[Int]> {
    cache.putAll(array, in: query)
  }

  @discardableResult
  package func delete(_ query: any Query) -> Future<Void> { cache.delete(query) }

  package var statistics: CacheStatistics { cache.statistics }
  package func inspect() -> [CachedEntry<Int>] { cache.inspect() }
  package func inspect(_ key: String) -> CachedEntry<Int>? { cache.inspect(key) }
  package func inspectKeys() -> [String] { cache.inspectKeys() }
  package func getFromSource(_ query: any Query) -> Future<Int> { cache.getFromSource(query) }
  package func evict(_ key: String) -> Bool { cache.evict(key) }
  package func evictAll() { cache.evictAll() }
  package func refresh(_ query: any KeyQuery) -> Future<Int> { cache.refresh(query) }
}
