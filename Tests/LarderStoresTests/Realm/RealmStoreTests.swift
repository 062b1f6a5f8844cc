import Foundation
import Harmony
import LarderCore
import LarderStores
import Testing

/// The files that Realm wrote, as stores.
struct RealmStoreTests {
  private static func path(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "HarmonyRealmTests/Fixtures/\(name)").path
  }

  @Test func `Classes are collections and nothing is written`() async throws {
    let open = try await Stores.open(StoreLocation(path: Self.path("r300.realm")))
    #expect(open.kind.name == "realm")
    #expect(open.collections.map(\.name) == ["Owner", "Item"])
    #expect(open.facts.contains { $0.name == "format" && $0.text == "24" })
    let store = try await open.store("Item")
    let key = try #require(try await store.keys().first)
    await #expect(throws: StoreError.self) { try await store.set(.null, key) }
    await #expect(throws: StoreError.self) { try await store.source.delete(EntryQuery(key)).get() }
  }

  @Test func `Pages of any size have the same objects from either end`() async throws {
    let store = try await Stores.store(Self.path("r300.realm"), "Item")
    let all = try await store.keys(pages: 1_000)
    #expect(all.count > 100)
    for size in [1, 7, 100] {
      #expect(try await store.keys(pages: size) == all)
      #expect(try await store.keys(pages: size, direction: .backward) == all.reversed())
    }
    let count = try await store.source.get(CountQuery()).get()
    #expect(count.value == .integer(Int64(all.count)))
    let found = try await store.keys(filter: EntryFilter(.text("user")))
    #expect(found == all.filter { $0.notation(.typed).contains("user") })
  }

  @Test func `A tree has all keys below its branches, also page by page`() async throws {
    let store = try await Stores.store(Self.path("r300.realm"), "Item")
    let all = try await store.keys(pages: 1_000)
    for direction in [EntryPageQuery.Direction.forward, .backward] {
      for opened in [[], [EntryKey.branch("user.")]] as [Set<EntryKey>] {
        var query = PrefixSummaryQuery(
          EntryPageQuery(limit: 1_000, direction: direction), delimiter: ".", opened: opened)
        let rows = try await store.source.getAll(query).get().map(\.key)
        var paged: [EntryKey] = []
        query.page.limit = 5
        while true {
          let page = try await store.source.getAll(query).get().map(\.key)
          paged += page
          guard page.count == 5, let last = page.last else { break }
          query.page.after = last
        }
        #expect(paged == rows)
        #expect(Set(rows) == Set(all.map(query.row) + opened))
      }
    }
  }

  @Test func `A link is the address of an entry`() async throws {
    let open = try await Stores.open(StoreLocation(path: Self.path("r3.realm")))
    let store = try await open.store("Item")
    let value = try await store.value(.text("user.100001"))
    let link = try #require(value?.field("owner").flatMap(EntryLink.init))
    #expect(link == EntryLink(collection: "Owner", key: .integer(1)))
    let owner = try await open.store(link.collection).value(link.key)
    #expect(owner?.field("name") == .text("Owner 1"))
  }

  @Test func `What cannot be read says why`() async throws {
    let refusal = await refusal { _ = try await Stores.store(Self.path("encrypted.realm")) }
    #expect(refusal?.contains("encrypted") == true)
  }

  private func refusal(_ work: () async throws -> Void) async -> String? {
    do {
      try await work()
      return nil
    } catch {
      return StoreError(error).message
    }
  }
}
