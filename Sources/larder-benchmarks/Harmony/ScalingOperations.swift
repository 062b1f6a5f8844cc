import Harmony

/// Operations on stores of different sizes, on keys in no order.
enum ScalingOperations {
  static func all(entries count: Int) -> [Operation] {
    let memory = InMemoryDataSource<Int>()
    let cache = TimedCacheDataSource(memory)
    for number in 0..<count { cache.put(number, in: IdQuery(key(number))) }
    // A sample of the keys, so that the queries do not take more memory than the store.
    let sampled = min(count, 1 << 16)
    var generator = SplitMix(state: 42)
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

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
