import Dispatch
import Foundation
import Harmony
import Testing

/// Futures as used by upstream's clients, whose closures capture non-sendable values.
class FutureTests {
  enum Failure: Error { case any }

  var count = 0

  @Test func `States can be told apart`() {
    let future = Future<Int>()
    switch future.state {
    case .blank: break
    case .waitingThen, .waitingContent, .sent: Issue.record("not blank")
    }
    future.then { _ in }
    #expect(future.state == .waitingContent)
    future.set(1)
    #expect(future.state == .sent)
    let answered = Future(1)
    #expect(answered.state == .waitingThen)
  }

  @Test func `Each way to make and complete a future`() throws {
    let future = Future<Int>()
    future.set(value: 1, error: nil)
    #expect(try future.result.get() == 1)
    var error: Error?
    #expect(Future<Int>(Failure.any).result.get(error: &error) == nil)
    #expect(error is Failure)
    let resolved = Future<Int> { resolver in
      DispatchQueue.global().async { resolver.set(2) }
    }
    #expect(try resolved.result.get() == 2)
    let void = Future<Void> { resolver in resolver.set() }
    void.complete()
    let nested = Future<Int>(future: { resolved })
    let value = Future<Int>(value: { 3 })
    #expect(try nested.zip(value).map { $0 + $1 }.result.get() == 5)
    let future2 = Future<Int>()
    FutureResolver(future2).set(nested)
    #expect(try future2.toFuture().result.get() == 2)
    future2.clear()
  }

  @Test func `Callbacks and operators, with and without an executor`() throws {
    let executor: Executor = DispatchQueueExecutor(.serial, name: "client")
    let first = Future<Int>(1)
      .then { self.count += $0 }
      .fail { error in print(error) }
      .map { $0 + 1 }
      .map(executor) { $0 * 10 }
    let future =
      first
      .flatMap { Future<Int>($0 + 1) }
      .filter { if $0 == 0 { throw Failure.any } }
      .mapError { _ in Failure.any }
      .recover { _ in Future<Int>(0) }
      .onCompletion { self.count += 1 }
    #expect(try future.result.get() == 21)
    #expect(count == 2)
    let batch = Future.batch(Future(1), Future(2))
    #expect(try batch.result.get() == [1, 2])
    let (one, two) = (Future(1), Future(2))
    let pair = one + two
    let sum = pair <^> { $0.0 + $0.1 }
    #expect(try sum.result.get() == 3)
    let optional: Future<Int?> = Future(1).optional()
    #expect(try optional.unwrap().result.get() == 1)
    #expect(try 5.toFuture().chain("a".toFuture()).result.get() == "a")
    let submitted: Future<Int> = executor.submit { resolver in resolver.set(4) }
    #expect(try submitted.result.get() == 4)
    _ = first.then(MainDirectExecutor()) { _ in }
    #expect(try Future("larder").map(\.count).result.get() == 6)
  }

  @Test func `Futures are awaited`() async throws {
    #expect(try await Future(1).async() == 1)
    let future = Future<Int> { try await Future(2).async() }
    #expect(try await future.async() == 2)
  }
}
