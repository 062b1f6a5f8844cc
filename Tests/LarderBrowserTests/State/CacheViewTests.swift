import LarderModel
import LarderBrowser
import Testing

/// The view of the timed cache over a store.
@Suite struct CacheViewTests {
  private func status(_ number: Int64, fetchedAt: Duration = .zero) -> CacheStatus {
    CacheStatus(key: .integer(number), fetchedAt: fetchedAt, timeToLive: .seconds(100), hits: 0)
  }

  @Test func `The cache view reads only from the cache`() throws {
    var bench = Bench.ready()
    bench.command("read-through")
    let read = try bench.first(ReadEntry.self)
    #expect(read.key == .integer(0))
    #expect(read.path == .cacheOnly)
    #expect(try bench.last(InspectCache.self).store == Bench.reference)
    bench.command("read-through")
    #expect(bench.state.cache == nil)
    #expect(try bench.first(ReadEntry.self).path == .usual)
  }

  @Test func `Opening an entry reads it through the cache`() throws {
    var bench = Bench.ready()
    bench.run(.command("read-through"))
    bench.command("open")
    let read = try bench.first(ReadEntry.self)
    #expect(read.key == .integer(0) && read.path == .cache)
    bench.answer(read, .success(Entry(key: .integer(0), value: .null)))
    #expect(try bench.only(InspectCache.self).store == Bench.reference)
  }

  @Test func `The clock runs while an entry is fresh`() throws {
    var bench = Bench.ready()
    bench.run(.command("read-through"))
    let inspect = try bench.latest(InspectCache.self)
    bench.answer(inspect, .init([status(0)], now: .seconds(1)))
    let tick = try bench.only(Tick.self)
    bench.answer(inspect, .init([status(0)], now: .seconds(1)))
    #expect(bench.effects.isEmpty, "one clock is enough")
    bench.answer(tick, .seconds(2))
    let next = try bench.only(Tick.self)
    #expect(bench.state.cache?.now == .seconds(2))
    bench.answer(next, .seconds(100))
    #expect(bench.effects.isEmpty)
  }

  @Test func `The clock stops when the view is closed`() throws {
    var bench = Bench.ready()
    bench.run(.command("read-through"))
    try bench.answer(InspectCache.self, .init([status(0)], now: .seconds(1)))
    bench.command("read-through")
    try bench.answer(Tick.self, .seconds(2))
    #expect(bench.effects.isEmpty)
  }

  @Test func `The cache of another store is not shown`() {
    var bench = Bench.ready()
    bench.run(.command("read-through"))
    let other = StoreReference(location: Bench.location, collection: "others")
    bench.answer(InspectCache(store: other), .init([status(0)], now: .seconds(1)))
    #expect(bench.state.cache?.statuses.isEmpty == true)
  }

  @Test func `Refreshing reads an entry into the cache again`() throws {
    var bench = Bench.ready()
    bench.command("refresh")
    #expect(
      bench.state.message
        == Message(
          "refresh: this command needs a cache; :read-through turns on larder's own", .warning))
    bench.run(.command("read-through"))
    bench.command("refresh")
    let refresh = try bench.only(RefreshCached.self)
    #expect(refresh.store == Bench.reference && refresh.key == .integer(0))
    #expect(try refresh.ticket?.token == #require(bench.state.value?.token))
  }

  @Test func `Only a cached entry is evicted`() throws {
    var bench = Bench.ready()
    bench.run(.command("read-through"))
    bench.command("evict")
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message == Message("0 is not cached"))
    try bench.answer(InspectCache.self, .init([status(0)], now: .seconds(1)))
    bench.command("evict")
    // A single effect evicts and then reads: two would race for the cache.
    let evict = try bench.only(EvictCached.self)
    #expect(evict.store == Bench.reference && evict.key == .integer(0))
    #expect(try evict.ticket?.token == #require(bench.state.value?.token))
    #expect(bench.state.message == Message("0: evicted; still in the store"))
  }
}
