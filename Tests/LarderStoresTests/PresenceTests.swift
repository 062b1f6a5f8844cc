import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Queries for the existence of a key that do not read its value.
struct PresenceTests {
  @Test func `An existing key is found without its value`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', zeroblob(1000000));
      CREATE TABLE r(a, b, v, PRIMARY KEY(a, b)); INSERT INTO r VALUES(1, 'x', 'v');
      CREATE VIEW w AS SELECT * FROM t;
      """)
    _ = try folder.write([1, 2, 3], to: "files/sub/a")
    let open = try await Stores.open(StoreLocation(path: path))
    let cases: [(Store, EntryKey, EntryKey)] = [
      (try await open.store("t"), .text("a"), .text("A")),
      (
        try await open.store("r"), .composite([.integer(1), .text("x")]),
        .composite([.integer(1), .text("y")])
      ),
      (try await Stores.store(folder.file("files")), .text("sub/a"), .text("sub/b")),
    ]
    for (store, present, absent) in cases {
      let entry = try await store.source.get(PresenceQuery(present)).get()
      #expect(entry.key == present)
      #expect(entry.value == nil)
      await #expect(throws: CoreError.NotFound.self) {
        _ = try await store.source.get(PresenceQuery(absent)).get()
      }
    }
    let numbered = try await open.store("w").source.get(PresenceQuery(.integer(1))).get()
    #expect(numbered.key == .integer(1))
  }

  @Test(arguments: ["settings.json", "t.db"])
  func `Every store answers, with or without an optimized query`(name: String) async throws {
    let folder = try TestFolder()
    let path =
      name.hasSuffix("json")
      ? try folder.write(Array(#"{"a": 1}"#.utf8), to: name)
      : try await folder.database(
        "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1)", name: name)
    let store = try await Stores.store(path)
    #expect(try await store.source.present(.text("a")).key == .text("a"))
    let missing = await refusal { _ = try await store.source.present(.text("b")) }
    #expect(missing != nil)
  }
}
