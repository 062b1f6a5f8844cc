import Harmony
import HarmonyTesting
import Testing

@Suite struct TimedCacheFlightTests {
  private let memory = InMemoryDataSource<Int>()

  @Test func `Concurrent misses of a key share one read`() async throws {
    let spy = DataSourceSpy(memory)
    let slow = DelayingDataSource(spy)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    try await memory.put(1, forId: "a").get()
    let futures = (0..<5).map { _ in cache.get("a") }
    #expect(slow.heldCount == 1)
    slow.releaseAll()
    #expect(try await Future.batch(futures).get() == [1, 1, 1, 1, 1])
    #expect(spy.count(.get) == 1)
    #expect(cache.statistics.misses == 5)
  }

  @Test(arguments: [false, true])
  func `An evicted entry is not restored by a pending read`(_ all: Bool) async throws {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    try await memory.put(1, forId: "a").get()
    let read = cache.get("a")
    if all { cache.evictAll() } else { cache.evict("a") }
    slow.releaseAll()
    #expect(try await read.get() == 1)
    #expect(cache.inspect("a") == nil)
  }

  @Test func `A cancelled deletion of everything discards entries read in the meantime`()
    async throws
  {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    try await memory.put(1, forId: "a").get()
    let deletion = cache.delete(AllObjectsQuery())
    let read = cache.get("a")
    slow.release(1)
    #expect(try await read.get() == 1)
    deletion.cancel()
    #expect(cache.inspect("a") == nil)
  }

  @Test func `A cancelled caller does not affect the others`() async throws {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    try await memory.put(1, forId: "a").get()
    let first = cache.get("a")
    let second = cache.get("a")
    first.cancel()
    #expect(slow.cancelledCount == 0)
    slow.releaseAll()
    #expect(try await second.get() == 1)
    await #expect(throws: CancellationError.self) { try await first.get() }
  }

  @Test func `If all callers cancel, the read is cancelled, and the next one starts again`()
    async throws
  {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    try await memory.put(1, forId: "a").get()
    let futures = [cache.get("a"), cache.get("a")]
    for future in futures { future.cancel() }
    #expect(slow.cancelledCount == 1)
    let next = cache.get("a")
    #expect(slow.heldCount == 2)
    slow.releaseAll()
    #expect(try await next.get() == 1)
  }

  @Test func `A late answer does not replace a newer value`() async throws {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    try await memory.put(1, forId: "a").get()
    let read = cache.get("a")
    let write = cache.put(2, forId: "a")
    slow.release(0)
    #expect(try await read.get() == 1)
    #expect(cache.inspect("a") == nil)
    slow.release(0)
    #expect(try await write.get() == 2)
    #expect(cache.inspect("a")?.content == .value(2))
  }

  @Test func `Overlapping writes leave nothing in the cache`() async throws {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    let first = cache.put(1, forId: "a")
    let second = cache.put(2, forId: "a")
    slow.release(1)
    slow.release(0)
    _ = try await (first.get(), second.get())
    #expect(cache.inspect("a") == nil)
    let read = cache.get("a")
    slow.releaseAll()
    #expect(try await read.get() == 1)
  }

  @Test func `Many tasks can share a cache`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: 10)
    let failures = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<400 {
        group.addTask {
          let key = String(index % 17)
          if index % 3 == 0 { _ = try? await cache.put(index % 17, forId: key).get() }
          if index % 50 == 0 { _ = try? await cache.delete(AllObjectsQuery()).get() }
          let value = try? await cache.get(key).get()
          return value != nil && value != index % 17
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 0)
    #expect(cache.inspect().count <= 10)
  }
}
