import Foundation
import Harmony
import LarderModel
import LarderStores
import RealmExercise
import Testing

/// Files written by Realm, as stores.
struct RealmStoreTests {
  static func path(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "HarmonyRealmTests/Fixtures/\(name)").path
  }

  @Test func `Classes are read-only collections`() async throws {
    let open = try await Stores.open(StoreLocation(path: Self.path("r300.realm")))
    #expect(open.kind.name == "realm")
    #expect(open.collections.map(\.name) == ["Owner", "Item"])
    #expect(open.facts.contains { $0.name == "format" && $0.text == "24" })
    let store = try await open.store("Item")
    let key = try #require(try await store.keys().first)
    await #expect(throws: StoreError.self) { try await store.set(.null, key) }
    await #expect(throws: StoreError.self) { try await store.source.delete(EntryQuery(key)).get() }
  }

  @Test func `Pages of any size have the same objects in both directions`() async throws {
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

  @Test func `A tree has all keys in its branches, also page by page`() async throws {
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

  @Test func `A link contains the key of an entry`() async throws {
    let open = try await Stores.open(StoreLocation(path: Self.path("r3.realm")))
    let store = try await open.store("Item")
    let value = try await store.value(.text("user.100001"))
    let link = try #require(value?.field("owner").flatMap(EntryLink.init))
    #expect(link == EntryLink(collection: "Owner", key: .integer(1)))
    let owner = try await open.store(link.collection).value(link.key)
    #expect(owner?.field("name") == .text("Owner 1"))
  }

  @Test func `A scan covers all batches and can be continued when its budget is spent`()
    async throws
  {
    let folder = try TestFolder()
    let path = folder.file("large.realm")
    try RealmSample.write(21_000, to: path)
    let store = try await Stores.store(path)
    let scan = Scan()
    let page = try await store.source.getAll(
      EntryPageQuery(filter: EntryFilter(.text("0000:")), limit: 1_000, scan: scan)
    ).get()
    #expect(page.map(\.key) == [0, 10_000, 20_000].map { .text(RealmSample.key($0)) })
    #expect(scan.isComplete && scan.examined == 21_000)
    let values = try await store.keys(
      pages: 7, filter: EntryFilter(.regex("value 20?999 "), in: .values))
    #expect(values == [.text(RealmSample.key(2_999)), .text(RealmSample.key(20_999))])
    for direction in [EntryPageQuery.Direction.forward, .backward] {
      var found: [EntryKey] = []
      var after: EntryKey?
      var rounds = 0
      while true {
        let scan = Scan(budget: .zero)
        found += try await store.source.getAll(
          EntryPageQuery(
            filter: EntryFilter(.regex("key:000(00001|10000|20000)")), after: after, limit: 10,
            direction: direction, scan: scan)
        ).get().map(\.key)
        after = scan.position
        if scan.isComplete || after == nil { break }
        rounds += 1
      }
      #expect(rounds > 10)
      let keys = [1, 10_000, 20_000].map { EntryKey.text(RealmSample.key($0)) }
      #expect(found == (direction == .forward ? keys : keys.reversed()))
    }
  }

  @Test func `A cancelled scan stops, and the store still works`() async throws {
    let folder = try TestFolder()
    let path = folder.file("large.realm")
    try RealmSample.write(21_000, to: path)
    let store = try await Stores.store(path)
    let scans = (0..<20).map { _ in
      store.source.getAll(EntryPageQuery(filter: EntryFilter(.text("none"), in: .values)))
    }
    // The scans run one after another, so the last one has not started yet.
    for scan in scans { scan.cancel() }
    await #expect(throws: CancellationError.self) { try await scans[19].get() }
    #expect(
      try await store.source.getAll(EntryPageQuery(limit: 1)).get().map(\.key)
        == [.text(RealmSample.key(0))])
    let count = try await store.source.get(CountQuery(filter: EntryFilter(.text("key")))).get()
    #expect(count.value == .integer(21_000))
  }

  @Test func `Types that JSON cannot distinguish are in the form of the entry`() async throws {
    let open = try await Stores.open(StoreLocation(path: Self.path("r3.realm")))
    let item = try await open.store("Item")
    let entry = try await item.source.get(EntryQuery(.text("user.100001"))).get()
    let form = try #require(entry.form)
    for mark in ["float /ratio", "decimal128 /dec", "objectId /oid", "set /set"] {
      #expect(form.split(separator: "; ").contains(Substring(mark)), "\(mark) in \(form)")
    }
    // A page has the same form, which an export uses.
    let page = try await item.source.getAll(EntryPageQuery(limit: 10, detail: .values)).get()
    #expect(page.first { $0.key == entry.key }?.form == form)
    #expect(try await open.store("Owner").source.get(EntryQuery(.integer(1))).get().form == nil)
  }

  @Test func `An unreadable file is refused with the reason`() async throws {
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
