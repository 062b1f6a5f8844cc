import Harmony

/// Creating, transforming and completing futures.
enum FutureOperations {
  static func all() -> [Operation] {
    [
      operation("Future(value).result") { Future($0).result.number },
      operation("Future(error).result") { _ in Future<Int>(Flaw()).result.number },
      operation("Future(value).map.result", upstream: 1_480) {
        Future($0).map { $0 + 1 }.result.number
      },
      operation("Future(value), four maps") { value in
        Future(value).map { $0 + 1 }.map { $0 + 2 }.map { $0 + 3 }.map { $0 + 4 }.result.number
      },
      operation("flatMap") { Future($0).flatMap { Future($0 + 1) }.result.number },
      operation("then") { Future($0).then { keep($0) }.result.number },
      operation("fail") { Future($0).fail { _ in keep(1) }.result.number },
      operation("onCompletion") { Future($0).onCompletion { keep(1) }.result.number },
      operation("recover from an error") { value in
        Future<Int>(Flaw()).recover { _ in Future(value) }.result.number
      },
      operation("mapError") { Future($0).mapError { $0 }.result.number },
      operation("filter") { Future($0).filter { keep($0) }.result.number },
      operation("unwrap") { Future(Optional($0)).unwrap().result.number },
      operation("zip") { Future($0).zip(Future($0)).map { $0.0 + $0.1 }.result.number },
      operation("batch of ten") { value in
        Future.batch((0..<10).map { Future($0 + value) }).result.count
      },
      operation("resolver") { value in Future<Int> { $0.set(value) }.result.number },
      operation("pending, set, result") { value in
        let future = Future<Int>()
        future.set(value)
        return future.result.number
      },
      operation("pending, then, set") { value in
        let future = Future<Int>()
        future.then { keep($0) }
        future.set(value)
        return value
      },
      operation("pending, four maps, set, result") { value in
        let first = Future<Int>()
        let last = first.map { $0 + 1 }.map { $0 + 2 }.map { $0 + 3 }.map { $0 + 4 }
        first.set(value)
        return last.result.number
      },
      operation("pending, map, cancel") { value in
        let first = Future<Int>()
        first.map { $0 + 1 }.cancel()
        return value
      },
    ]
  }

  private struct Flaw: Error {}

  @inline(__always)
  private static func operation(
    _ name: String, upstream: Double? = nil, _ body: @escaping @Sendable (Int) -> Int
  ) -> Operation {
    Operation(name, upstream: upstream) { count in
      var sum = 0
      for index in 0..<count { sum &+= body(index) }
      keep(sum)
    }
  }
}
