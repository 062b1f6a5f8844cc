import Dispatch
import Harmony

/// Operations that several threads perform concurrently on shared state.
///
/// The time is the elapsed time divided by the operations of all threads: half of it with twice the
/// threads is perfect scaling, and the same time means that nothing is gained.
enum ThreadOperations {
  static func all(threads: Int) -> [Operation] {
    let memory = StoreOperations.filled()
    let own = (0..<threads).map { _ in StoreOperations.filled() }
    let cache = TimedCacheDataSource(memory)
    let queries = StoreOperations.keys.map { IdQuery($0) }
    for query in queries { _ = cache.get(query) }
    let complete = Future(1)
    let name = threads == 1 ? "on 1 thread" : "on \(threads) threads"
    return [
      Operation("shared in-memory get \(name)") { count in
        spread(count, threads) { _, index in
          memory.get(queries[index & 1_023]).result.number
        }
      },
      Operation("shared in-memory put \(name)") { count in
        spread(count, threads) { _, index in
          memory.put(index, in: queries[index & 1_023])
          return 0
        }
      },
      Operation("own in-memory get \(name)") { count in
        spread(count, threads) { thread, index in
          own[thread].get(queries[index & 1_023]).result.number
        }
      },
      Operation("shared timed cache hit \(name)") { count in
        spread(count, threads) { _, index in
          cache.get(queries[index & 1_023]).result.number
        }
      },
      Operation("shared complete future, result \(name)") { count in
        spread(count, threads) { _, _ in complete.result.number }
      },
      Operation("map of a shared complete future \(name)") { count in
        spread(count, threads) { _, _ in complete.map { $0 + 1 }.result.number }
      },
    ]
  }

  @inline(__always)
  private static func spread(
    _ count: Int, _ threads: Int, _ body: @Sendable (_ thread: Int, _ index: Int) -> Int
  ) {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var sum = 0
      for index in 0..<(count / threads) { sum &+= body(thread, index) }
      keep(sum)
    }
  }
}
