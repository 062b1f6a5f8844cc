import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Extreme numbers, which must neither crash nor hang the process.
@Suite struct UnusualNumberTests {
  /// Returns the delays before the second and the third attempt.
  private func waits(
    _ initial: Duration = .seconds(1), _ factor: Double = 2, _ longest: Duration = .seconds(10),
    _ jitter: Double = 0, random: Double = 0.5
  ) async -> [Duration] {
    let log = Log<Duration>()
    let backOff = RetryBackOff(
      initialDelay: initial, factor: factor, longestDelay: longest, jitter: jitter,
      wait: { delay in
        log.add(delay)
        return Future(())
      }, random: { random })
    let source = RetryDataSource(
      FailingDataSource(InMemoryDataSource<Int>()), retryCount: 2, backOff: backOff)
    await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    return log.all
  }

  @Test func `Delays between attempts are clamped`() async {
    #expect(await waits(.seconds(1), .nan) == [.seconds(1), .seconds(1)])
    #expect(await waits(.seconds(1), .infinity) == [.seconds(1), .seconds(10)])
    #expect(await waits(.zero, .infinity) == [.zero, .zero])
    #expect(await waits(.seconds(1), -.infinity) == [.seconds(1), .zero])
    #expect(await waits(.seconds(1), 0.5) == [.seconds(1), .milliseconds(500)])
    #expect(await waits(.seconds(-1), 2) == [.zero, .zero])
    #expect(await waits(.seconds(1), 2, .seconds(-1)) == [.zero, .zero])
    let ages = Duration.seconds(1e12)
    #expect(await waits(.seconds(Int64.max), 9, .seconds(Int64.max)) == [ages, ages])
    #expect(await waits(.seconds(1), 1e300, .seconds(Int64.max)) == [.seconds(1), ages])
  }

  @Test func `The random part of a delay is clamped`() async {
    for (jitter, random) in [
      (Double.nan, 0.5), (-1, 0.5), (-.infinity, 0.5), (1, .nan), (1, -7), (1, -.infinity),
    ] {
      #expect(
        await waits(.seconds(1), 1, .seconds(10), jitter, random: random)
          == [.seconds(1), .seconds(1)])
    }
    for (jitter, random) in [(Double.infinity, 1.0), (7, 1), (1, 7), (1, .infinity)] {
      #expect(
        await waits(.seconds(1), 1, .seconds(10), jitter, random: random) == [.zero, .zero])
    }
  }

  @Test(arguments: [0, -2, .min, -1, 1])
  func `An executor runs at least one closure at a time`(count: Int) async throws {
    let executor = OperationQueueExecutor(.concurrent(count: count))
    #expect(try await Future<Int>(1).map(executor) { $0 + 1 }.get() == 2)
  }

  @Test(arguments: [Double.nan, -1, -Double.infinity, 0])
  func `An invalid delay is ignored`(interval: Double) async throws {
    #expect(try await Future(1).withDelay(interval).get() == 1)
    #expect(try await Future(1).withBlockingDelay(interval).get() == 1)
    #expect(try await Future(1).after(Date(timeIntervalSinceNow: interval)).get() == 1)
    let memory = InMemoryDataSource<Int>()
    memory.put(1, forId: "a")
    for delay in [DebugDataSourceDelay.async(interval, .global()), .sync(interval)] {
      #expect(try await DebugDataSource(memory, delay: delay).get("a").get() == 1)
    }
  }

  @Test func `A clock stops at its maximum, and a cache can still compute ages`() async throws {
    let clock = ManualClock()
    let cache = TimedCacheDataSource(InMemoryDataSource<Int>(), clock: clock)
    try await cache.put(1, forId: "a").get()
    for _ in 0..<30 { clock.advance(by: .seconds(Int64.max)) }
    #expect(clock.now == .seconds(Int64.max))
    #expect(cache.inspect("a")?.isExpired == true)
    #expect(try await cache.get("a").get() == 1)
    for _ in 0..<60 { clock.advance(by: .seconds(Int64.min)) }
    #expect(clock.now == .seconds(-Int64.max))
    #expect(cache.inspect("a")?.isExpired == false)
  }

  private struct FarClock: CacheClock {
    let now: Duration
  }

  @Test func `A clock beyond the range of seconds is clamped`() async throws {
    let start = Duration.seconds(Int64.max) * 9
    for now in [start, start * -1] {
      let cache = TimedCacheDataSource(InMemoryDataSource<Int>(), clock: FarClock(now: now))
      try await cache.put(1, forId: "a").get()
      #expect(try await cache.get("a").get() == 1)
      #expect(cache.inspect("a")?.age == .zero)
    }
  }

  @Test func `A minimal cost counts as zero`() async throws {
    let cache = TimedCacheDataSource(InMemoryDataSource<Int>(), costLimit: 10, cost: { _ in .min })
    try await cache.putAll([1, 2], in: IdsQuery(["a", "b"])).get()
    #expect(cache.inspect().map(\.cost).allSatisfy { $0 == 0 })
  }
}
