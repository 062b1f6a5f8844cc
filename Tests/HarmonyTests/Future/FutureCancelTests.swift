import Harmony
import Testing

@Suite struct FutureCancelTests {
  @Test func `Cancelling calls the handlers and then the callbacks`() {
    let log = Log<String>()
    let future = Future<Int> { resolver in
      resolver.onCancel { log.add("stop 1") }
      resolver.onCancel { log.add("stop 2 \(resolver.isCancelled)") }
    }
    // The closure captures the initializer's resolver, so the future is still pending.
    future.fail { log.add("\(type(of: $0))") }
    future.cancel()
    future.cancel()
    #expect(log.all == ["stop 1", "stop 2 true", "CancellationError"])
    #expect(future.isCancelled)
  }

  @Test func `A completed future ignores cancellation`() async throws {
    let log = Log<String>()
    let future = Future<Int>()
    let resolver = FutureResolver(future)
    resolver.onCancel { log.add("stop") }
    resolver.set(1)
    future.cancel()
    #expect(log.all.isEmpty)
    #expect(!resolver.isCancelled)
    #expect(resolver.isResolved)
    #expect(try await future.get() == 1)
  }

  @Test func `A handler added after cancellation is called immediately`() {
    let log = Log<String>()
    let future = Future<Int>()
    future.cancel()
    FutureResolver(future).onCancel { log.add("stop") }
    #expect(log.all == ["stop"])
  }

  @Test func `Derived futures cancel their sources`() {
    let log = Log<String>()
    let source = Future<Int>()
    FutureResolver(source).onCancel { log.add("source") }
    let derived = source.map { $0 }.recover { _ in
      log.add("recovered")
      return Future(1)
    }
    derived.cancel()
    #expect(source.isCancelled)
    #expect(log.all == ["source"])
  }

  @Test func `A flat map cancels the future it waits for`() {
    let first = Future<Int>()
    let second = Future<Int>()
    let derived = first.flatMap { _ in second }
    first.set(1)
    derived.cancel()
    #expect(second.isCancelled)
    let sources = [Future<Int>(), Future<Int>()]
    Future.batch(sources).cancel()
    #expect(sources.allSatisfy { $0.isCancelled })
    let pair = (Future<Int>(), Future<Int>())
    pair.0.zip(pair.1).cancel()
    #expect(pair.0.isCancelled && pair.1.isCancelled)
    let followed = Future<Int>()
    Future<Int>(followed).cancel()
    #expect(followed.isCancelled)
  }

  @Test func `Pairs of pairs are cancelled and released without recursion`() {
    let first = Future<Int>()
    var last = first
    var others: [Future<Int>] = []
    for number in 0..<50_000 {
      let other = Future<Int>()
      others.append(other)
      last =
        number.isMultiple(of: 2)
        ? last.zip(other).map { $0.0 } : Future.batch([other, last]).map { $0[1] }
    }
    last.cancel()
    #expect(first.isCancelled && others.allSatisfy { $0.isCancelled })
    let log = Log<Bool>()
    var dropped: Future<Int>? = Future<Int>()
    let other = Future<Int>()
    last = dropped?.zip(other).map { $0.0 } ?? other
    for _ in 0..<50_000 { last = last.zip(other).map { $0.0 } }
    last.fail { log.add($0 is UnresolvedFutureError) }
    dropped = nil
    #expect(log.all == [true])
  }

  @Test func `The futures of a pair are cancelled in order`() {
    let log = Log<Int>()
    let futures = (0..<3).map { number in
      let future = Future<Int>()
      FutureResolver(future).onCancel { log.add(number) }
      return future
    }
    Future.batch(futures).cancel()
    #expect(log.all == [0, 1, 2])
  }

  @Test func `Cancelling a waiting task only ends its wait`() async throws {
    let future = Future<Int>()
    let waiter = Task { try await future.get() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(!future.isResolved)
    future.set(3)
    #expect(try await future.get() == 3)
    #expect(try await future.async() == 3)
  }

  @Test func `A cancelling wait stops the work`() async {
    let future = Future<Int>()
    let waiter = Task { try await future.getCancelling() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(future.isCancelled)
  }

  @Test func `Cancelling the future of a task cancels the task`() async {
    let (ended, end) = AsyncStream<Bool>.makeStream()
    let future = Future<Int>.async {
      while !Task.isCancelled { await Task.yield() }
      end.yield(true)
      return 1
    }
    future.cancel()
    for await isCancelled in ended {
      #expect(isCancelled)
      break
    }
    #expect(future.isCancelled)
  }

  @Test func `Only one of several racing results wins`() async throws {
    for _ in 0..<200 {
      let future = Future<Int>()
      let log = Log<Int>()
      future.then { log.add($0) }
      let wins = await withTaskGroup(of: Bool.self) { group in
        for index in 0..<8 { group.addTask { future.resolve(.value(index)) } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wins == 1)
      #expect(log.all == [try await future.get()])
    }
  }

  @Test func `Nothing is retained after a future has completed`() async throws {
    final class Token: Sendable {}
    var token: Token? = Token()
    weak let watch = token
    let future = Future<Int>()
    let derived = future.map { [token] value in
      withExtendedLifetime(token) { value }
    }
    token = nil
    #expect(watch != nil)
    future.set(1)
    #expect(watch == nil)
    #expect(try await derived.get() == 1)
  }
}
