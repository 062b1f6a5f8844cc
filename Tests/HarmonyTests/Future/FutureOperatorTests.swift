import Foundation
import Harmony
import Testing

@Suite struct FutureOperatorTests {
  private struct Flaw: Error, Equatable {}
  private struct Other: Error, Equatable {}

  /// Derives a future from one that is already completed, and from one that is completed later.
  private func both<T>(
    _ result: Future<Int>.Result, _ derive: (Future<Int>) -> Future<T>
  ) async -> [Future<T>] {
    let pending = Future<Int>()
    let derived = [derive(Future(result: result)), derive(pending)]
    pending.resolve(result)
    return derived
  }

  @Test func `Map transforms, throws and propagates errors`() async throws {
    for future in await both(.value(2), { $0.map { $0 * 3 } }) {
      #expect(try await future.get() == 6)
    }
    for future in await both(.value(2), { $0.map { _ -> Int in throw Flaw() } }) {
      await #expect(throws: Flaw.self) { try await future.get() }
    }
    for future in await both(.error(Flaw()), { $0.map { $0 * 3 } }) {
      await #expect(throws: Flaw.self) { try await future.get() }
    }
  }

  @Test func `Flat map continues with the next future`() async throws {
    for future in await both(.value(2), { $0.flatMap { Future("\($0)") } }) {
      #expect(try await future.get() == "2")
    }
    let later = Future<String>()
    let futures = await both(.value(2)) { $0.flatMap { _ in later } }
    later.set("later")
    for future in futures { #expect(try await future.get() == "later") }
  }

  @Test func `Recover replaces all errors, or those of a type`() async throws {
    for future in await both(.error(Flaw()), { $0.recover { _ in Future(1) } }) {
      #expect(try await future.get() == 1)
    }
    for future in await both(
      .error(Flaw()), { $0.recover(if: Other.self) { _ in Future(1) } })
    {
      await #expect(throws: Flaw.self) { try await future.get() }
    }
    for future in await both(.error(Other()), { $0.recover(if: Other.self) { _ in Future(1) } }) {
      #expect(try await future.get() == 1)
    }
    for future in await both(.error(Flaw()), { $0.mapError { _ in Other() } }) {
      await #expect(throws: Other.self) { try await future.get() }
    }
  }

  @Test func `Filter turns values into errors`() async throws {
    let check: @Sendable (Int) throws -> Void = { if $0 > 5 { throw Flaw() } }
    #expect(try await Future(5).filter { try check($0) }.get() == 5)
    await #expect(throws: Flaw.self) { try await Future(6).filter { try check($0) }.get() }
  }

  @Test func `Then, fail and completion callbacks are called as appropriate`() {
    let log = Log<String>()
    for result in [Future<Int>.Result.value(1), .error(Flaw())] {
      Future(result: result)
        .then { log.add("then \($0)") }
        .fail { log.add("fail \($0)") }
        .onCompletion { log.add("end") }
    }
    #expect(log.all == ["then 1", "end", "fail Flaw()", "end"])
  }

  @Test func `Optional values are unwrapped, filled and mapped`() async throws {
    let some = Future<Int?>(1)
    let none = Future<Int?>(value: { nil })
    #expect(try await some.unwrap().get() == 1)
    await #expect(throws: NilValueError.self) { try await none.unwrap().get() }
    #expect(try await none.fill { 7 }.get() == 7)
    #expect(try await some.fill { 7 }.get() == 1)
    #expect(try await none.flatFill { Future(8) }.get() == 8)
    #expect(try await some.unwrappedMap { $0 + 1 }.get() == 2)
    #expect(try await none.unwrappedMap { $0 + 1 }.get() == nil)
    #expect(try await Future(1).optional().get() == 1)
    #expect(try await Future(1).chain(Future("b")).get() == "b")
  }

  @Test func `A batch keeps the order of its futures`() async throws {
    let futures = (0..<5).map { _ in Future<Int>() }
    let batch = Future.batch(futures)
    for index in [3, 0, 4, 2, 1] { futures[index].set(index) }
    #expect(try await batch.get() == [0, 1, 2, 3, 4])
    #expect(try await Future<Int>.batch([]).get() == [])
    #expect(try await Future.batch(Future(1), Future(2)).get() == [1, 2])
    let failing = Future.batch(Future<Int>(), Future(Flaw()))
    await #expect(throws: Flaw.self) { try await failing.get() }
  }

  @Test func `Zipped futures run concurrently`() async throws {
    #expect(try await Future(1).zip(Future("a")).get() == (1, "a"))
    #expect(try await (Future(1) + Future("a")).get() == (1, "a"))
    #expect(try await Future(1).zip(Future(2), Future(3)).get() == (1, 2, 3))
    #expect(try await Future(1).zip(Future(2), Future(3), Future(4)).get() == (1, 2, 3, 4))
    // The second error is reported without waiting for the first value.
    let zip = Future<Int>().zip(Future<Int>(Flaw()))
    await #expect(throws: Flaw.self) { try await zip.get() }
    let (left, right) = Future((1, "b")).unzip()
    #expect(try await left.get() == 1)
    #expect(try await right.get() == "b")
    #expect(try await Future<(Int, Int)>((1, 2)).collapse { $0 + $1 }.get() == 3)
    #expect(try await Future<(Int, Int, Int)>((1, 2, 3)).collapse { $0 + $1 + $2 }.get() == 6)
    #expect(try await (Future<Int>(1) <^> { $0 + 1 }).get() == 2)
    #expect(try await 5.toFuture().get() == 5)
    #expect(try await [5].toFuture().get() == [5])
    #expect(try await CGFloat(0.5).toFuture().get() == 0.5)
    #expect(try await NSNumber(value: 5).toFuture().get() == 5)
    #expect(try await NSRange(location: 1, length: 2).toFuture().get().length == 2)
    #expect(try await URLQueryItem(name: "a", value: "b").toFuture().get().name == "a")
  }

  @Test func `Delays postpone results`() async throws {
    #expect(try await Future(1).withDelay(0).get() == 1)
    #expect(try await Future(1).withBlockingDelay(0).get() == 1)
    #expect(try await Future(1).after(.now()).get() == 1)
    #expect(try await Future(1).after(.distantPast).get() == 1)
  }

  @Test func `Clearing detaches observers, and the future continues`() async throws {
    let future = Future<Int>()
    let before = future.map { $0 }
    future.clear()
    let after = future.map { $0 }
    future.set(1)
    await #expect(throws: CancellationError.self) { try await before.get() }
    #expect(try await after.get() == 1)
  }

  @Test func `A future can be mapped with a key path or a function`() async throws {
    #expect(try await Future("larder").map(\.count).get() == 6)
    #expect(try await Future(7).map(String.init(describing:)).get() == "7")
    #expect(try await Future("7").map(DirectExecutor()) { Int($0) }.get() == 7)
    await #expect(throws: CoreError.NotFound.self) {
      try await Future<String>(CoreError.NotFound()).map(\.count).get()
    }
  }
}
