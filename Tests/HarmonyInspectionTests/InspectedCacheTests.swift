import Foundation
import Harmony
import HarmonyInspection
import HarmonyTesting
import Testing

@Suite struct InspectedCacheTests {
  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  @Test func `A cache tells what it holds, and looking is no use of it`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    try await memory.put(1, forId: "beneath only").get()
    try await cache.put(2, forId: "a").get()
    _ = try await cache.get("a").get()
    clock.advance(by: .seconds(4))
    let remote = shown.source("c")
    let entries = try await remote.entries(KeySelection(), preview: 100).get().entries
    #expect(
      entries == [
        InspectedEntry(
          key: "a", value: .json("2"), size: 1,
          cached: InspectedEntry.CachedState(
            age: 4, timeToLive: 10, hits: 1, lastUsed: 4, cost: 1))
      ])
    clock.advance(by: .seconds(7))
    #expect(try await remote.entry("a").get().cached?.age == 11)
    #expect(cache.statistics.hits == 1)
    #expect(
      try await remote.statistics().get() == InspectedStatistics(hits: 1, misses: 0, evictions: 0))
  }

  @Test func `What lies beneath is read, refreshed and kept apart`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    let remote = shown.source("c")
    try await cache.put(1, forId: "a").get()
    try await memory.put(2, forId: "a").get()
    #expect(try await remote.entry("a").get().value == .json("1"))
    #expect(try await remote.beneath("a").get() == .json("2"))
    #expect(try await remote.entry("a").get().value == .json("1"))
    #expect(try await remote.refresh("a").get() == .json("2"))
    #expect(try await remote.entry("a").get().value == .json("2"))
    #expect(try await remote.evict("a").get())
    #expect(try await remote.evict("a").get() == false)
    #expect(try await remote.countKeys(AllObjectsQuery()).get() == 0)
    #expect(try await memory.get("a").get() == 2)
  }

  @Test func `What is no cache says so`() async throws {
    let shown = try Shown()
    shown.inspector.expose(memory, as: "m", isWritable: true)
    let remote = shown.source("m")
    await #expect(throws: CoreError.NotImplemented.self) { try await remote.statistics().get() }
    await #expect(throws: CoreError.NotImplemented.self) { try await remote.evict(nil).get() }
  }
}
