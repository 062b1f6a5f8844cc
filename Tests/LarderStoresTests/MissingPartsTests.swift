import Harmony
import LarderModel
import LarderStores
import Testing

/// Databases with views that depend on missing tables or functions.
struct MissingPartsTests {
  @Test func `If one table is named, the others need not be known`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE a(k TEXT PRIMARY KEY, v); CREATE TABLE "B"(k, v);
      INSERT INTO "B" VALUES(1, 2);
      """)
    var options = OpenOptions()
    options.opensOneCollection = true
    let named = try await Stores.open(
      StoreLocation(path: path, collection: "B"), options: options)
    #expect(named.collections.map(\.name) == ["B"])
    #expect(try await named.store("B").keys() == [.integer(1)])
    #expect(try await named.store("a").keys() == [])
    let missing = try await Stores.open(
      StoreLocation(path: path, collection: "c"), options: options)
    await #expect(throws: StoreError.self) { try await missing.store("c") }
    #expect(
      try await Stores.open(StoreLocation(path: path), options: options).collections.count == 2)
  }

  @Test(arguments: [
    "CREATE VIEW bad AS SELECT * FROM gone", "CREATE VIEW bad AS SELECT of_its_program(k) FROM t",
  ])
  func `A broken view does not affect other tables`(
    _ sql: String
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('a', 1); \(sql);")
    let open = try await Stores.open(StoreLocation(path: path))
    #expect(open.collections.map(\.name) == ["t", "bad"])
    let store = try await open.store("t")
    _ = try await store.source.put(
      Entry(key: .text("a"), value: .integer(2)), in: EntryQuery(.text("a"))
    ).get()
    #expect(try await store.source.get(EntryQuery(.text("a"))).get().value == .integer(2))
    let error = await #expect(throws: StoreError.self) { try await open.store("bad") }
    guard case .cannotOpen(let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("“bad” of \(path)"))
  }
}
