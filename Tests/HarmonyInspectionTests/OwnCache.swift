import Harmony

/// A cache of a program's own that can do no more than what every cache has to.
final class OwnCache: InspectableCache, GetDataSource, PutDataSource, DeleteDataSource {
  typealias T = Int

  private let inner = InMemoryDataSource<Int>()
  private let cache: TimedCacheDataSource<Int, InMemoryDataSource<Int>>

  init() {
    cache = TimedCacheDataSource(inner)
    cache.put(1, forId: "a")
  }

  func get(_ query: any Query) -> Future<Int> { cache.get(query) }
  func getAll(_ query: any Query) -> Future<[Int]> { cache.getAll(query) }

  @discardableResult
  func put(_ value: Int?, in query: any Query) -> Future<Int> { cache.put(value, in: query) }

  @discardableResult
  func putAll(_ array: [Int], in query: any Query) -> Future<[Int]> {
    cache.putAll(array, in: query)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { cache.delete(query) }

  var statistics: CacheStatistics { cache.statistics }
  func inspect() -> [CachedEntry<Int>] { cache.inspect() }
  func inspect(_ key: String) -> CachedEntry<Int>? { cache.inspect(key) }
  func inspectKeys() -> [String] { cache.inspectKeys() }
  func getFromSource(_ query: any Query) -> Future<Int> { cache.getFromSource(query) }
  func evict(_ key: String) -> Bool { cache.evict(key) }
  func evictAll() { cache.evictAll() }
  func refresh(_ query: any KeyQuery) -> Future<Int> { cache.refresh(query) }
}
