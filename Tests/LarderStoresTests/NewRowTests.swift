import LarderModel
import HarmonySQLite
import LarderStores
import Testing

/// The template for a new row.
struct NewRowTests {
  @Test func `A column with a default is optional`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new',
        made TEXT DEFAULT CURRENT_TIMESTAMP, note, twice AS (id * 2));
      """)
    let store = try await Stores.store(path)
    #expect(store.template == .record([.init("name", .null), .init("note", .null)]))
    #expect(store.optionalFields == ["state", "made"])
    try await store.set(.record([.init("name", .text("a")), .init("note", .null)]), .integer(1))
    try await store.set(
      .record([.init("name", .text("b")), .init("state", .text("old")), .init("made", .null)]),
      .integer(2))
    let found = try await SQLiteConnection(path: path).perform { session in
      try session.rows("SELECT state, made IS NULL FROM t")
    }
    #expect(found == [[.text("new"), .integer(0)], [.text("old"), .integer(1)]])
  }
}
