import Foundation
import Harmony
import Testing

@Suite struct QueryTests {
  private enum Color: String, Sendable { case red }
  private enum Plain: Hashable, Sendable { case one, two(Int) }
  private struct Pair: Hashable, Sendable {
    let name: String
    let tags: Set<String>
  }

  @Test func `Keys of identifiers are strings that do not depend on hashes`() throws {
    let uuid = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
    #expect(IdQuery("a b").key == "a b")
    #expect(IdQuery(42).key == "42")
    #expect(IdQuery(Int64(-7)).key == "-7")
    #expect(IdQuery(1.5).key == "1.5")
    #expect(IdQuery(true).key == "true")
    #expect(IdQuery(Character("c")).key == "c")
    #expect(IdQuery(uuid).key == "01234567-89AB-CDEF-0123-456789ABCDEF")
    #expect(IdQuery(Color.red).key == "red")
    #expect(IdQuery(Data([1, 2])).key != IdQuery(Data([3, 4])).key)
    #expect(IdQuery(Optional(3)).key == "3")
  }

  @Test func `Structured identifiers have stable strings too`() {
    let pair = Pair(name: "x, y", tags: ["b", "a", "c"])
    #expect(IdQuery(pair).key == #"Pair(name: "x, y", tags: {"a", "b", "c"})"#)
    #expect(IdQuery(Plain.one).key == "one")
    #expect(IdQuery(Plain.two(1)).key != IdQuery(Plain.two(2)).key)
    #expect(IdQuery(["k": 1, "j": 2]).key == IdQuery(["j": 2, "k": 1]).key)
    #expect(IdQuery([1, 2]).key == "[1, 2]")
    #expect(ObjectQuery(pair).key == IdQuery(pair).key)
  }

  @Test func `Lists of identifiers have a joined key`() {
    #expect(IdsQuery(["a", "b"]).key == "a,b")
    #expect(IdsQuery([1, 2]).key == "1,2")
    #expect(IdsQuery(["a,b"]).key != IdsQuery(["a", "b"]).key)
    #expect(IdsQuery([#"a\"#, "b"]).key != IdsQuery([#"a\,b"#]).key)
    #expect(IdsQuery([2, 1, 2]).keys == ["2", "1", "2"])
    #expect(AllObjectsQuery().key == "allObjects")
  }

  @Test func `Queries are equal when their contents are`() {
    #expect(IdQuery(1) == IdQuery(1))
    #expect(Set([IdsQuery([1]), IdsQuery([1]), IdsQuery([2])]).count == 2)
    #expect(ObjectQuery("a") == ObjectQuery("a"))
    #expect(ObjectsQuery(["a"]) != ObjectsQuery(["b"]))
    #expect(VoidQuery() == VoidQuery())
    #expect(PaginationOffsetLimitQuery(0, 10) != PaginationOffsetLimitQuery(10, 10))
  }

  @Test func `A hashable query is a query, not an identifier`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, in: IdQuery("a")).get()
    #expect(try await source.get(IdQuery("a")).get() == 1)
    #expect(try await source.get("a").get() == 1)
    #expect(source.keys == ["a"])
  }

  @Test func `Methods have the names used in code`() {
    #expect(
      DataSourceCRUD.allCases.map(\.description)
        == ["get", "getAll", "put", "putAll", "delete", "deleteAll"])
  }

  @Test func `The fatal error of a query terminates the process`() async {
    await #expect(processExitsWith: .failure) {
      VoidQuery().fatalError(.get, InMemoryDataSource<Int>())
    }
  }
}
