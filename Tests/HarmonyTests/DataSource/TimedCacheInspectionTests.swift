import Harmony
import HarmonyTesting
import Testing

@Suite struct TimedCacheInspectionTests {
  @Test(arguments: [1.1, 2.3, 60.6, 1.5, 0.000_000_001, 300])
  func `Inspection and the next read agree about expiry`(_ interval: Double) async throws {
    let clock = ManualClock()
    let spy = DataSourceSpy(InMemoryDataSource<Int>())
    let cache = TimedCacheDataSource(spy, expiryInterval: interval, clock: clock)
    try await cache.put(1, forId: "a").get()
    clock.advance(by: .seconds(interval))
    let isExpired = try #require(cache.inspect("a")).isExpired
    _ = try await cache.get("a").get()
    #expect(isExpired == (spy.count(.get) == 1))
  }

  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  @Test func `An entry reports its age, its remaining TTL and its uses`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    clock.advance(by: .seconds(4))
    _ = try await cache.get("a").get()
    clock.advance(by: .seconds(3))
    let entry = try #require(cache.inspect("a"))
    #expect(entry.key == "a")
    #expect(entry.content == .value(1))
    #expect(entry.age == .seconds(7))
    #expect(entry.timeToLive == .seconds(10))
    #expect(entry.remaining == .seconds(3))
    #expect(entry.hits == 1)
    #expect(entry.lastUsed == .seconds(3))
    #expect(!entry.isExpired)
  }

  @Test func `Canonically equivalent keys are inspected separately, in byte order`() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: composed).get()
    #expect(cache.inspect(decomposed) == nil)
    try await cache.put(2, forId: decomposed).get()
    try await cache.put(3, forId: "f").get()
    #expect(cache.inspect(composed)?.content == .value(1))
    #expect(cache.inspect(decomposed)?.content == .value(2))
    let keys = cache.inspect().map { Array($0.key.utf8) }
    #expect(keys == [decomposed, "f", composed].map { Array($0.utf8) })
  }

  @Test func `Reads through a mapper count like other reads`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    let texts = cache.withMapping(ClosureMapper<Int, String> { "\($0)" })
    try await memory.put(1, forId: "a").get()
    try await memory.putAll([1], forId: "l").get()
    #expect(try await texts.get("a").get() == "1")
    #expect(try await texts.get("a").get() == "1")
    await #expect(throws: CoreError.NotFound.self) { try await texts.get("l").get() }
    #expect(cache.statistics.hits == 1)
    #expect(cache.statistics.misses == 2)
    #expect(cache.inspect("a")?.hits == 1)
    clock.advance(by: .seconds(10))
    try await memory.put(2, forId: "a").get()
    #expect(try await texts.get("a").get() == "2")
    #expect(cache.statistics.misses == 3)
  }

  @Test func `Expired entries can still be inspected`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.putAll([1, 2], forId: "l").get()
    clock.advance(by: .seconds(15))
    let entry = try #require(cache.inspect().first)
    #expect(entry.content == .list([1, 2]))
    #expect(entry.isExpired)
    #expect(entry.remaining == .seconds(-5))
  }

  @Test(arguments: [1, 1_000_000, 60_000_000_000] as [Int64])
  func `An entry with a changed expiry is valid until then`(_ nanoseconds: Int64) async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await cache.putAll([1], forId: "a").get()
    clock.advance(by: .seconds(20))
    #expect(cache.setRemaining(.nanoseconds(nanoseconds), of: "a"))
    let entry = try #require(cache.inspect("a"))
    #expect(entry.age == .seconds(20))
    #expect(entry.remaining == .nanoseconds(nanoseconds))
    #expect(entry.hits == 0)
    clock.advance(by: .nanoseconds(nanoseconds - 1))
    let misses = cache.statistics.misses
    _ = try await cache.getAll("a").get()
    #expect(cache.statistics.misses == misses)
    clock.advance(by: .nanoseconds(1))
    #expect(cache.inspect("a")?.isExpired == true)
    _ = try await cache.getAll("a").get()
    #expect(cache.statistics.misses == misses + 1)
    // An entry that is read again gets the default TTL.
    #expect(cache.inspect().last?.timeToLive == .seconds(10))
    #expect(!cache.setRemaining(.seconds(1), of: "nothing"))
  }

  @Test func `An entry that never expires remains valid at any time`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await memory.put(2, forId: "a").get()
    #expect(cache.setRemaining(nil, of: "a"))
    clock.advance(by: .seconds(9_000_000_000))
    #expect(cache.inspect("a")?.isEndless == true)
    #expect(try await cache.get("a").get() == 1)
    #expect(cache.setRemaining(.zero, of: "a"))
    #expect(try await cache.get("a").get() == 2)
  }

  @Test func `Entries can be evicted and refreshed`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(cache.evict("a"))
    #expect(!cache.evict("a"))
    #expect(try await cache.get("a").get() == 1)
    try await memory.put(2, forId: "a").get()
    #expect(try await cache.refresh(IdQuery("a")).get() == 2)
    #expect(try await cache.get("a").get() == 2)
    #expect(try await cache.refreshAll(AllObjectsQuery()).get() == [2])
    cache.evictAll()
    #expect(cache.inspect().isEmpty)
    await #expect(throws: CoreError.NotFound.self) {
      try await cache.refresh(IdQuery("none")).get()
    }
  }

  @Test func `Statistics count hits and misses, but not inspections`() async throws {
    let cache: any InspectableCache<Int> = TimedCacheDataSource(memory, clock: clock)
    let source = try #require(cache as? TimedCacheDataSource<Int, InMemoryDataSource<Int>>)
    try await memory.put(1, forId: "a").get()
    for _ in 0..<3 { _ = try await source.get("a").get() }
    _ = cache.inspect()
    #expect(cache.statistics.hits == 2)
    #expect(cache.statistics.misses == 1)
    #expect(cache.statistics.evictions == 0)
  }

  @Test func `A removed value may inspect the cache in its deinitializer`() async throws {
    final class Visitor: Sendable {
      let visit: @Sendable () -> Void
      init(_ visit: @escaping @Sendable () -> Void) { self.visit = visit }
      deinit { visit() }
    }
    let memory = InMemoryDataSource<Visitor>()
    let cache = TimedCacheDataSource(memory, clock: clock)
    let log = Log<Int>()
    cache.put(Visitor { [weak cache] in log.add(cache?.inspect().count ?? -1) }, forId: "a")
    try await memory.delete("a").get()
    cache.evictAll()
    #expect(log.all == [0])
  }
}
