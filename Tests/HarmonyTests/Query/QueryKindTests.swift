import Harmony
import Testing

/// A query that is a key query only under a condition.
private struct Wrapped<T: Sendable>: Query {
  let value: T
}

extension Wrapped: KeyQuery where T == String {
  var key: String { value }
}

private struct Both: KeysQuery, KeySelectionQuery {
  let keys = ["a", "b"]
  var key: String { "a,b" }
  var selection: KeySelection { KeySelection(limit: 1) }
}

@Suite struct QueryKindTests {
  @Test func `A conditional key query has a key if the condition holds`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, in: Wrapped(value: "a")).get()
    try await source.put(2, in: ObjectQuery("b")).get()
    #expect(source.keys == ["a", "b"])
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.get(Wrapped(value: 1)).get()
    }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.get(VoidQuery()).get()
    }
  }

  @Test func `A query of several kinds is handled as each of them`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.putAll([1, 2], in: Both()).get()
    #expect(source.keys == ["a", "b"])
    #expect(try await source.getAll(Both()).get() == [1])
    #expect(try await source.getAll(IdsQuery(["b", "a"])).get() == [2, 1])
  }

  @Test func `Keys are compared by bytes, regardless of their string representation`()
    async throws
  {
    let source = InMemoryDataSource<Int>()
    let keys = ["é", "e\u{301}", "", "k", "12345678", "123456789012345", "1234567890123456"]
    for (number, key) in keys.enumerated() { try await source.put(number, forId: key).get() }
    #expect(source.keys.count == keys.count)
    for (number, key) in keys.enumerated() {
      // A string with reserved capacity is stored differently from a short one.
      var copy = String()
      copy.reserveCapacity(100)
      copy += key
      #expect(try await source.get(copy).get() == number)
      #expect(try await source.get(key[...].description).get() == number)
    }
  }

  @Test func `Decorators forward failures and pending answers`() async throws {
    let source = InMemoryDataSource<Int>()
    let mapped = source.withMapping(in: ClosureMapper { $0 }, out: ClosureMapper<Int, Int> { $0 })
    let stack = RetryDataSource(
      DataSourceValidator(dataSource: DebugDataSource(mapped), validator: NoNegatives()))
    let erased = stack.asAnyDataSource()
    try await erased.put(-1, forId: "bad").get()
    try await erased.put(1, forId: "good").get()
    #expect(try await erased.get("good").get() == 1)
    await #expect(throws: CoreError.NotValid.self) { try await erased.get("bad").get() }
    await #expect(throws: CoreError.NotFound.self) { try await erased.get("none").get() }
  }
}

private struct NoNegatives: ObjectValidation {
  func isObjectValid<T>(_ object: T) -> Bool {
    (object as? Int).map { $0 >= 0 } ?? true
  }

  @Test func `Several identifiers are one key if a single entry is requested`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, in: IdsQuery(["a", "b"])).get()
    #expect(source.keys == ["a,b"])
    #expect(try await source.get("a,b").get() == 1)
    try await source.put(2, forId: "d").get()
    #expect(try await source.get(IdsQuery(["d"])).get() == 2)
    #expect(try await source.get(ObjectQuery("d")).get() == 2)
  }
}
