import Foundation
import Harmony
import HarmonyTesting
import Testing

@Suite struct DecoratorTests {
  private struct Positive: ObjectValidation {
    func isObjectValid<T>(_ object: T) -> Bool { (object as? Int ?? 0) > 0 }
  }

  @Test func `A validator refuses invalid values, but not an empty list`() async throws {
    let memory = InMemoryDataSource<Int>()
    let source = DataSourceValidator(dataSource: memory, validator: Positive())
    try await source.put(-1, forId: "bad").get()
    await #expect(throws: CoreError.NotValid.self) { try await source.get("bad").get() }
    try await source.putAll([1, -1], forId: "list").get()
    await #expect(throws: CoreError.NotValid.self) { try await source.getAll("list").get() }
    try await source.putAll([], forId: "empty").get()
    #expect(try await source.getAll("empty").get() == [])
    #expect(DefaultObjectValidation().isArrayValid([Int]()))
    let recovered = source.get("bad").recover(if: CoreError.NotValid.self) { _ in Future(0) }
    #expect(try await recovered.get() == 0)
  }

  @Test(arguments: [(0, 1), (-3, 1), (1, 2), (3, 4)])
  func `Retrying makes the expected number of calls`(retryCount: Int, calls: Int) async {
    let spy = DataSourceSpy(FailingDataSource(InMemoryDataSource<Int>()))
    let source = RetryDataSource(spy, retryCount: retryCount)
    await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    #expect(spy.calls.count == calls)
  }

  @Test func `Retrying stops after a success or a permanent error`() async throws {
    let spy = DataSourceSpy(FailingDataSource(InMemoryDataSource<Int>(), failing: 1))
    try await RetryDataSource(spy).put(1, forId: "a").get()
    #expect(spy.calls.count == 2)
    let choosy = RetryDataSource(spy, retryCount: 5) { !($0 is CoreError.NotFound) }
    await #expect(throws: CoreError.NotFound.self) { try await choosy.get("b").get() }
    #expect(spy.calls.count == 3)
  }

  @Test(arguments: [nil, RetryBackOff(wait: { _ in Future(()) })])
  func `Retrying a hundred thousand times does not overflow the stack`(backOff: RetryBackOff?)
    async
  {
    let spy = DataSourceSpy(FailingDataSource(InMemoryDataSource<Int>()))
    let source = RetryDataSource(spy, retryCount: 100_000, backOff: backOff)
    await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    #expect(spy.calls.count == 100_001)
  }

  @Test(arguments: [nil, RetryBackOff(wait: { _ in .async {} })])
  func `Cancelling reaches the current attempt, regardless of how many preceded it`(
    backOff: RetryBackOff?
  ) async throws {
    let slow = DelayingDataSource(InMemoryDataSource<Int>())
    let source = RetryDataSource(slow, retryCount: .max, backOff: backOff)
    let future = source.get("a")
    for _ in 0..<100 {
      while !slow.release() { await Task.yield() }
    }
    while slow.heldCount == 0 { await Task.yield() }
    future.cancel()
    await #expect(throws: CancellationError.self) { try await future.get() }
    #expect(slow.cancelledCount == 1)
  }

  @Test func `Each error is checked once, and an error of a wait ends the attempts`() async {
    let errors = Log<String>()
    let failing = FailingDataSource(InMemoryDataSource<Int>())
    for backOff in [nil, RetryBackOff(wait: { _ in Future(()) })] {
      let source = RetryDataSource(failing, retryCount: 2, backOff: backOff) { error in
        errors.add("\(type(of: error))")
        return true
      }
      await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    }
    #expect(errors.all == ["Failed", "Failed", "Failed", "Failed"])
    let impatient = RetryBackOff(wait: { _ in Future(CoreError.NotValid()) })
    await #expect(throws: CoreError.NotValid.self) {
      try await RetryDataSource(failing, retryCount: 2, backOff: impatient).get("a").get()
    }
  }

  @Test func `Back-off waits longer each time, up to a limit`() async {
    let waits = Log<Duration>()
    let backOff = RetryBackOff(
      initialDelay: .seconds(1), factor: 3, longestDelay: .seconds(5), jitter: 0.5,
      wait: { delay in
        waits.add(delay)
        return Future(())
      }, random: { 0 })
    let source = RetryDataSource(
      FailingDataSource(InMemoryDataSource<Int>()), retryCount: 4, backOff: backOff)
    await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    #expect(waits.all == [.seconds(1), .seconds(3), .seconds(5), .seconds(5)])
  }

  @Test func `Cancelling during a wait ends the attempts`() async throws {
    let spy = DataSourceSpy(FailingDataSource(InMemoryDataSource<Int>()))
    let wait = Future<Void>()
    let source = RetryDataSource(
      spy, retryCount: 4, backOff: RetryBackOff(wait: { _ in wait }))
    let future = source.get("a")
    future.cancel()
    #expect(wait.isCancelled)
    #expect(spy.calls.count == 1)
    try await RetryBackOff.timer(.zero).get()
  }

  @Test func `A debug source fails, delays and logs, but never logs keys`() async throws {
    let log = Log<String>()
    let memory = InMemoryDataSource<Int>()
    let source = DebugDataSource(
      memory, delay: .sync(0), error: .error(CoreError.Failed(), probability: 0.5),
      logger: { log.add($0) }, random: { log.all.count > 2 ? 0.4 : 0.6 })
    try await source.put(1, forId: "secret").get()
    await #expect(throws: CoreError.Failed.self) { try await source.get("secret").get() }
    #expect(log.all.count == 4)
    #expect(log.all[0] == "#1 put IdQuery<String> started")
    #expect(log.all[3].hasPrefix("#2 get IdQuery<String> failed after"))
    #expect(!log.all.contains { $0.contains("secret") })
  }

  @Test func `An error of a mapper becomes the future's, before anything is written`()
    async throws
  {
    let memory = InMemoryDataSource<String>()
    let source = memory.withMapping(
      in: ClosureMapper { (number: Int) -> String in
        guard number > 0 else { throw CoreError.NotValid() }
        return "\(number)"
      }, out: CastMapper<String, Int>())
    await #expect(throws: CoreError.NotValid.self) { try await source.put(0, forId: "a").get() }
    #expect(memory.keys == [])
    await #expect(throws: CoreError.Failed.self) { try await source.put(1, forId: "a").get() }
    #expect(memory.keys == ["a"])
    await #expect(throws: CoreError.Failed.self) { try await source.get("a").get() }
    let lengths = memory.withMapping(ClosureMapper { $0.count })
    #expect(try await lengths.get("a").get() == 1)
  }
}
