import Harmony
import Testing

// The examples of the page "Query", unchanged, after the declarations they need.

private struct MyObject: Sendable {}
private struct MyCustomQuery: Query {}

extension SearchQuery {
  fileprivate init(_ text: String) {
    self.init(text: text)
  }
}

// swift-format-ignore
struct SearchQuery: Query {
    let text : String
}

// swift-format-ignore
extension SearchQuery : KeyQuery {
    public var key : String { return text }
}

private final class MyDataSource: GetDataSource {
  func getObjectByIdMethod(id: String) -> Future<MyObject> {
    Future(MyObject())
  }

  // swift-format-ignore
  func get(_ query: Query) -> Future<MyObject> {
      switch query.self {
      case let query as IdQuery<String>:
          return getObjectByIdMethod(id: query.id)
      case is MyCustomQuery:
          // ...
          return Future(MyObject())
      default:
          query.fatalError(.get, self)
      }
  }

  func getAll(_ query: Query) -> Future<[MyObject]> {
    get(query).map { [$0] }
  }
}

@Suite struct QueryPageTests {
  @Test func `A query of one's own is understood by any source`() async throws {
    let itemsNetworkDataSource = InMemoryDataSource<Int>()
    let itemsStorageDataSource = InMemoryDataSource<Int>()
    try await itemsStorageDataSource.putAll([1], forId: "lorem ipsum").get()
    let found = Example.run {
      // Searching in network
      itemsNetworkDataSource.getAll(SearchQuery("lorem ipsum"))
      // Searching in local storage
      itemsStorageDataSource.getAll(SearchQuery("lorem ipsum"))
    }
    let (network, storage) = (found[0] as? Future<[Int]>, found[1] as? Future<[Int]>)
    await #expect(throws: CoreError.NotFound.self) { try await network?.get() }
    #expect(try await storage?.get() == [1])
  }

  @Test func `A source chooses what to do by the query`() async throws {
    _ = try await MyDataSource().get(IdQuery("a")).get()
    _ = try await MyDataSource().get(MyCustomQuery()).get()
  }

  @Test func `A query that a source may not be asked stops the process`() async {
    await #expect(processExitsWith: .failure) { _ = MyDataSource().get(VoidQuery()) }
  }

  @Test func `The queries that the page lists exist and have the keys that it says`() {
    let queries: [Query] = [
      VoidQuery(), IdQuery<Int>(1), IdsQuery<Int>([1, 2]), AllObjectsQuery(),
      ObjectQuery<Int>(1), ObjectsQuery<Int>([1]), PaginationOffsetLimitQuery(0, 10),
    ]
    #expect(queries.count { $0 is PaginationQuery } == 1)
    let keys: [KeyQuery] = [IdQuery("a"), IdsQuery(["a"]), AllObjectsQuery()]
    #expect(keys.map(\.key) == ["a", "a", "allObjects"])
  }
}
