import Harmony
import HarmonyTesting
import Synchronization
import Testing

/// A clock whose ticks are set manually and that counts how often its time is read.
private final class CountingClock: TickingClock {
  let time = ManualClock()
  let ticks = Atomic<Int64>(0)
  let looks = Atomic<Int>(0)

  var tick: Int64? { ticks.load(ordering: .relaxed) }

  var now: Duration {
    looks.add(1, ordering: .relaxed)
    return time.now
  }
}

@Suite struct TimedCacheTickTests {
  private let clock = CountingClock()
  private let memory = InMemoryDataSource<Int>()

  @Test func `The time is read once per tick`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    let before = clock.looks.load(ordering: .relaxed)
    for _ in 0..<10 { _ = try await cache.get("a").get() }
    #expect(clock.looks.load(ordering: .relaxed) == before + 1)
    #expect(cache.statistics.hits == 10)
    clock.ticks.add(1, ordering: .relaxed)
    for _ in 0..<10 { _ = try await cache.get("a").get() }
    #expect(clock.looks.load(ordering: .relaxed) == before + 2)
    #expect(cache.inspect("a")?.hits == 20)
  }

  @Test func `An entry that may expire within the tick is compared with the exact time`()
    async throws
  {
    let cache = TimedCacheDataSource(memory, expiryInterval: 1, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await memory.put(2, forId: "a").get()
    clock.time.advance(by: .nanoseconds(999_999_999))
    #expect(try await cache.get("a").get() == 1)
    clock.time.advance(by: .nanoseconds(1))
    #expect(try await cache.get("a").get() == 2)
  }

  @Test func `The next tick notices entries that have expired in the previous one`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(try await cache.get("a").get() == 1)
    try await memory.put(2, forId: "a").get()
    clock.time.advance(by: .seconds(10))
    clock.ticks.add(1, ordering: .relaxed)
    #expect(try await cache.get("a").get() == 2)
  }

  @Test func `An entry is never used before it was stored`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    _ = try await cache.get("a").get()
    clock.time.advance(by: .milliseconds(3))
    try await cache.put(2, forId: "a").get()
    _ = try await cache.get("a").get()
    let entry = try #require(cache.inspect("a"))
    #expect(entry.lastUsed == .zero && entry.age == .zero)
  }

  @Test(arguments: [-1e15, -1e10, 0, 1e10, 1e15])
  func `A clock may start at any time`(start: Double) async throws {
    clock.time.advance(by: .seconds(start))
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(try await cache.get("a").get() == 1)
    clock.time.advance(by: .seconds(10))
    clock.ticks.add(1, ordering: .relaxed)
    #expect(cache.inspect("a")?.age == .seconds(10))
    #expect(cache.inspect("a")?.isExpired == true)
    #expect(cache.statistics.hits == 1)
  }

  @Test(arguments: [1e300, .infinity, -1e300, .nan])
  func `Any TTL and any age are clamped`(interval: Double) async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: interval, clock: clock)
    try await cache.put(1, forId: "a").get()
    clock.time.advance(by: .seconds(Int64(1) << 62))
    clock.ticks.add(1, ordering: .relaxed)
    let entry = try #require(cache.inspect("a"))
    #expect(entry.age > .seconds(100 * 365 * 86_400))
    #expect(try await cache.get("a").get() == 1)
  }

  @Test(arguments: [0, -1, -1e300, -Double.infinity, .nan])
  func `An invalid TTL expires immediately`(interval: Double) async throws {
    let spy = DataSourceSpy(memory)
    let cache = TimedCacheDataSource(spy, timeToLive: { _ in interval }, clock: clock)
    try await cache.put(1, forId: "a").get()
    for _ in 0..<3 { #expect(try await cache.get("a").get() == 1) }
    #expect(spy.count(.get) == 3)
    #expect(cache.inspect("a")?.isExpired == true)
    #expect(cache.statistics.hits == 0)
  }

  @Test(arguments: [0, 1] as [Int64])
  func `A clock that goes backwards keeps entries valid longer`(step: Int64) async throws {
    clock.time.advance(by: .seconds(100))
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, capacity: 2, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(try await cache.get("a").get() == 1)
    clock.time.advance(by: .seconds(-50))
    clock.ticks.add(step, ordering: .relaxed)
    #expect(try await cache.get("a").get() == 1)
    let entry = try #require(cache.inspect("a"))
    #expect(entry.lastUsed == .zero && entry.hits == 2 && !entry.isExpired)
    clock.time.advance(by: .seconds(60))
    clock.ticks.add(1, ordering: .relaxed)
    try await memory.put(2, forId: "a").get()
    #expect(try await cache.get("a").get() == 2)
  }

  @Test(arguments: [Int.max, .min, -1])
  func `Any cost is clamped`(cost: Int) async throws {
    let cache = TimedCacheDataSource(memory, cost: { _ in cost }, clock: clock)
    for number in 0..<3 { try await cache.put(number, forId: number).get() }
    #expect(cache.inspect().count == 3)
  }
}
