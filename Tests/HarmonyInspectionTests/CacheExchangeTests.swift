import Foundation
import Harmony
import HarmonyTesting
import Testing

@testable import HarmonyInspection

/// Exchanging cache entries from another process.
@Suite struct CacheExchangeTests {
  private typealias Cache = TimedCacheDataSource<Int, InMemoryDataSource<Int>>

  private let memory = InMemoryDataSource<Int>()
  /// Uses the system clock, so that times match the calendar; the TTL outlasts the tests.
  private let cache: Cache
  private let shown: Shown

  init() throws {
    cache = Cache(memory, expiryInterval: 1_000_000)
    shown = try Shown()
    shown.inspector.expose(cache, as: "c", isWritable: true)
    shown.inspector.expose(cache, as: "closed")
    shown.inspector.expose(memory, as: "m", isWritable: true)
  }

  private var remote: RemoteDataSource { shown.source("c") }

  @Test func `A removed entry can be restored with its expiry`() async throws {
    try await cache.put(1, forId: "a").get()
    let before = try #require(cache.inspect("a"))
    let entry = try await remote.entry("a").get()
    let state = try #require(entry.cached)
    let value = RemoteDataSource.Expectation.value(.json("1"))
    #expect(
      try await remote.exchange("a", for: nil, expecting: value, expiring: state.expires).get()
        == nil)
    #expect(cache.inspect("a") == nil)
    #expect(try await memory.get("a").get() == 1)
    let content = RemoteDataSource.CachedContent(
      .json("1"), stored: state.stored, expires: state.expires)
    let back = try await remote.exchange("a", for: content, expecting: .nothing).get()
    #expect(back?.value == .json("1"))
    let after = try #require(cache.inspect("a"))
    #expect(Self.isSame(after.expires, before.expires))
    #expect(Self.isSame(after.stored, before.stored))
    // Both calls return the same expiry, so that one can be compared with the other.
    let end = try #require(back?.cached?.expires)
    #expect(try await remote.entry("a").get().cached?.expires == end)
    try await remote.exchange("a", for: nil, expecting: value, expiring: end).get()
    #expect(cache.inspect("a") == nil)
  }

  @Test func `An entry inserted without times starts with the default TTL`() async throws {
    try await remote.exchange("a", for: .init(.json("3"))).get()
    #expect(cache.inspect("a")?.content == .value(3))
    #expect(cache.inspect("a")?.timeToLive == .seconds(1_000_000))
    let never = RemoteDataSource.CachedContent(
      .json("4"), expires: InspectedEntry.CachedState.never)
    let entry = try await remote.exchange("a", for: never).get()
    #expect(entry?.cached?.expires == InspectedEntry.CachedState.never)
    #expect(cache.inspect("a")?.isEndless == true)
    try await remote.exchange(
      "a", for: nil, expecting: .value(.json("4")), expiring: 1e11
    ).get()
    #expect(cache.inspect("a") == nil)
  }

  @Test func `A list is restored as a list, and the backing store returns its own list`()
    async throws
  {
    try await memory.putAll([1, 2], in: IdQuery("l")).get()
    _ = try await cache.getAll(IdQuery("l")).get()
    try await memory.putAll([3], in: IdQuery("l")).get()
    let list = InspectedValue.list([.json("1"), .json("2")])
    #expect(try await remote.backing("l").get() == .list([.json("3")]))
    try await remote.exchange("l", for: nil, expecting: .value(list)).get()
    try await remote.exchange("l", for: .init(list), expecting: .nothing).get()
    #expect(cache.inspect("l")?.content == .list([1, 2]))
  }

  @Test func `An entry is exchanged only if it matches the expectation`() async throws {
    try await cache.put(1, forId: "a").get()
    let end = try #require(try await remote.entry("a").get().cached?.expires)
    let one = RemoteDataSource.Expectation.value(.json("1"))
    for (expected, expires) in [
      (.nothing, nil), (.value(.json("2")), nil), (one, end + 1), (one, end - 1), (one, 1e12),
    ] as [(RemoteDataSource.Expectation, Double?)] {
      await #expect(throws: InspectionError.conflict) {
        try await remote.exchange("a", for: nil, expecting: expected, expiring: expires).get()
      }
    }
    await #expect(throws: InspectionError.conflict) {
      try await remote.exchange("b", for: .init(.json("1")), expecting: one).get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await remote.exchange("a", for: .init(.json("no")), expecting: one).get()
    }
    #expect(cache.inspect("a")?.content == .value(1))
  }

  @Test func `Read-only sources and sources without a cache are refused`() async throws {
    try await cache.put(1, forId: "a").get()
    await #expect(throws: InspectionError.readOnly("closed")) {
      try await shown.source("closed").exchange("a", for: nil).get()
    }
    await #expect(throws: CoreError.NotImplemented.self) {
      try await shown.source("m").exchange("a", for: nil).get()
    }
    #expect(cache.inspect("a") != nil)
  }

  @Test func `A custom cache without support for exchanging refuses it`() async throws {
    shown.inspector.expose(CustomCache(), as: "own", isWritable: true)
    let own = shown.source("own")
    #expect(try await own.entry("a").get().value == .json("1"))
    for ask in [
      { try await own.exchange("a", for: nil).get() },
      { try await own.exchange("a", for: .init(.json("2")), expecting: .value(.json("1"))).get() },
      { try await own.expire("a", at: 4e9).get() }, { try await own.expire("a", in: 5).get() },
    ] as [() async throws -> InspectedEntry?] {
      await #expect(throws: CoreError.NotImplemented.self) { _ = try await ask() }
    }
  }

  @Test func `An expiry given as a date is set to that date`() async throws {
    try await cache.put(1, forId: "a").get()
    let date = Date.now.timeIntervalSince1970.rounded() + 5_000
    for _ in 0..<2 {
      let entry = try await remote.expire("a", at: date, expecting: .value(.json("1"))).get()
      #expect(abs((entry.cached?.expires ?? 0) - date) < 0.000_01)
    }
    let never = InspectedEntry.CachedState.never
    #expect(try await remote.expire("a", at: never).get().cached?.expires == never)
    #expect(cache.inspect("a")?.isEndless == true)
    for date in [-Double.infinity, 0, -never] {
      try await remote.expire("a", at: date).get()
      #expect(cache.inspect("a")?.isExpired == true)
    }
    #expect(cache.inspect("a")?.content == .value(1))
  }

  @Test func `A program with protocol version 2 is not asked to exchange entries`() async throws {
    let folder = try SocketFolder()
    let server = try HostileServer(folder.socket) { peer in
      _ = peer.receive(8)
      peer.send(Array("HINS".utf8) + [0, 2, 0, 0])
      while let message = peer.message() {
        guard message.contains("expire"), message.contains("remaining") else { return }
        peer.send(message: #"{"id":1,"entry":{"key":"a","size":1,"value":{"text":"x"}}}"#)
      }
    }
    defer { withExtendedLifetime(server) {} }
    let client = InspectionClient(socket: folder.socket, timeLimit: 600)
    #expect(try await client.version().get() == 2)
    await #expect(throws: CoreError.NotImplemented.self) {
      try await client.source("c").exchange("a", for: nil).get()
    }
    #expect(try await client.source("c").expire("a", at: 4e9).get().key == "a")
  }

  @Test func `A client that does not support version 3 gets answers that it knows`() async throws {
    try await cache.put(1, forId: "a").get()
    let peer = try RawPeer(shown.folder.socket)
    peer.send(Array("HINS".utf8) + [0, 1, 0, 2])
    #expect(peer.receive(8) == Array("HINS".utf8) + [0, 2, 0, 0])
    peer.send(message: #"{"id":1,"action":"evict","source":"c","query":{"key":"a"}}"#)
    #expect(peer.message()?.contains("\"count\":1") == true)
  }

  @Test func `Dates are stable while both clocks advance, and adapt when one is set`() {
    let time = Locked(Duration.zero)
    let date = Locked(Duration.seconds(1_000))
    let calendar = CacheCalendar {
      time.withLock { $0 }
    } date: {
      date.withLock { $0 }
    }
    #expect(calendar.time(1_005) == .seconds(5))
    // As after an interrupted query, or if one clock is slightly faster.
    date.withLock { $0 += .milliseconds(999) }
    #expect(calendar.time(1_005) == .seconds(5))
    date.withLock { $0 += .seconds(60) }
    #expect(calendar.time(1_065.999) == .seconds(5))
    #expect(calendar.time(InspectedEntry.CachedState.never) == nil)
    #expect(calendar.time(.nan) == nil)
    #expect(calendar.time(-.infinity) == calendar.time(-1e12))
  }

  private static func isSame(_ one: Duration, _ other: Duration) -> Bool {
    (one - other) < .microseconds(10) && (other - one) < .microseconds(10)
  }
}
