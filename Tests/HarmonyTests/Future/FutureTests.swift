import Dispatch
import Harmony
import Testing

@Suite struct FutureTests {
  private struct Flaw: Error, Equatable {}

  @Test func firstResultWins() async throws {
    let future = Future<Int>()
    #expect(future.resolve(.value(1)))
    #expect(!future.resolve(.value(2)))
    future.set(Flaw())
    #expect(try await future.get() == 1)
  }

  @Test func statesFollowTheResultAndItsConsumers() {
    let asked = Future<Int>()
    #expect(asked.state == .blank)
    asked.then { _ in }
    #expect(asked.state == .waitingContent)
    asked.set(1)
    #expect(asked.state == .sent)
    let answered = Future<Int>()
    answered.set(1)
    #expect(answered.state == .waitingThen)
    answered.then { _ in }
    #expect(answered.state == .sent)
  }

  @Test func `Callbacks run in the order in which they were added`() {
    let log = Log<Int>()
    let future = Future<Int>()
    for index in 0..<10 { future.then { log.add($0 + index) } }
    #expect(log.all.isEmpty)
    future.set(100)
    #expect(log.all == Array(100..<110))
  }

  @Test func `Callbacks run on the resolving thread, which may not be the main thread`() {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "resolver")
    queue.setSpecific(key: key, value: true)
    let log = Log<Bool?>()
    let future = Future<Int>()
    future.then { _ in log.add(DispatchQueue.getSpecific(key: key)) }
    queue.sync { future.set(1) }
    #expect(log.all == [true])
  }

  @Test func `Blocking never misses a result that arrives at the same time`() {
    let queue = DispatchQueue(label: "resolver")
    for _ in 0..<5_000 {
      let future = Future<Int>()
      queue.async { future.set(1) }
      guard case .value(1) = future.result else {
        Issue.record("not the value")
        return
      }
    }
  }

  @Test func `A waiting thread is notified when its future is cleared`() {
    let future = Future<Int>()
    let told = Log<String>()
    DispatchQueue.global().async {
      if case .error(let error) = future.result { told.add("\(type(of: error))") }
    }
    // The thread may start waiting only after the first of these calls.
    while told.all.isEmpty { future.clear() }
    #expect(told.all == ["CancellationError"])
  }

  @Test func `A callback may use its own future`() {
    let log = Log<String>()
    let future = Future<Int>()
    future.then { _ in
      future.set(2)
      future.clear()
      future.then { log.add("inner \($0)") }
      log.add("\(future.isResolved)")
    }
    future.set(1)
    #expect(log.all == ["inner 1", "true"])
  }

  @Test func `A chain of 200,000 maps is completed without recursion`() async throws {
    let first = Future<Int>()
    var last = first
    for _ in 0..<200_000 { last = last.map { $0 + 1 } }
    first.set(0)
    #expect(try await last.get() == 200_000)
  }

  @Test func `A long chain of maps is released without recursion`() {
    let log = Log<String>()
    var first: Future<Int>? = Future<Int>()
    if var last = first {
      for _ in 0..<200_000 { last = last.map { $0 + 1 } }
      last.fail { log.add("\($0 is UnresolvedFutureError)") }
    }
    #expect(log.all.isEmpty)
    first = nil
    #expect(log.all == ["true"])
  }

  @Test func `A long chain of maps is cancelled without recursion`() {
    let first = Future<Int>()
    var last = first
    for _ in 0..<200_000 { last = last.map { $0 + 1 } }
    last.cancel()
    #expect(first.isCancelled)
  }

  @Test func `The effects of a nested set are complete when it returns`() {
    let log = Log<Int>()
    let outer = Future<Int>()
    outer.then { value in
      let inner = Future<Int>()
      let next = inner.map { $0 * 2 }
      inner.set(value)
      next.then { log.add($0) }
      log.add(0)
    }
    outer.set(21)
    #expect(log.all == [42, 0])
  }

  @Test func `A released resolver fails the future`() async {
    let future = Future<Int> { _ in }
    await #expect(throws: UnresolvedFutureError.self) { try await future.get() }
  }

  @Test func `A result with neither value nor error is an illegal argument`() async {
    let future = Future<Int>()
    future.set(value: nil, error: nil)
    await #expect(throws: CoreError.IllegalArgument.self) { try await future.get() }
  }

  @Test func `Blocking for the result works any number of times`() {
    let future = Future<Int>()
    DispatchQueue.global().async { future.set(7) }
    for _ in 0..<3 {
      guard case .value(7) = future.result else {
        Issue.record("not the value")
        return
      }
    }
  }

  @Test func `Interceptors can change the result before it is stored`() async throws {
    let future = Future<Int>()
    let log = Log<String>()
    future.onSet { log.add("set") }
    future.onSet { value, error in
      value = value.map { $0 * 2 }
      future.set(99)
    }
    future.then { log.add("\($0)") }
    future.set(4)
    #expect(try await future.get() == 8)
    #expect(log.all == ["set", "8"])
  }

  @Test func `Each initializer creates the documented future`() async throws {
    #expect(try await Future(1).get() == 1)
    #expect(try await Future<Int>(Future(1)).get() == 1)
    #expect(try await Future<Int> { $0.set(1) }.get() == 1)
    #expect(try await Future<Int>(future: { Future(1) }).get() == 1)
    #expect(try await Future(value: { 1 }).get() == 1)
    #expect(try await Future.async { 1 }.get() == 1)
    #expect(try await Future { try await Future(1).get() }.get() == 1)
    let plain: Future<Int> = Future { 1 }
    #expect(try await plain.get() == 1)
    let failures: [Future<Int>] = [
      Future(Flaw()), Future { _ in throw Flaw() }, Future(future: { throw Flaw() }),
      Future(value: { throw Flaw() }), Future { Flaw() }, Future.async { throw Flaw() },
    ]
    for failure in failures {
      await #expect(throws: Flaw.self) { try await failure.get() }
    }
  }

  @Test func `A resolver that forwards to another future may be released`() throws {
    let other = Future<Int>()
    let future = Future<Int> { resolver in resolver.set(other) }
    #expect(!future.isResolved)
    other.set(1)
    #expect(try future.result.get() == 1)
  }

  @Test func `A future that forwards another one fails when that one is released`() {
    var other: Future<Int>? = Future()
    let future = Future<Int> { [other] resolver in
      if let other { resolver.set(other) }
    }
    other = nil
    #expect(throws: UnresolvedFutureError.self) { try future.result.get() }
  }
}
