import Harmony
import LarderCore
import LarderStores
import Testing

/// Databases of which a part is made of something that is not here.
struct MissingPartsTests {
  @Test(arguments: [
    "CREATE VIEW bad AS SELECT * FROM gone", "CREATE VIEW bad AS SELECT of_its_program(k) FROM t",
  ])
  func `What is made of something that is missing leaves the other tables as they are`(
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
    #expect(error?.message.contains("\"bad\" of \(path) cannot be read: no such ") == true)
  }
}
