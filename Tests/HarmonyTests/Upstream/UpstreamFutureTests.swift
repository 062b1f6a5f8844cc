import Dispatch
import Harmony
import Testing

/// Faults of upstream's futures, numbered as in `Departures.md`.
@Suite struct UpstreamFutureTests {
  private struct Flaw: Error {}

  @Test func `Fault 3: an asynchronous body that throws completes its future`() async throws {
    await #expect(throws: Flaw.self) { try await Future<Int>.async { throw Flaw() }.get() }
    let future: Future<Int> = withFuture {
      await Task.yield()
      throw Flaw()
    }
    await #expect(throws: Flaw.self) { try await future.get() }
    await #expect(throws: Flaw.self) { try await future.async() }
    #expect(try await withFuture { 1 }.get() == 1)
  }

  @Test func `Fault 4: exactly one of several racing results wins`() async throws {
    for _ in 0..<200 {
      let future = Future<Int>()
      let seen = Log<Int>()
      future.then { seen.add($0) }
      let wins = await withTaskGroup(of: Int.self) { group in
        for number in 0..<4 {
          group.addTask { future.resolve(.value(number)) ? 1 : 0 }
        }
        return await group.reduce(0, +)
      }
      #expect(wins == 1)
      #expect(seen.all == [try await future.get()])
    }
  }

  @Test func `Fault 5: derived futures receive errors`() async {
    let first = Future<Int>()
    let second = Future<Int>(first)
    first.set(Flaw())
    await #expect(throws: Flaw.self) { try await second.get() }
  }

  @Test func `Fault 12: callbacks run while the main thread is blocked`() async throws {
    let log = Log<Int>()
    let value = try await MainActor.run {
      let future = Future<Int>()
      DispatchQueue.global().async { future.set(1) }
      return try future.then { log.add($0) }.result.get()
    }
    #expect(value == 1)
    #expect(log.all == [1])
  }

  @Test func `Fault 16: a future may have many consumers, before and after its result`() {
    let log = Log<Int>()
    let future = Future<Int>()
    for index in 0..<3 { future.then { log.add($0 + index) } }
    future.set(1)
    future.then { log.add($0) }
    #expect(log.all == [1, 2, 3, 1])
  }

  @Test func `Fault 36: neither a value nor an error is an error, not a crash`() async {
    let future = Future<Int>()
    future.set(value: nil, error: nil)
    await #expect(throws: CoreError.IllegalArgument.self) { try await future.get() }
  }

  @Test func `Fault 37: the result can be read repeatedly, and in addition to callbacks`() throws {
    let log = Log<Int>()
    let future = Future<Int>()
    future.then { log.add($0) }
    DispatchQueue.global().async { future.set(1) }
    for _ in 0..<2 { #expect(try future.result.get() == 1) }
    #expect(log.all == [1])
  }

  @Test func `Fault 38: a callback may clear, complete and read its own future`() {
    let log = Log<Int>()
    let future = Future<Int>()
    future.then { value in
      future.clear()
      future.complete()
      future.then { log.add($0) }
    }
    future.set(1)
    #expect(log.all == [1])
  }

  @Test func `Fault 39: blocking never misses the result`() throws {
    let queue = DispatchQueue(label: "resolver")
    for number in 0..<2_000 {
      let future = Future<Int>()
      queue.async { future.set(number) }
      #expect(try future.result.get() == number)
    }
  }

  @Test func `Fault 40: long chains do not overflow the stack`() async throws {
    let first = Future<Int>()
    var last = first
    for _ in 0..<1_000_000 { last = last.map { $0 + 1 } }
    first.set(0)
    #expect(try await last.get() == 1_000_000)
  }

  @Test func `Fault 41: work can be cancelled`() async {
    let log = Log<String>()
    let producer = Log<FutureResolver<Int>>()
    let future = Future<Int> { resolver in
      producer.add(resolver)
      resolver.onCancel { log.add("stopped") }
    }
    let derived = future.map { $0 + 1 }
    #expect(log.all == [])
    derived.cancel()
    #expect(log.all == ["stopped"])
    await #expect(throws: CancellationError.self) { try await derived.get() }
  }

  @Test func `Fault 42: a pair fails with the error that occurs first`() async {
    let first = Future<Int>()
    let second = Future<Int>()
    let pair = first.zip(second)
    second.set(Flaw())
    await #expect(throws: Flaw.self) { try await pair.get() }
    #expect(!first.isResolved)
  }

  @Test func `Fault 43: a future ends if its producer is released`() async {
    let future = Future<Int> { _ in }
    await #expect(throws: UnresolvedFutureError.self) { try await future.get() }
  }

  @Test func `Fault 52: clearing a complete future keeps its result`() async throws {
    let future = Future(1)
    future.clear()
    #expect(future.state == .waitingThen)
    #expect(try await future.get() == 1)
    let pending = Future<Int>()
    let derived = pending.map { $0 + 1 }
    pending.clear()
    await #expect(throws: CancellationError.self) { try await derived.get() }
    pending.set(2)
    #expect(try await pending.get() == 2)
  }

  @Test func `Fault 53: completing a future notifies everyone who waits for it`() {
    let log = Log<Int>()
    let future = Future<Int>()
    future.then { log.add($0) }
    DispatchQueue.global().async { future.set(1) }
    future.complete()
    #expect(log.all == [1])
    #expect(future.isResolved)
  }
}
