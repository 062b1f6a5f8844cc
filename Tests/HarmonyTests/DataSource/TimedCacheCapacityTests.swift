import Harmony
import HarmonyTesting
import Testing

@Suite struct TimedCacheCapacityTests {
  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  @Test func `The least recently used entry is evicted`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: 2, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await cache.put(2, forId: "b").get()
    #expect(try await cache.get("a").get() == 1)
    // Inspecting does not count as a use.
    #expect(cache.inspect("b") != nil)
    try await cache.put(3, forId: "c").get()
    #expect(cache.inspect().map(\.key) == ["a", "c"])
    #expect(cache.statistics.evictions == 1)
  }

  @Test func `Entries share a cost limit`() async throws {
    let cache = TimedCacheDataSource(
      memory, costLimit: 10,
      cost: { content in
        guard case .value(let value) = content else { return 1 }
        return value
      }, clock: clock)
    try await cache.put(4, forId: "a").get()
    try await cache.put(5, forId: "b").get()
    try await cache.put(3, forId: "c").get()
    #expect(cache.inspect().map(\.key) == ["b", "c"])
    #expect(cache.inspect("b")?.cost == 5)
    // An entry that never fits does not evict others.
    try await cache.put(11, forId: "d").get()
    #expect(cache.inspect().map(\.key) == ["b", "c"])
  }

  @Test(arguments: [
    (1 << 41, 1 << 40, 2), (.max - 1, .max - 1, 1), (.max - 1, .max / 2, 2), (.max, .max, 5),
  ])
  func `Costs of any size can be added`(limit: Int, cost: Int, count: Int) async throws {
    let cache = TimedCacheDataSource(memory, costLimit: limit, cost: { _ in cost }, clock: clock)
    for number in 0..<5 { try await cache.put(number, forId: number).get() }
    #expect(cache.inspect().map(\.key) == (5 - count..<5).map(String.init))
    #expect(cache.inspect("4")?.cost == cost)
    #expect(cache.statistics.evictions == 5 - count)
  }

  @Test(arguments: [0, -1, .min])
  func `A cache without capacity stores nothing`(capacity: Int) async throws {
    let cache = TimedCacheDataSource(memory, capacity: capacity, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(cache.inspect().isEmpty)
    #expect(try await cache.get("a").get() == 1)
  }

  @Test func `A cache with a capacity of one stores the last entry`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: 1, clock: clock)
    for number in 0..<5 {
      try await cache.put(number, forId: number).get()
      #expect(try await cache.get(number).get() == number)
      #expect(cache.inspect().map(\.key) == ["\(number)"])
    }
    #expect(cache.statistics.evictions == 4)
    try await memory.put(7, forId: 0).get()
    #expect(try await cache.get(0).get() == 7)
    #expect(cache.inspect().map(\.key) == ["0"])
  }

  @Test func `The maximum capacity works`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: .max, costLimit: .max, clock: clock)
    for number in 0..<100 { try await cache.put(number, forId: number).get() }
    for number in 0..<100 { #expect(try await cache.get(number).get() == number) }
    #expect(cache.statistics.hits == 100)
  }

  @Test func `The cost of an entry is never negative`() async throws {
    let cache = TimedCacheDataSource(memory, costLimit: -1, cost: { _ in -5 }, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(cache.inspect().isEmpty && cache.statistics.evictions == 0)
  }

  @Test(arguments: [-1, .min])
  func `No entry fits into a negative cost limit`(limit: Int) async throws {
    let cache = TimedCacheDataSource(memory, costLimit: limit, cost: { _ in .min }, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(cache.inspect().isEmpty)
    #expect(try await cache.get("a").get() == 1)
  }

  @Test func `Random uses match a simple recency list`() async throws {
    var random = SeededGenerator(seed: 7)
    let cache = TimedCacheDataSource(memory, capacity: 4, clock: clock)
    var recent: [String] = []
    for _ in 0..<1_000 {
      let key = String(Int.random(in: 0..<9, using: &random))
      if Int.random(in: 0..<8, using: &random) == 0 {
        #expect(cache.evict(key) == recent.contains(key))
        recent.removeAll { $0 == key }
        continue
      }
      if Bool.random(using: &random) {
        try await cache.put(1, forId: key).get()
      } else {
        guard (try? await cache.get(key).get()) != nil else { continue }
      }
      recent.removeAll { $0 == key }
      recent.append(key)
      recent = recent.suffix(4)
      #expect(cache.inspect().map(\.key) == recent.sorted())
    }
  }
}
