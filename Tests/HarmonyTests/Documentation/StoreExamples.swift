import Foundation
import Harmony
import Testing

@Suite struct StoreExamples {
  @Test func `Storing in memory`() async throws {
    let source = InMemoryDataSource<[String]>()
    try await source.put(["bread", "milk"], forId: "shopping").get()
    try await source.put([], forId: "done").get()
    let lists = try await source.getAll(IdsQuery(["done", "shopping"])).get()
    #expect(lists == [[], ["bread", "milk"]])
  }

  @Test func `The comment of the memory store`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(42, in: IdQuery("answer")).get()
    #expect(source.keys == ["answer"])
  }

  @Test func `The comment of the protocol`() async throws {
    let source = InMemoryDataSource<String>()
    try await source.put("a token", forId: "session.42.token").get()
    let keys = try await source.getKeys(KeyPrefixQuery("session.")).get()
    #expect(keys == ["session.42.token"])
  }

  @Test func `Listing keys`() async throws {
    let source = InMemoryDataSource<Int>()
    for number in 0..<250 { source.put(number, forId: "session.\(number)") }
    var page = try await source.getKeys(KeyPageQuery(limit: 100)).get()
    while let last = page.last {
      page = try await source.getKeys(KeyPageQuery(after: last, limit: 100)).get()
    }
    #expect(page == [])

    let keys = try await source.getKeys(KeyPrefixQuery("session.")).get()
    let count = try await source.countKeys(AllObjectsQuery()).get()
    let values = try await source.getAll(KeyRangeQuery(from: "a", upTo: "n")).get()
    try await source.delete(KeyPrefixQuery("session.")).get()
    #expect(keys.count == 250 && count == 250 && values == [])
    #expect(source.keys == [])
  }
}
