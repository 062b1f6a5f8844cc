import Harmony
import Synchronization
import Testing

/// Custom executors, which may run closures immediately, late, twice or never.
@Suite struct UnusualExecutorTests {
  private typealias Closure = @Sendable (_ end: @escaping @Sendable () -> Void) -> Void

  /// An executor that runs each closure a number of times on the calling thread, then releases it.
  private struct Repeating: Executor {
    let times: Int
    var name: String? { nil }
    var executing: Bool { false }

    func submit(_ closure: @escaping Closure) {
      for _ in 0..<times { closure {} }
    }
  }

  /// An executor that stores closures until the test takes them.
  private final class Keeping: Executor {
    private let closures = Mutex<[Closure]>([])
    var name: String? { nil }
    var executing: Bool { false }

    func submit(_ closure: @escaping Closure) {
      closures.withLock { $0.append(closure) }
    }

    func take() -> [Closure] {
      closures.withLock { closures in
        defer { closures = [] }
        return closures
      }
    }
  }

  @Test(arguments: [false, true])
  func `Chains on a synchronous executor do not overflow the stack`(isLate: Bool)
    throws
  {
    let executor = Repeating(times: 1)
    let first = Future<Int>()
    if !isLate { first.set(0) }
    var last = first
    for _ in 0..<20_000 { last = last.map(executor) { $0 + 1 } }
    first.set(0)
    // No waiting is needed: an immediate executor has finished.
    #expect(last.isResolved)
    #expect(try last.result.get() == 20_000)
  }

  @Test func `Callbacks on a synchronous executor keep their order`() {
    let log = Log<String>()
    let executor = Repeating(times: 1)
    let future = Future<Int>()
    future.then(executor) { _ in log.add("a") }.then { _ in log.add("c") }
    future.then(executor) { _ in log.add("b") }.then(executor) { _ in log.add("d") }
    future.set(1)
    #expect(log.all == ["a", "b", "c", "d"])
  }

  @Test func `A closure that an executor runs twice has an effect only once`() async throws {
    let count = Atomic(0)
    let future = Future(1).map(Repeating(times: 2)) { value in
      count.add(1, ordering: .relaxed)
      return value + 1
    }
    #expect(try await future.get() == 2)
    let keeping = Keeping()
    let later = Future(1).map(keeping) { value in
      count.add(1, ordering: .relaxed)
      return value + 2
    }
    for closure in keeping.take() {
      closure {}
      closure {}
    }
    #expect(try await later.get() == 3)
    #expect(count.load(ordering: .relaxed) == 2)
  }

  @Test func `A future fails if its executor releases the closure without running it`() async {
    let keeping = Keeping()
    let executors: [any Executor] = [Repeating(times: 0), keeping]
    for executor in executors {
      let futures = [
        Future(1).map(executor) { $0 + 1 }, Future(1).then(executor) { _ in },
        Future<Int>(CoreError.Failed()).recover(executor) { _ in Future(1) },
        executor.submit { (resolver: FutureResolver<Int>) in resolver.set(1) },
        executor.submit {}.map { 1 },
      ]
      #expect(keeping.take().count == (executor is Keeping ? 5 : 0))
      for future in futures {
        await #expect(throws: UnresolvedFutureError.self) {
          #expect(future.isResolved)
          future.cancel()
          try await future.get()
        }
      }
    }
    let first = Future<Int>()
    var last = first
    for _ in 0..<20_000 { last = last.map(executors[0]) { $0 + 1 } }
    first.set(0)
    let end = last
    await #expect(throws: UnresolvedFutureError.self) { try await end.get() }
  }

  @Test(arguments: [0, 1, 2])
  func `Collections are transformed regardless of the executor's behavior`(times: Int) {
    let executor = Repeating(times: times)
    #expect([3, 1, 2].map(executor) { $0 * 2 } == [6, 2, 4])
    #expect(["a": 1].mapValues(executor) { $0 + 1 } == ["a": 2])
    #expect(throws: CoreError.Failed.self) {
      try [1].map(executor) { (_: Int) -> Int in throw CoreError.Failed() }
    }
  }
}
