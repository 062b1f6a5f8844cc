import Harmony
import HarmonyTesting
import LarderModel
@testable import LarderBrowser
import Testing

/// Reading through the timed cache, with a manual clock.
@Suite struct CacheEffectTests {
  private let key = EntryKey.integer(1)

  private func bench() async -> (RunnerBench, ScriptedSource) {
    let source = ScriptedSource(onGet: { query in
      guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
      return Future(Entry(key: query.entryKey, value: .text("stored")))
    })
    return (await RunnerBench(source), source)
  }

  private func read(_ path: ReadPath) -> ReadEntry {
    ReadEntry(store: Bench.reference, key: key, path: path, ticket: nil)
  }

  private func statuses(_ bench: RunnerBench) async -> [CacheStatus] {
    await bench.replies(to: InspectCache(store: Bench.reference)).first?.statuses ?? []
  }

  @Test func `A value is fresh up to the last nanosecond`() async {
    let (bench, source) = await bench()
    await bench.run(read(.cache))
    #expect(source.reads == 1)
    bench.clock.advance(by: .seconds(100) - .nanoseconds(1))
    await bench.run(read(.cache))
    #expect(source.reads == 1)
    bench.clock.advance(by: .nanoseconds(1))
    #expect(await statuses(bench).map { $0.state(at: bench.clock.now) } == [.expired])
    await bench.run(read(.cache))
    #expect(source.reads == 2)
    #expect(
      await statuses(bench) == [
        CacheStatus(key: key, fetchedAt: .seconds(100), timeToLive: .seconds(100), hits: 0)
      ])
  }

  @Test func `Usual reads bypass the cache`() async {
    let (bench, source) = await bench()
    await bench.run(read(.usual))
    await bench.run(read(.usual))
    #expect(source.reads == 2)
    #expect(await statuses(bench).isEmpty)
  }

  @Test func `Reads of the cache alone do not load missing values`() async {
    let (bench, source) = await bench()
    guard case .failure(.notFound) = await bench.replies(to: read(.cacheOnly)).first else {
      Issue.record("something was read")
      return
    }
    #expect(source.reads == 0)
    await bench.run(read(.cache))
    bench.clock.advance(by: .seconds(500))
    #expect(
      await bench.replies(to: read(.cacheOnly))
        == [.success(Entry(key: key, value: .text("stored")))],
      "what has expired is still there to look at")
    #expect(source.reads == 1)
  }

  @Test func `A refresh reads again and restarts the TTL`() async {
    let (bench, source) = await bench()
    await bench.run(read(.cache))
    bench.clock.advance(by: .seconds(60))
    await bench.run(RefreshCached(store: Bench.reference, key: key, ticket: nil))
    #expect(source.reads == 2)
    #expect(await statuses(bench).map(\.fetchedAt) == [.seconds(60)])
  }

  @Test func `A fresh read never comes from the cache`() async {
    for readsThroughCache in [false, true] {
      let source = ScriptedSource(onGet: { query in
        guard let query = query as? EntryQuery else {
          return Future(CoreError.QueryNotSupported())
        }
        return Future(Entry(key: query.entryKey, value: .text("stored")))
      })
      let bench = await RunnerBench(source, readsThroughCache: readsThroughCache)
      await bench.run(read(.usual))
      await bench.run(read(.fresh))
      #expect(source.reads == 2)
    }
  }

  @Test func `Evicting removes the value from the cache only`() async {
    let (bench, source) = await bench()
    await bench.run(read(.cache))
    let replies = await bench.replies(
      to: EvictCached(store: Bench.reference, key: key, ticket: nil))
    guard case .failure(.notFound) = replies.first else {
      Issue.record("the evicted value is still shown")
      return
    }
    #expect(source.reads == 1)
    #expect(await statuses(bench).isEmpty)
  }

  @Test func `Writing caches the new value and deleting evicts it`() async throws {
    let (bench, _) = await bench()
    let entry = Entry(key: key, value: .text("new"))
    let save = WriteEntry(
      store: Bench.reference, entry: entry, query: ReplaceQuery(key, expecting: nil), ticket: nil)
    #expect(await bench.replies(to: save) == [.success(entry)])
    #expect(await bench.replies(to: read(.cacheOnly)) == [.success(entry)])
    let deleted = await bench.replies(
      to: DeleteEntry(store: Bench.reference, query: EntryQuery(key), ticket: nil))
    #expect(deleted.count == 1)
    try deleted.first?.get()
    #expect(await statuses(bench).isEmpty)
  }

  @Test func `A tick replies with the time`() async {
    let (bench, _) = await bench()
    bench.clock.advance(by: .seconds(3))
    #expect(await bench.replies(to: Tick()) == [.seconds(3)])
  }
}
