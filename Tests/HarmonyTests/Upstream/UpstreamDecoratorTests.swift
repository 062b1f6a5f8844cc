import Dispatch
import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Faults of upstream's decorators, mappers and errors, numbered as in `Departures.md`.
@Suite struct UpstreamDecoratorTests {
  private let clock = ManualClock()
  private let memory = InMemoryDataSource<Int>()

  @Test func `Fault 1: entries of a timed cache expire`() async throws {
    let cache = TimedCacheDataSource(memory, expiryInterval: 300, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await memory.put(2, forId: "a").get()
    clock.advance(by: .seconds(299))
    #expect(try await cache.get("a").get() == 1)
    clock.advance(by: .seconds(1))
    #expect(try await cache.get("a").get() == 2)
  }

  @Test func `Fault 2: writes update every cached list`() async throws {
    let cache = TimedCacheDataSource(memory, clock: clock)
    try await cache.put(1, forId: "a").get()
    #expect(try await cache.getAll(AllObjectsQuery()).get() == [1])
    try await cache.put(2, forId: "b").get()
    #expect(try await cache.getAll(AllObjectsQuery()).get() == [1, 2])
    try await cache.delete(AllObjectsQuery()).get()
    await #expect(throws: CoreError.NotFound.self) { try await cache.get("a").get() }
  }

  @Test func `Fault 14: sources are mapped by public methods`() async throws {
    try await memory.put(21, forId: "a").get()
    let texts = memory.withMapping(
      in: ClosureMapper { (text: String) in text.count }, out: ClosureMapper { "\($0)" })
    #expect(try await texts.put("four", forId: "b").get() == "4")
    #expect(try await memory.withMapping(ClosureMapper { $0 * 2 }).get("a").get() == 42)
  }

  @Test func `Fault 15: an empty list is valid`() async throws {
    let source = DataSourceValidator(dataSource: memory, validator: DefaultObjectValidation())
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
  }

  @Test func `Fault 24: bytes that are not JSON are an error, not a crash`() {
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToDecodableMapper<[Int]>().map(Data("[1,".utf8))
    }
    #expect(throws: CoreError.DataSerialization.self) {
      try EncodableToDecodableMapper<[Int], [String]>().map([1])
    }
  }

  @Test func `Fault 25: the base class of mappers throws an error, and does not crash`() {
    #expect(throws: CoreError.NotImplemented.self) { try Mapper<Int, String>().map(1) }
  }

  @Test func `Fault 26: a full cache evicts the least recently used entries`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: 2, clock: clock)
    for key in ["a", "b"] { try await cache.put(1, forId: key).get() }
    _ = try await cache.get("a").get()
    try await cache.put(1, forId: "c").get()
    #expect(cache.inspect().map(\.key) == ["a", "c"])
  }

  @Test func `Fault 27: an error removes the value and the list of its key`() async throws {
    let failing = FailingDataSource(memory, failing: 0)
    let cache = TimedCacheDataSource(failing, clock: clock)
    try await cache.put(1, forId: "a").get()
    try await cache.putAll([1], forId: "l").get()
    failing.fail(2)
    await #expect(throws: CoreError.Failed.self) { try await cache.put(2, forId: "a").get() }
    await #expect(throws: CoreError.Failed.self) { try await cache.putAll([2], forId: "l").get() }
    #expect(cache.inspect().isEmpty)
    // A failed read removes both the value and the list.
    let clock = ManualClock()
    let reading = FailingDataSource(AnyDataSource(memory), failing: 0)
    let read = TimedCacheDataSource(reading, expiryInterval: 10, clock: clock)
    try await read.put(1, forId: "b").get()
    try await memory.putAll([1, 2], forId: "b").get()
    #expect(try await read.getAll("b").get() == [1, 2])
    clock.advance(by: .seconds(11))
    reading.fail(1)
    await #expect(throws: CoreError.Failed.self) { try await read.get("b").get() }
    #expect(read.inspect().isEmpty)
  }

  @available(*, deprecated)
  @Test func `Fault 28: a cache forwards deleteAll unchanged`() async throws {
    let spy = DataSourceSpy(memory)
    try await TimedCacheDataSource(spy).deleteAll(AllObjectsQuery()).get()
    #expect(spy.calls.map(\.method) == [.deleteAll])
  }

  @Test func `Fault 29: the main thread may wait for a cache`() async throws {
    let slow = DebugDataSource(memory, delay: .async(0.01, .global()))
    let cache = TimedCacheDataSource(slow)
    try await memory.put(1, forId: "a").get()
    let value = try await MainActor.run { try cache.get("a").then { _ in }.result.get() }
    #expect(value == 1)
    #expect(cache.inspect("a") != nil)
  }

  @Test func `Fault 30: concurrent misses share one read`() async throws {
    let slow = DelayingDataSource(memory)
    let cache = TimedCacheDataSource(slow)
    try await memory.put(1, forId: "a").get()
    let futures = (0..<3).map { _ in cache.get("a") }
    #expect(slow.heldCount == 1)
    slow.releaseAll()
    #expect(try await Future.batch(futures).get() == [1, 1, 1])
  }

  @Test func `Fault 31: threads may share a cache`() async throws {
    let cache = TimedCacheDataSource(memory, capacity: 10)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<500 {
        group.addTask {
          try await cache.put(index, forId: index).get()
          #expect(try await cache.get(index).get() == index)
        }
      }
      try await group.waitForAll()
    }
    #expect(cache.inspect().count <= 10)
  }

  @Test func `Fault 32: retries can be delayed, and a negative count means none`()
    async throws
  {
    let waits = Log<Duration>()
    let backOff = RetryBackOff(
      jitter: 0,
      wait: { delay in
        waits.add(delay)
        return Future(())
      })
    let spy = DataSourceSpy(FailingDataSource(memory, failing: 2))
    try await RetryDataSource(spy, retryCount: 2, backOff: backOff).put(1, forId: "a").get()
    #expect(waits.all == [.milliseconds(100), .milliseconds(200)])
    let failing = DataSourceSpy(FailingDataSource(memory))
    let source = RetryDataSource(failing, retryCount: -1)
    await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    #expect(failing.calls.count == 1)
  }

  @Test func `Fault 33: sources of every type can be erased`() async throws {
    let any: AnyDataSource<Int> = memory.asAnyDataSource()
    let delete: AnyDeleteDataSource<Int> = memory.asAnyDeleteDataSource()
    try await any.put(1, forId: "a").get()
    try await delete.delete("a").get()
    #expect(memory.keys == [])
  }

  @Test func `Fault 34: the errors of an application can be sent to other tasks`() async {
    let error = ClassError(domain: "app", code: 3, description: "No network")
    let future = Future<Int>.async { throw error }
    await #expect(throws: error) { try await future.get() }
  }

  @Test func `Fault 35: a debug source measures writes, too`() async throws {
    let log = Log<String>()
    let source = DebugDataSource(memory, logger: { log.add($0) })
    try await source.put(1, forId: "a").get()
    let line = try #require(log.all.last)
    #expect(line.hasPrefix("#1 put IdQuery<String> succeeded after ") && line.hasSuffix("seconds"))
  }
}
