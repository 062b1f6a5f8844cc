import Harmony
import Testing

@Suite struct FutureLifetimeTests {
  private final class Token: Sendable {}

  /// A value that is too large for inline storage in a future.
  private struct Wide: Sendable {
    let numbers = (1, 2, 3, 4, 5)
    let token: Token
  }

  @Test func `A completed future releases its value when it is released`() {
    weak var watch: Token?
    do {
      let token = Token()
      watch = token
      let futures = [Future(token), Future<Token>()]
      futures[1].set(token)
      #expect(watch != nil)
    }
    #expect(watch == nil)
  }

  @Test func `A value of any size is returned intact and released`() async throws {
    weak var watch: Token?
    do {
      let token = Token()
      watch = token
      let wide = Future(Wide(token: token))
      let later = Future<Wide>()
      later.set(try await wide.get())
      for future in [wide, later, wide.map { $0 }, later.then { _ in }] {
        let value = try await future.get()
        #expect(value.token === token)
        #expect(value.numbers == (1, 2, 3, 4, 5))
      }
    }
    #expect(watch == nil)
  }

  @Test func `Values of every layout are returned intact`() async throws {
    #expect(try await Future("a text that is too long to be stored in place").get().count == 45)
    #expect(try await Future(String?.none).get() == nil)
    #expect(try await Future(SIMD8<Double>(repeating: 2)).get().sum() == 16)
    #expect(try await Future([1, 2, 3]).get() == [1, 2, 3])
    #expect(try await Future(()).get() == ())
    #expect(try await Future(UInt8(7)).get() == 7)
  }

  @Test func `Errors of every layout are returned intact`() async {
    struct Reason: Error, Equatable {
      var text = "a text that is too long to be stored in place"
      var numbers = [1, 2, 3]
      var number = 4
    }
    let later = Future<Int>()
    later.set(Reason())
    for future in [Future(Reason()), later, later.map { $0 }, later.fail { _ in }] {
      await #expect(throws: Reason()) { try await future.get() }
    }
    await #expect(throws: CancellationError.self) {
      try await Future<String>(CancellationError()).get()
    }
  }

  @Test func `An error is released with its future`() async {
    final class Flaw: Error {}
    weak var watch: Flaw?
    do {
      let flaw = Flaw()
      watch = flaw
      let future = Future<String>(flaw)
      await #expect(throws: Flaw.self) { try await future.get() }
    }
    #expect(watch == nil)
  }

  @Test func `A dropped future that was never completed leaves nothing behind`() {
    let log = Log<String>()
    weak var watch: Token?
    do {
      let token = Token()
      watch = token
      let future = Future<Int>()
      FutureResolver(future).onCancel { [token] in withExtendedLifetime(token) {} }
      future.onSet { [token] in withExtendedLifetime(token) {} }
      future.map { [token] _ in withExtendedLifetime(token) { 1 } }
        .fail { log.add("\(type(of: $0))") }
    }
    #expect(watch == nil)
    #expect(log.all == ["UnresolvedFutureError"])
  }

  @Test func `A chain of 200,000 maps is cancelled and released without recursion`() {
    let first = Future<Int>()
    var last: Future<Int>? = first
    for _ in 0..<200_000 { last = last?.map { $0 + 1 } }
    last?.cancel()
    #expect(first.isCancelled)
    last = nil
    let log = Log<Bool>()
    var dropped: Future<Int>? = Future<Int>()
    last = dropped
    for _ in 0..<200_000 { last = last?.map { $0 + 1 } }
    last?.fail { log.add($0 is UnresolvedFutureError) }
    last = nil
    dropped = nil
    #expect(log.all == [true])
  }

  @Test func `Threads that share a completed future all read its value`() async {
    let future = Future("a text that is too long to be stored in place")
    let sum = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var sum = 0
          for _ in 0..<1_000 { sum += (try? await future.map { $0.count }.get()) ?? 0 }
          return sum
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 8 * 1_000 * 45)
  }
}
