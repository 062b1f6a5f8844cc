import Foundation
import Harmony
import HarmonyTesting
import Testing

@testable import HarmonyInspection

@Suite struct InspectedCacheTests {
  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  @Test func `A cache reports its entries without counting as a use`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    try await memory.put(1, forId: "stored only").get()
    try await cache.put(2, forId: "a").get()
    _ = try await cache.get("a").get()
    clock.advance(by: .seconds(4))
    let remote = shown.source("c")
    var entries = try await remote.entries(KeySelection(), preview: 100).get().entries
    for place in entries.indices {
      // These depend on the current time.
      entries[place].cached?.stored = nil
      entries[place].cached?.expires = nil
    }
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

  @Test func `The backing store can be read and refreshed separately`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    let remote = shown.source("c")
    try await cache.put(1, forId: "a").get()
    try await memory.put(2, forId: "a").get()
    #expect(try await remote.entry("a").get().value == .json("1"))
    #expect(try await remote.backing("a").get() == .json("2"))
    #expect(try await remote.entry("a").get().value == .json("1"))
    #expect(try await remote.refresh("a").get() == .json("2"))
    #expect(try await remote.entry("a").get().value == .json("2"))
    #expect(try await remote.evict("a").get())
    #expect(try await remote.evict("a").get() == false)
    #expect(try await remote.countKeys(AllObjectsQuery()).get() == 0)
    #expect(try await memory.get("a").get() == 2)
  }

  @Test func `A TTL can be set and is exact to the nanosecond`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    let remote = shown.source("c")
    try await cache.put(1, forId: "a").get()
    try await memory.put(2, forId: "a").get()
    clock.advance(by: .seconds(4))
    let longer = try await remote.expire("a", in: 100).get()
    #expect(longer.cached?.age == 4)
    #expect(longer.cached?.timeToLive == 104)
    #expect(longer.cached?.hits == 0)
    clock.advance(by: .seconds(100) - .nanoseconds(1))
    #expect(try await cache.get("a").get() == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(cache.inspect("a")?.isExpired == true)
    #expect(try await remote.expire("a", in: nil).get().cached.map { $0.timeToLive > 3e9 } == true)
    clock.advance(by: .seconds(1_000_000_000))
    #expect(try await cache.get("a").get() == 1)
    #expect(cache.inspect("a")?.isEndless == true)
    for ended: Double in [0, -5, -.infinity] {
      try await remote.expire("a", in: ended).get()
      #expect(cache.inspect("a")?.isExpired == true)
    }
    #expect(try await cache.get("a").get() == 2)
  }

  @Test func `An expiry is set only for an existing entry that matches the expectation`()
    async throws
  {
    let cache = TimedCacheDataSource(memory, expiryInterval: 10, clock: clock)
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    shown.inspector.expose(cache, as: "closed")
    try await cache.put(1, forId: "a").get()
    let remote = shown.source("c")
    await #expect(throws: InspectionError.conflict) {
      try await remote.expire("a", in: 1, expecting: .value(.json("7"))).get()
    }
    await #expect(throws: CoreError.NotFound.self) { try await remote.expire("b", in: 1).get() }
    await #expect(throws: InspectionError.readOnly("closed")) {
      try await shown.source("closed").expire("a", in: 1).get()
    }
    #expect(cache.inspect("a")?.remaining == .seconds(10))
    try await remote.expire("a", in: 1, expecting: .value(.json("1"))).get()
    #expect(cache.inspect("a")?.remaining == .seconds(1))
  }

  @Test func `A program with protocol version 1 is not asked for newer features`() async throws {
    let folder = try SocketFolder()
    let server = try HostileServer(folder.socket) { peer in
      _ = peer.receive(8)
      peer.send(Array("HINS".utf8) + [0, 1, 0, 0])
      while let message = peer.message() {
        guard message.contains("statistics") else { return }
        peer.send(message: #"{"id":1,"statistics":{"hits":1,"misses":2,"evictions":3}}"#)
      }
    }
    defer { withExtendedLifetime(server) {} }
    let remote = InspectionClient(socket: folder.socket, timeLimit: 600).source("c")
    await #expect(throws: CoreError.NotImplemented.self) {
      try await remote.expire("a", in: 1).get()
    }
    #expect(try await remote.statistics().get().misses == 2)
  }

  /// A manually set time.
  private final class Hand: Sendable {
    let nanoseconds = Locked<UInt64>(0)
  }

  /// Pages through the keys of a cache and counts the inspections.
  private final class Walker: Sendable {
    let cache: TimedCacheDataSource<Int, InMemoryDataSource<Int>>
    let looks = Locked(0)
    let time = Hand()
    let walk: KeyListCache

    init(_ cache: TimedCacheDataSource<Int, InMemoryDataSource<Int>>) {
      self.cache = cache
      walk = KeyListCache { [time] in time.nanoseconds.withLock { $0 } }
    }

    func page(after: String?, isDescending: Bool = false) -> [String] {
      let selection = KeySelection(.all, after: after, limit: 4, isDescending: isDescending)
      return walk.keys(selection, digest: { cache.inspectKeyDigest() }) { selection in
        looks.withLock { $0 += 1 }
        return cache.inspectKeys(selection)
      }
    }
  }

  @Test func `Paging through all keys inspects the cache once and returns each key once`()
    async throws
  {
    let cache = TimedCacheDataSource(memory, clock: clock)
    for number in 0..<25 { try await cache.put(number, forId: "k\(100 + number)").get() }
    let walker = Walker(cache)
    var keys: [String] = []
    while true {
      let found = walker.page(after: keys.last)
      keys += found
      if found.count < 4 { break }
      // A key added later is not visible yet, and the existing ones still are.
      if keys.count == 8 { try await cache.put(0, forId: "k050").get() }
    }
    #expect(keys == (0..<25).map { "k\(100 + $0)" })
    #expect(walker.looks.withLock { $0 } == 2)
    #expect(walker.page(after: nil).first == "k050")
    #expect(walker.page(after: nil, isDescending: true).first == "k124")
    #expect(walker.looks.withLock { $0 } == 4)
  }

  @Test func `Unchanged keys are not sorted again, and changed keys appear in time`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    for number in 0..<25 { try await cache.put(number, forId: "k\(100 + number)").get() }
    let walker = Walker(cache)
    _ = walker.page(after: nil)
    _ = walker.page(after: "k103")
    #expect(walker.looks.withLock { $0 } == 2)
    // Changing a value does not change the keys.
    try await cache.put(99, forId: "k104").get()
    walker.time.nanoseconds.withLock { $0 = 1_000_000_000_000 }
    #expect(walker.page(after: "k107").first == "k108")
    #expect(walker.page(after: nil).first == "k100")
    #expect(walker.looks.withLock { $0 } == 2)
    try await cache.delete(IdQuery("k112")).get()
    // Until the last nanosecond of the two seconds for which the list is valid.
    walker.time.nanoseconds.withLock { $0 += 1_999_999_999 }
    #expect(walker.page(after: "k111").first == "k112")
    walker.time.nanoseconds.withLock { $0 += 1 }
    #expect(walker.page(after: "k115").first == "k116")
    #expect(walker.looks.withLock { $0 } == 3)
    #expect(walker.page(after: "k119").first == "k120")
    #expect(
      !walker.walk.keys(KeySelection(), digest: { nil }, of: cache.inspectKeys).contains("k112"))
  }

  @Test func `A key written by a client is in the next page`() async throws {
    let shown = try Shown()
    let cache = TimedCacheDataSource(memory, clock: clock)
    for number in 0..<25 { try await cache.put(number, forId: "k\(100 + number)").get() }
    shown.inspector.expose(cache, as: "c", isWritable: true)
    let remote = shown.source("c")
    let first = try await remote.getKeys(KeyPageQuery(limit: 4)).get()
    let second = try await remote.getKeys(KeyPageQuery(after: first.last, limit: 4)).get()
    try await remote.put(.json("1"), forId: "k1075").get()
    #expect(
      try await remote.getKeys(KeyPageQuery(after: second.last, limit: 4)).get().first == "k1075")
    #expect(try await remote.countKeys(AllObjectsQuery()).get() == 26)
    #expect(try await remote.countKeys(KeyPrefixQuery("k12")).get() == 5)
  }

  @Test func `Keys with a value and a list are counted once`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(cache.inspectKeyCount() == 1)
    _ = try await cache.putAll([1, 2], in: IdQuery("b")).get()
    _ = try await cache.getAll(IdQuery("b")).get()
    let shown = try Shown()
    shown.inspector.expose(cache, as: "c")
    #expect(try await shown.source("c").countKeys(AllObjectsQuery()).get() == 2)
  }

  @Test func `A source that is not a cache reports so`() async throws {
    let shown = try Shown()
    shown.inspector.expose(memory, as: "m", isWritable: true)
    let remote = shown.source("m")
    await #expect(throws: CoreError.NotImplemented.self) { try await remote.statistics().get() }
    await #expect(throws: CoreError.NotImplemented.self) { try await remote.evict(nil).get() }
  }
}
