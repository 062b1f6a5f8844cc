import Harmony
import HarmonyTesting
import Testing

/// Exchanging cache entries without losing concurrent changes.
@Suite struct TimedCacheExchangeTests {
  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  private func makeCache() -> TimedCacheDataSource<Int, InMemoryDataSource<Int>> {
    TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
  }

  @Test func `A removed entry can be restored with its times`() async throws {
    let cache = makeCache()
    try await cache.put(1, forId: "a").get()
    clock.advance(by: .seconds(4))
    let entry = try #require(cache.inspect("a"))
    #expect(entry.stored == .zero && entry.expires == .seconds(10))
    #expect(cache.exchange("a", expecting: entry, for: nil, times: nil))
    #expect(cache.inspect("a") == nil)
    #expect(try await memory.get("a").get() == 1)
    clock.advance(by: .seconds(2))
    let times = CachedTimes(stored: entry.stored, expires: entry.expires)
    #expect(cache.exchange("a", expecting: nil, for: entry.content, times: times))
    #expect(cache.inspect("a")?.content == .value(1))
    #expect(cache.inspect("a")?.age == .seconds(6))
    #expect(cache.inspect("a")?.remaining == .seconds(4))
    #expect(cache.time == .seconds(6))
  }

  @Test func `Without times the default TTL starts now`() async throws {
    let cache = makeCache()
    clock.advance(by: .seconds(3))
    #expect(cache.exchange("a", expecting: nil, for: .value(7), times: nil))
    #expect(cache.inspect("a")?.age == .zero)
    #expect(cache.inspect("a")?.expires == .seconds(13))
    #expect(try await cache.get("a").get() == 7)
    await #expect(throws: CoreError.NotFound.self) { try await memory.get("a").get() }
  }

  @Test func `An entry may be expired or never expire, and is never stored in the future`() throws {
    let cache = makeCache()
    clock.advance(by: .seconds(100))
    let ended = CachedTimes(stored: .seconds(-5), expires: .seconds(99))
    #expect(cache.exchange("a", expecting: nil, for: .value(1), times: ended))
    #expect(cache.inspect("a")?.isExpired == true)
    #expect(cache.inspect("a")?.age == .seconds(105))
    let endless = CachedTimes(stored: .seconds(200), expires: nil)
    #expect(cache.exchange("a", expecting: cache.inspect("a"), for: .value(2), times: endless))
    #expect(cache.inspect("a")?.isEndless == true)
    #expect(cache.inspect("a")?.age == .zero)
    #expect(cache.setExpires(.seconds(101), of: "a"))
    #expect(cache.inspect("a")?.remaining == .seconds(1))
    #expect(cache.setExpires(nil, of: "a"))
    #expect(cache.inspect("a")?.isEndless == true)
    #expect(!cache.setExpires(nil, of: "b"))
  }

  @Test func `A concurrent change is kept, even if the entry looks the same`() async throws {
    let cache = makeCache()
    try await cache.put(1, forId: "a").get()
    let seen = try #require(cache.inspect("a"))
    #expect(!cache.exchange("a", expecting: nil, for: .value(5), times: nil))
    try await cache.put(1, forId: "a").get()
    #expect(!cache.exchange("a", expecting: seen, for: nil, times: nil))
    let later = try #require(cache.inspect("a"))
    cache.setRemaining(.seconds(10), of: "a")
    #expect(!cache.exchange("a", expecting: later, for: nil, times: nil))
    // A use is not a change.
    let last = try #require(cache.inspect("a"))
    _ = try await cache.get("a").get()
    #expect(cache.exchange("a", expecting: last, for: nil, times: nil))
    #expect(!cache.exchange("a", expecting: last, for: .value(5), times: nil))
  }

  @Test func `A list is restored as a list, and a value may replace it`() async throws {
    let cache = makeCache()
    try await memory.putAll([1, 2], in: IdQuery("l")).get()
    _ = try await cache.getAll(IdQuery("l")).get()
    let list = try #require(cache.inspect("l"))
    #expect(cache.exchange("l", expecting: list, for: nil, times: nil))
    #expect(cache.exchange("l", expecting: nil, for: list.content, times: nil))
    #expect(cache.inspect("l")?.content == .list([1, 2]))
    #expect(cache.inspect().count == 1)
    _ = try await cache.getAll(IdQuery("l")).get()
    #expect(cache.statistics.hits == 1)
    #expect(try await cache.getAllFromSource(IdQuery("l")).get() == [1, 2])
    #expect(cache.exchange("l", expecting: cache.inspect("l"), for: .value(9), times: nil))
    #expect(cache.inspect().map(\.content) == [.value(9)])
  }

  @Test func `The answer of a pending read does not replace an exchanged entry`() async throws {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, expiryInterval: 10, clock: clock)
    try await memory.put(1, forId: "a").get()
    let read = cache.get("a")
    #expect(cache.exchange("a", expecting: nil, for: .value(5), times: nil))
    slow.releaseAll()
    #expect(try await read.get() == 1)
    #expect(cache.inspect("a")?.content == .value(5))
  }
}
