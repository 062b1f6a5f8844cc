import Foundation
import Harmony
import HarmonyTesting
import Testing

@Suite struct TimedCacheTests {
  private typealias Spy = DataSourceSpy<InMemoryDataSource<Int>, Int>

  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  private func spied() -> Spy { DataSourceSpy(memory) }

  @Test func `Entries are returned until they expire`() async throws {
    let spy = spied()
    let cache = TimedCacheDataSource(spy, expiryInterval: 60, clock: clock)
    try await memory.put(1, forId: "a").get()
    #expect(try await cache.get("a").get() == 1)
    try await memory.put(2, forId: "a").get()
    clock.advance(by: .seconds(59))
    #expect(try await cache.get("a").get() == 1)
    clock.advance(by: .seconds(1))
    #expect(try await cache.get("a").get() == 2)
    #expect(spy.count(.get) == 2)
  }

  @Test func `A key may have its own TTL`() async throws {
    let cache = TimedCacheDataSource(
      memory, timeToLive: { $0 == "long" ? .infinity : 1 }, clock: clock)
    try await cache.put(1, forId: "long").get()
    try await cache.put(1, forId: "short").get()
    clock.advance(by: .seconds(1_000_000))
    #expect(cache.inspect("long")?.isExpired == false)
    #expect(cache.inspect("short")?.isExpired == true)
  }

  @Test func `Written values are cached`() async throws {
    let spy = spied()
    let cache = TimedCacheDataSource(spy, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await cache.putAll([1, 2], forId: "l").get()
    try await cache.putAll([3], in: IdsQuery(["c"])).get()
    #expect(try await cache.get("a").get() == 1)
    #expect(try await cache.get("c").get() == 3)
    #expect(spy.count(.get) == 0)
  }

  @Test func `Writing a key removes the cached lists`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(try await cache.getAll(AllObjectsQuery()).get() == [1])
    try await cache.put(2, forId: "b").get()
    #expect(try await cache.getAll(AllObjectsQuery()).get() == [1, 2])
    try await cache.delete("a").get()
    #expect(try await cache.getAll(AllObjectsQuery()).get() == [2])
    #expect(try await cache.getAll(IdsQuery(["b"])).get() == [2])
  }

  @Test func `Deleting everything empties the cache`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await cache.delete(AllObjectsQuery()).get()
    #expect(cache.inspect().isEmpty)
    await #expect(throws: CoreError.NotFound.self) { try await cache.get("a").get() }
  }

  @Test func `An error removes the cached value of the key`() async throws {
    let failing = FailingDataSource(memory, failing: 0)
    let cache = TimedCacheDataSource(failing, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await cache.put(2, forId: "b").get()
    failing.fail(1)
    await #expect(throws: CoreError.Failed.self) { try await cache.put(3, forId: "a").get() }
    #expect(cache.inspect("a") == nil)
    #expect(cache.inspect("b") != nil)
    clock.advance(by: .seconds(301))
    failing.fail(1)
    await #expect(throws: CoreError.Failed.self) { try await cache.get("b").get() }
    #expect(cache.inspect("b") == nil)
  }

  @Test func `A list, several values and a single value of a key are different entries`()
    async throws
  {
    try await memory.putAll([7, 8], forId: "l").get()
    try await memory.put(1, forId: "a").get()
    let cache = TimedCacheDataSource(memory, clock: clock)
    #expect(try await cache.getAll(IdsQuery(["a"])).get() == [1])
    await #expect(throws: CoreError.NotFound.self) { try await cache.getAll("a").get() }
    #expect(try await cache.get("a").get() == 1)
  }

  @Test func `Queries without a key and excluded queries are forwarded`() async throws {
    let spy = spied()
    let cache = TimedCacheDataSource(
      spy, isCacheable: { $0 is IdQuery<String> }, clock: clock)
    try await memory.put(1, forId: "7").get()
    for _ in 0..<2 { #expect(try await cache.get(7).get() == 1) }
    #expect(spy.count(.get) == 2)
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await cache.get(VoidQuery()).get()
    }
    #expect(try await cache.get("7").get() == 1)
    try await cache.put(2, forId: 7).get()
    #expect(try await cache.get("7").get() == 2)
    #expect(try await cache.refresh(IdQuery(7)).get() == 2)
  }

  private struct Both: KeyQuery, KeySelectionQuery {
    let key = "a"
    var selection: KeySelection { KeySelection(KeyRange(prefix: "b")) }
  }

  @Test func `A deletion by key range also evicts the entries, whatever key the query has`()
    async throws
  {
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: "b1").get()
    try await cache.put(2, forId: "c").get()
    #expect(try await cache.getAll(Both()).get() == [1])
    try await cache.putAll([3], forId: "a").get()
    #expect(try await cache.getAll("a").get() == [3])
    #expect(try await cache.getAll(Both()).get() == [1])
    try await cache.delete(Both()).get()
    await #expect(throws: CoreError.NotFound.self) { try await cache.get("b1").get() }
    #expect(try await cache.get("c").get() == 2)
  }
}
