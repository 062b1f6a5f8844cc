import Harmony
import Testing

@Suite struct InMemoryDataSourceTests {
  private let source = InMemoryDataSource<Int>()

  @Test func `Several values can be found by identifiers of any type`() async throws {
    try await source.put(1, forId: 1).get()
    try await source.put(2, forId: 2).get()
    #expect(try await source.getAll(IdsQuery([2, 1])).get() == [2, 1])
  }

  @Test func `A query of all objects is also a key`() async throws {
    try await source.put(1, in: AllObjectsQuery()).get()
    #expect(try await source.get(AllObjectsQuery()).get() == 1)
    #expect(try await source.get("allObjects").get() == 1)
  }

  @Test func `Deleting several keys does not delete their joined key`() async throws {
    try await source.put(1, forId: "a,b").get()
    try await source.delete(IdsQuery(["a", "b"])).get()
    #expect(try await source.get("a,b").get() == 1)
  }

  @Test func `A key of any length is found, regardless of its string representation`()
    async throws
  {
    let texts = (0...40).map { String(repeating: "k", count: $0) } + ["é", "e\u{301}", "ké"]
    for (number, text) in texts.enumerated() { source.put(number, forId: text) }
    #expect(source.keys.count == texts.count)
    for (number, text) in texts.enumerated() {
      // With reserved capacity, a short string is not stored inline.
      var roomy = ""
      roomy.reserveCapacity(100)
      roomy += text
      #expect(try await source.get(text).get() == number)
      #expect(try await source.get(roomy).get() == number)
    }
  }

  @Test func `A nil value can be stored if values are optional`() async throws {
    let source = InMemoryDataSource<Int?>()
    try await source.put(.some(nil), forId: "a").get()
    #expect(try await source.get("a").get() == nil)
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.put(nil, in: IdQuery("b")).get()
    }
  }

  @Test func `A replaced value may use the source in its deinitializer`() async throws {
    final class Visitor: Sendable {
      let visit: @Sendable () -> Void
      init(_ visit: @escaping @Sendable () -> Void) { self.visit = visit }
      deinit { visit() }
    }
    let source = InMemoryDataSource<Visitor>()
    let log = Log<[String]>()
    source.put(Visitor { [weak source] in log.add(source?.keys ?? []) }, forId: "a")
    source.put(Visitor {}, forId: "a")
    #expect(log.all == [["a"]])
  }

  @Test func `The void sources report that they are not implemented`() async {
    let source = VoidDataSource<Int>()
    await #expect(throws: CoreError.NotImplemented.self) { try await source.get("a").get() }
    await #expect(throws: CoreError.NotImplemented.self) {
      try await source.put(1, forId: "a").get()
    }
    await #expect(throws: CoreError.NotImplemented.self) { try await source.delete("a").get() }
    await #expect(throws: CoreError.NotImplemented.self) {
      try await VoidGetDataSource<Int>().getAll(VoidQuery()).get()
    }
    await #expect(throws: CoreError.NotImplemented.self) {
      try await VoidPutDataSource<Int>().putAll([], in: VoidQuery()).get()
    }
    await #expect(throws: CoreError.NotImplemented.self) {
      try await VoidDeleteDataSource().delete(VoidQuery()).get()
    }
  }

  @available(*, deprecated)
  @Test func `The deprecated delete is equivalent to delete`() async throws {
    let any = AnyDataSource(DataSourceAssembler(source))
    try await source.putAll([1], forId: "l").get()
    try await source.put(1, forId: "v").get()
    try await any.deleteAll("v").get()
    #expect(source.keys == ["l"])
    try await any.deleteAll(AllObjectsQuery()).get()
    #expect(source.keys == [])
  }
}
