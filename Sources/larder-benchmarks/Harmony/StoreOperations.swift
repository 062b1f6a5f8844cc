import Harmony

/// Operations of the sources that hold values.
enum StoreOperations {
  /// The keys; a power of two of them, so that an index can be masked.
  static let keys = (0..<1_024).map { "key:\(1_000 + $0)" }

  static func filled() -> InMemoryDataSource<Int> {
    let source = InMemoryDataSource<Int>()
    for (index, key) in keys.enumerated() { source.put(index, in: IdQuery(key)) }
    return source
  }

  static func all() -> [Operation] {
    let keys = keys
    let memory = filled()
    let queries = keys.map { IdQuery($0) }
    let churned = InMemoryDataSource<Int>()
    let numbers = InMemoryDataSource<Int>()
    for number in 0..<1_024 { numbers.put(number, forId: number) }
    return [
      Operation("in-memory put", upstream: 637) { count in
        for index in 0..<count { memory.put(index, in: queries[index & 1_023]) }
      },
      Operation("in-memory get, result", upstream: 511) { count in
        var sum = 0
        for index in 0..<count { sum &+= memory.get(queries[index & 1_023]).result.number }
        keep(sum)
      },
      Operation("in-memory get, then on the direct executor", upstream: 1_769) { count in
        for index in 0..<count {
          memory.get(queries[index & 1_023]).then(DirectExecutor()) { keep($0) }
        }
      },
      Operation("in-memory get by identifier, result") { count in
        var sum = 0
        for index in 0..<count { sum &+= memory.get(keys[index & 1_023]).result.number }
        keep(sum)
      },
      Operation("in-memory get by number, result") { count in
        var sum = 0
        for index in 0..<count { sum &+= numbers.get(index & 1_023).result.number }
        keep(sum)
      },
      Operation("in-memory get of a missing key, result") { count in
        var sum = 0
        for _ in 0..<count { sum &+= memory.get(IdQuery("missing")).result.number }
        keep(sum)
      },
      Operation("in-memory put and delete") { count in
        for index in 0..<count {
          churned.put(index, in: queries[index & 1_023])
          churned.delete(queries[index & 1_023])
        }
      },
      Operation("in-memory getAll of ten identifiers") { count in
        let query = IdsQuery(Array(keys[100..<110]))
        var sum = 0
        for _ in 0..<count { sum &+= memory.getAll(query).result.count }
        keep(sum)
      },
      Operation("void get") { count in
        let source = VoidDataSource<Int>()
        var sum = 0
        for index in 0..<count { sum &+= source.get(queries[index & 1_023]).result.number }
        keep(sum)
      },
      Operation("page of 50 keys") { count in
        var sum = 0
        for index in 0..<count {
          let query = KeyPageQuery(after: keys[index & 511], limit: 50)
          sum &+= memory.getKeys(query).result.count
        }
        keep(sum)
      },
      Operation("count of the keys of a prefix") { count in
        var sum = 0
        for _ in 0..<count {
          sum &+= memory.countKeys(KeyPrefixQuery("key:1")).result.number
        }
        keep(sum)
      },
    ]
  }
}

extension Future<Int>.Result {
  /// The value, or -1.
  var number: Int {
    if case .value(let value) = self { value } else { -1 }
  }
}

extension Future<[Int]>.Result {
  /// The number of values, or -1 after an error.
  var count: Int {
    if case .value(let values) = self { values.count } else { -1 }
  }
}

extension Future<[String]>.Result {
  /// The number of values, or -1 after an error.
  var count: Int {
    if case .value(let values) = self { values.count } else { -1 }
  }
}
