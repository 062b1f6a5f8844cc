import Foundation
import Harmony
import HarmonyTesting
import Testing

/// Faults of upstream's queries and of the sources that handle them, numbered as in
/// `Departures.md`.
@Suite struct UpstreamQueryTests {
  private enum Color: String { case red }
  private struct Foreign: Query {}

  private let source = InMemoryDataSource<Int>()

  @Test func `Fault 6: the key of an identifier is the same in every process`() throws {
    let id = try #require(UUID(uuidString: "8C7F3BD2-5D2C-4B3A-9E1C-1F6B7A0F9D11"))
    #expect(IdQuery(id).key == "8C7F3BD2-5D2C-4B3A-9E1C-1F6B7A0F9D11")
    #expect(IdQuery(Int64(-7)).key == "-7")
    #expect(IdQuery(0.5).key == "0.5")
    #expect(IdQuery(Color.red).key == "red")
    #expect(ObjectQuery(id).key == IdQuery(id).key)
  }

  @Test func `Fault 11: several identifiers keep their order, duplicates and missing values`()
    async throws
  {
    try await source.putAll([1, 2], in: IdsQuery(["a", "b"])).get()
    #expect(try await source.getAll(IdsQuery(["b", "a", "b"])).get() == [2, 1, 2])
    await #expect(throws: CoreError.NotFound.self) {
      try await source.getAll(IdsQuery(["a", "x"])).get()
    }
  }

  @Test func `Fault 11: values can be written concurrently`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<1_000 {
        group.addTask { [source] in try await source.put(index, forId: index).get() }
      }
      try await group.waitForAll()
    }
    #expect(source.keys.count == 1_000)
  }

  private static let sources: [AnyDataSource<Int>] = [
    InMemoryDataSource<Int>().asAnyDataSource(),
    TimedCacheDataSource(InMemoryDataSource<Int>()).asAnyDataSource(),
    RetryDataSource(InMemoryDataSource<Int>()).asAnyDataSource(),
    DataSourceValidator(
      dataSource: InMemoryDataSource<Int>(), validator: DefaultObjectValidation()
    ).asAnyDataSource(),
    DataSourceMapper(
      dataSource: InMemoryDataSource<Data>(), toInMapper: EncodableToDataMapper<Int>(),
      toOutMapper: DataToDecodableMapper<Int>()
    ).asAnyDataSource(),
    DataSourceAssembler(InMemoryDataSource<Int>()).asAnyDataSource(),
  ]

  @Test(arguments: sources.indices)
  func `Fault 13: the query for all objects is never treated as a key`(index: Int) async throws {
    let source = Self.sources[index]
    try await source.put(1, forId: "a").get()
    try await source.putAll([2, 3], forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2, 3])
    try await source.delete(AllObjectsQuery()).get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
  }

  @Test(arguments: sources.indices)
  func `Fault 17: an unknown query is an error, not a crash`(index: Int) async {
    let source = Self.sources[index]
    let futures = [
      source.get(Foreign()).map { [$0] }, source.getAll(Foreign()),
      source.put(1, in: Foreign()).map { [$0] }, source.putAll([1], in: Foreign()),
      source.delete(Foreign()).map { [0] },
    ]
    for future in futures {
      await #expect(throws: CoreError.QueryNotSupported.self) { try await future.get() }
    }
  }

  @Test func `Fault 18: a key has a value or a list, and delete removes either`() async throws {
    try await source.put(1, forId: "a").get()
    try await source.putAll([1, 2], forId: "a").get()
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    try await source.put(3, forId: "a").get()
    await #expect(throws: CoreError.NotFound.self) { try await source.getAll("a").get() }
    try await source.putAll([4], forId: "b").get()
    try await source.delete(IdsQuery(["a", "b"])).get()
    #expect(source.keys == [])
  }

  @Test func `Fault 19: an IdsQuery accepts identifiers of any type`() async throws {
    try await source.putAll([1, 2], in: IdsQuery([10, 20])).get()
    #expect(try await source.getAll(IdsQuery([20, 10])).get() == [2, 1])
    try await source.delete(IdsQuery([10])).get()
    #expect(source.keys == ["20"])
  }

  @Test func `Fault 20: the identifier allObjects is an ordinary entry`() async throws {
    try await source.put(1, forId: "allObjects").get()
    try await source.put(2, forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2])
    try await source.delete("allObjects").get()
    #expect(source.keys == ["b"])
  }

  @available(*, deprecated)
  @Test func `Fault 21: deleteAll is equivalent to delete`() async throws {
    try await source.put(1, forId: "a").get()
    try await source.putAll([2], forId: "b").get()
    try await source.deleteAll("a").get()
    try await source.deleteAll("b").get()
    #expect(source.keys == [])
  }

  @Test func `Fault 22: keys can be listed and counted, in order`() async throws {
    for key in ["b", "a", "c"] { try await source.put(1, forId: key).get() }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a", "b", "c"])
    #expect(try await source.countKeys(KeyRangeQuery(from: "b")).get() == 2)
  }

  @Test func `Fault 23: queries are values that can be compared and sent`() {
    let queries: Set<IdQuery<String>> = [IdQuery("a"), IdQuery("a"), IdQuery("b")]
    #expect(queries.count == 2)
    #expect(PaginationOffsetLimitQuery(0, 10) == PaginationOffsetLimitQuery(0, 10))
    #expect(IdsQuery(["a,b"]).key != IdsQuery(["a", "b"]).key)
  }
}
