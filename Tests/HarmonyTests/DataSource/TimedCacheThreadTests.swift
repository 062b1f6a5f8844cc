import Foundation
import Harmony
import HarmonyTesting
import Testing

/// A cache used by threads, without the order that a task scheduler imposes.
@Suite struct TimedCacheThreadTests {
  private static let threads = 8

  /// Runs a closure on eight threads that start together, and waits for all of them.
  private func onThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let ready = DispatchGroup()
    let done = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    for number in 0..<Self.threads {
      ready.enter()
      done.enter()
      Thread {
        ready.leave()
        start.wait()
        body(number)
        done.leave()
      }
      .start()
    }
    ready.wait()
    for _ in 0..<Self.threads { start.signal() }
    done.wait()
  }

  @Test func `Threads that miss a key together cause one read`() throws {
    let memory = InMemoryDataSource<Int>()
    let spy = DataSourceSpy(memory)
    let slow = DelayingDataSource(spy)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    memory.put(7, forId: "a")
    for round in 1...50 {
      cache.evictAll()
      let futures = Log<Future<Int>>()
      onThreads { _ in futures.add(cache.get("a")) }
      #expect(slow.heldCount == 1)
      #expect(spy.count(.get) == round - 1)
      slow.releaseAll()
      #expect(futures.all.count == Self.threads)
      for future in futures.all { #expect(try future.result.get() == 7) }
      #expect(spy.count(.get) == round)
    }
    #expect(cache.statistics.misses == 50 * Self.threads)
  }

  @Test func `Threads that miss lists and other keys share separate reads`() throws {
    let memory = InMemoryDataSource<Int>()
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow, clock: ManualClock())
    for key in 0..<4 { memory.put(key, forId: key) }
    let values = Log<Bool>()
    let futures = Log<(Int, Future<Int>)>()
    let lists = Log<Future<[Int]>>()
    onThreads { number in
      futures.add((number % 4, cache.get(number % 4)))
      lists.add(cache.getAll(AllObjectsQuery()))
    }
    #expect(slow.heldCount == 5)
    slow.releaseAll()
    for (key, future) in futures.all { values.add(try future.result.get() == key) }
    for list in lists.all { values.add(try list.result.get() == [0, 1, 2, 3]) }
    #expect(values.all == Array(repeating: true, count: 2 * Self.threads))
  }

  @Test func `Threads that hit a key get its value and separate futures`() {
    let cache = TimedCacheDataSource(InMemoryDataSource<Int>())
    cache.put(7, forId: "a")
    let held = Log<Future<Int>>()
    onThreads { _ in
      for _ in 0..<200 { held.add(cache.get("a")) }
    }
    #expect(held.all.allSatisfy { (try? $0.result.get()) == 7 })
    #expect(Set(held.all.map { ObjectIdentifier($0) }).count == 200 * Self.threads)
    #expect(cache.statistics.hits == 200 * Self.threads)
  }

  private static let times: [(TimeInterval, Int64)] = [
    (1e-9, 1), (3e-9, 3), (0.000_000_1, 100), (0.1, 100_000_000), (0.3, 300_000_000),
    (1, 1_000_000_000), (1.000_000_001, 1_000_000_001), (2.7, 2_700_000_000),
    (86_400.1, 86_400_100_000_000),
  ]

  @Test(arguments: times.indices)
  func `A key is valid for exactly its TTL, to the nanosecond`(index: Int) async throws {
    let (interval, nanoseconds) = Self.times[index]
    let memory = InMemoryDataSource<Int>()
    let clock = ManualClock()
    let cache = TimedCacheDataSource(
      memory, timeToLive: { $0 == "own" ? interval : nil }, clock: clock)
    let whole = TimedCacheDataSource(memory, expiryInterval: interval, clock: clock)
    try await cache.put(1, forId: "own").get()
    try await cache.put(1, forId: "other").get()
    try await whole.put(1, forId: "own").get()
    try await memory.put(2, forId: "own").get()
    try await memory.put(2, forId: "other").get()
    #expect(cache.inspect("own")?.timeToLive == .nanoseconds(nanoseconds))
    clock.advance(by: .nanoseconds(nanoseconds - 1))
    #expect(try await cache.get("own").get() == 1)
    #expect(try await whole.get("own").get() == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(try await cache.get("own").get() == 2)
    #expect(try await whole.get("own").get() == 2)
    #expect(try await cache.get("other").get() == (nanoseconds < 300_000_000_000 ? 1 : 2))
  }
}
