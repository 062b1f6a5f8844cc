import LarderModel
import LarderBrowser
import Testing

/// Looking at the timed cache over a store.
@Suite struct CacheViewTests {
  private func status(_ number: Int64, fetchedAt: Duration = .zero) -> CacheStatus {
    CacheStatus(key: .integer(number), fetchedAt: fetchedAt, timeToLive: .seconds(100), hits: 0)
  }

  @Test func lookingAtTheCacheReadsWhatIsInItAlone() {
    var bench = Bench.ready()
    bench.command("cache")
    guard case .readEntry(_, let key, _, let path) = bench.effects.first else {
      Issue.record("nothing is read")
      return
    }
    #expect(key == .integer(0))
    #expect(path == .cacheOnly)
    #expect(bench.effects.last == .inspectCache(Bench.reference))
    bench.command("cache")
    #expect(bench.state.cache == nil)
    guard case .readEntry(_, _, _, .usual) = bench.effects.first else {
      Issue.record("the store is not read")
      return
    }
  }

  @Test func openingAnEntryReadsItThroughTheCache() {
    var bench = Bench.ready()
    bench.run(.command("cache"))
    bench.command("open")
    guard case .readEntry(_, .integer(0), let token, .cache) = bench.effects.first else {
      Issue.record("nothing is read through the cache")
      return
    }
    bench.send(.entryRead(token: token, .success(Entry(key: .integer(0), value: .null))))
    #expect(bench.effects == [.inspectCache(Bench.reference)])
  }

  @Test func timeGoesOnWhileSomethingIsFresh() {
    var bench = Bench.ready()
    bench.run(.command("cache"))
    bench.send(.cacheInspected(Bench.reference, [status(0)], now: .seconds(1)))
    #expect(bench.effects == [.tick])
    bench.send(.cacheInspected(Bench.reference, [status(0)], now: .seconds(1)))
    #expect(bench.effects.isEmpty, "one clock is enough")
    bench.send(.ticked(now: .seconds(2)))
    #expect(bench.effects == [.tick])
    #expect(bench.state.cache?.now == .seconds(2))
    bench.send(.ticked(now: .seconds(100)))
    #expect(bench.effects.isEmpty)
  }

  @Test func timeStopsWhenNobodyLooks() {
    var bench = Bench.ready()
    bench.run(.command("cache"))
    bench.send(.cacheInspected(Bench.reference, [status(0)], now: .seconds(1)))
    bench.command("cache")
    bench.send(.ticked(now: .seconds(2)))
    #expect(bench.effects.isEmpty)
  }

  @Test func whatAnotherStoresCacheHoldsIsNotShown() {
    var bench = Bench.ready()
    bench.run(.command("cache"))
    let other = StoreReference(location: Bench.location, collection: "others")
    bench.send(.cacheInspected(other, [status(0)], now: .seconds(1)))
    #expect(bench.state.cache?.statuses.isEmpty == true)
  }

  @Test func anEntryIsReadAnewIntoTheCache() throws {
    var bench = Bench.ready()
    bench.command("refresh")
    #expect(
      bench.state.message == Message("refresh: press c to look at the cache first", .warning))
    bench.run(.command("cache"))
    bench.command("refresh")
    let token = try #require(bench.state.value?.token)
    #expect(bench.effects == [.refreshCached(Bench.reference, .integer(0), token: token)])
  }

  @Test func onlyWhatIsCachedIsEvicted() throws {
    var bench = Bench.ready()
    bench.run(.command("cache"))
    bench.command("evict")
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message == Message("0 is not cached"))
    bench.send(.cacheInspected(Bench.reference, [status(0)], now: .seconds(1)))
    bench.command("evict")
    // One effect that evicts and then reads: two would race for the cache.
    let token = try #require(bench.state.value?.token)
    #expect(bench.effects == [.evictCached(Bench.reference, .integer(0), token: token)])
    #expect(bench.state.message == Message("0 is out of the cache; the store still has it"))
  }
}
