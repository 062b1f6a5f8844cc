import Harmony

/// Reads through each decorator and type eraser around an in-memory source.
///
/// Every read is a hit, except for the timed cache miss.
enum DecoratorOperations {
  static func all() -> [Operation] {
    let memory = StoreOperations.filled()
    let same = ClosureMapper<Int, Int> { $0 }
    let cold = TimedCacheDataSource(memory, isCacheable: { _ in true })
    let bounded = TimedCacheDataSource(memory, capacity: 2_048)
    var operations: [Operation] = [
      reads("timed cache hit", upstream: 577, TimedCacheDataSource(memory)),
      reads("timed cache hit, of limited capacity", bounded),
      Operation("timed cache miss") { count in
        var sum = 0
        for index in 0..<count {
          let key = StoreOperations.keys[index & 1_023]
          if index & 1_023 == 0 { cold.evictAll() }
          sum &+= cold.get(IdQuery(key)).result.number
        }
        keep(sum)
      },
      Operation("timed cache put") { count in
        for index in 0..<count {
          bounded.put(index, in: IdQuery(StoreOperations.keys[index & 1_023]))
        }
      },
      reads("mapper", memory.withMapping(in: same, out: same)),
      reads(
        "validator",
        DataSourceValidator(
          dataSource: memory, validator: DefaultObjectValidation())),
      reads("retry", RetryDataSource(memory)),
      reads("debug", DebugDataSource(memory)),
      reads("assembler", DataSourceAssembler(get: memory, put: memory, delete: memory)),
      reads("any source", memory.asAnyDataSource()),
      reads("any source to get from", memory.asAnyGetDataSource()),
    ]
    let erased: any GetDataSource<Int> = memory
    operations.append(
      Operation("existential source") { count in
        var sum = 0
        for index in 0..<count {
          sum &+= erased.get(IdQuery(StoreOperations.keys[index & 1_023])).result.number
        }
        keep(sum)
      })
    return operations
  }

  private static func reads<Source: GetDataSource>(
    _ name: String, upstream: Double? = nil, _ source: Source
  ) -> Operation where Source.T == Int {
    let queries = StoreOperations.keys.map { IdQuery($0) }
    for query in queries { _ = source.get(query) }
    return Operation("\(name), get, result", upstream: upstream) { count in
      var sum = 0
      for index in 0..<count { sum &+= source.get(queries[index & 1_023]).result.number }
      keep(sum)
    }
  }
}
