import Harmony
import LarderModel
import LarderStores
import Testing

/// The order of keys in fuzzy search.
struct MatchOrderTests {
  private func found(_ filter: String, in keys: [String]) async throws -> [String] {
    let store = try await Stores.store("memory:")
    for key in keys { try await store.set(.text("v"), .text(key)) }
    let query = EntryPageQuery(
      filter: FilterText(filter).filter, order: EntryOrder(.match), limit: .max)
    return try await store.source.getAll(query).get().map { $0.key.notation(.text) }
  }

  @Test(
    arguments: [
      // Starts of words come before letters elsewhere.
      ("~usnm", ["user.name", "bus_anime"]),
      // Adjacent letters come before scattered ones.
      ("~abc", ["abc", "xabc", "a.bxc", "axbxc"]),
      // Equal matches are sorted by length, then alphabetically.
      ("~key", ["key", "key:1", "key:2", "key:10"]),
      // Capitals in camel case start words.
      ("~vc", ["viewController", "vacation"]),
      ("~ac", ["a:c", "abcd"]),
      // Uppercase letters in the filter are case-sensitive.
      ("~VC", ["ViewController"]),
      // The best match in a key decides, not the first one.
      ("~set", ["app.settings", "sxext.sxxet"]),
      ("~é", ["é", "xé"]),
      // Several terms are scored together; a negated term only excludes.
      ("~a ~b !c", ["a.b", "xaxb"]),
    ])
  func `The best matches come first`(_ filter: String, _ expected: [String]) async throws {
    #expect(try await found(filter, in: expected.reversed() + ["q:c"]) == expected)
  }

  @Test func `Pages of matches are complete and in order in every kind of store`() async throws {
    let folder = try TestFolder()
    let words = ["a", "b", "x", ".", ":", "é", "A"]
    var keys: Set<String> = []
    for first in words {
      for second in words { for third in words { keys.insert("k" + first + second + third) } }
    }
    let rows = keys.map { "('\($0)', 1)" }.joined(separator: ",")
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES\(rows)")
    let json = try folder.write(
      Array(("{" + keys.map { "\"\($0)\": 1" }.joined(separator: ",") + "}").utf8), to: "k.json")
    for key in keys { _ = try folder.write([1], to: "files/" + key) }
    var lists: [[EntryKey]] = []
    for location in [path, json, "memory:" + json, folder.file("files")] {
      let store = try await Stores.store(location)
      var query = EntryPageQuery(
        filter: FilterText("~ab").filter, order: EntryOrder(.match), limit: .max)
      let all = try await store.source.getAll(query).get().map(\.key)
      lists.append(all)
      for (direction, expected) in [
        (EntryPageQuery.Direction.forward, all), (.backward, all.reversed()),
      ] {
        query.direction = direction
        query.limit = 7
        query.after = nil
        var pages: [EntryKey] = []
        while true {
          let page = try await store.source.getAll(query).get().map(\.key)
          pages += page
          guard page.count >= query.limit else { break }
          query.after = page.last
        }
        #expect(pages == expected, "\(location)")
      }
    }
    #expect(lists[0].count > 20)
    #expect(lists.allSatisfy { $0 == lists[0] })
  }
}
