import Harmony
import HarmonyTesting

/// Operations on stores of different sizes, with keys in random order.
enum ScalingOperations {
  static func all(entries count: Int) -> [Operation] {
    let memory = InMemoryDataSource<Int>()
    let cache = TimedCacheDataSource(memory)
    for number in 0..<count { cache.put(number, in: IdQuery(key(number))) }
    // Querying a sample of the keys, so that the queries need no more memory than the store.
    let sampled = min(count, 1 << 16)
    var generator = SeededGenerator(seed: 42)
    let queries = (0..<sampled).map { _ in
      IdQuery(key(Int.random(in: 0..<count, using: &generator)))
    }
    let name = "of \(count) entries"
    return [
      Operation("in-memory get \(name)") { count in
        var sum = 0
        var place = 0
        for _ in 0..<count {
          sum &+= memory.get(queries[place]).result.number
          place = place + 1 == sampled ? 0 : place + 1
        }
        keep(sum)
      },
      Operation("in-memory put \(name)") { count in
        var place = 0
        for index in 0..<count {
          memory.put(index, in: queries[place])
          place = place + 1 == sampled ? 0 : place + 1
        }
      },
      Operation("timed cache hit \(name)") { count in
        var sum = 0
        var place = 0
        for _ in 0..<count {
          sum &+= cache.get(queries[place]).result.number
          place = place + 1 == sampled ? 0 : place + 1
        }
        keep(sum)
      },
      Operation("page of 50 keys \(name)") { count in
        var sum = 0
        for index in 0..<count {
          let query = KeyPageQuery(after: queries[index % sampled].id, limit: 50)
          sum &+= memory.getKeys(query).result.count
        }
        keep(sum)
      },
    ]
  }

  private static func key(_ number: Int) -> String { "key:\(number)" }
}
