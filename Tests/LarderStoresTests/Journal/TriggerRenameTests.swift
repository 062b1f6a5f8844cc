import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// What triggers and foreign keys make of a row that gets another key, and what an undo does then.
struct TriggerRenameTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func rename(_ store: Store, _ keys: [(String, String)]) async throws {
    var renames: [RenameQuery] = []
    for (key, newKey) in keys {
      renames.append(try #require(try await bench.renaming(store, key, to: .text(newKey))))
    }
    _ = try await store.source.putAll([], in: RenamesQuery(renames)).get()
  }

  private static let dated = """
    CREATE TABLE notes(id TEXT PRIMARY KEY, body, updated_at);
    INSERT INTO notes VALUES('a', 'x', '2020'), ('b', 'y', '2021');
    CREATE TRIGGER u AFTER UPDATE ON notes WHEN new.updated_at IS old.updated_at BEGIN
      UPDATE notes SET updated_at = 'NOW' || old.updated_at WHERE id = new.id; END;
    """

  @Test func `A time that a trigger sets in a renamed row is the old one after an undo`()
    async throws
  {
    let path = try await bench.folder.database(Self.dated)
    let before = try await rows(path, "SELECT rowid, * FROM notes")
    let store = try await bench.open(path, "notes")
    try await rename(store, [("a", "c"), ("b", "d")])
    let after = try await rows(path, "SELECT rowid, * FROM notes")
    #expect(after.map { $0[3] } == [.text("NOW2020"), .text("NOW2021")])
    for _ in 0..<2 {
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT rowid, * FROM notes") == before)
      #expect(try store.said() == "")
      try await bench.undo(store, redo: true)
      #expect(try await rows(path, "SELECT rowid, * FROM notes") == after)
    }
  }

  @Test func `A time that only the undo of a rename would set stays as it was`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE notes(id TEXT PRIMARY KEY, updated_at); INSERT INTO notes VALUES('a', '2020');
      CREATE TRIGGER u AFTER UPDATE OF id ON notes WHEN old.id = 'b' BEGIN
        UPDATE notes SET updated_at = 'NOW' WHERE id = new.id; END;
      """)
    let before = try await rows(path, "SELECT * FROM notes")
    let store = try await bench.open(path, "notes")
    try await rename(store, [("a", "b")])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM notes") == before)
    #expect(try store.said() == "")
  }

  @Test func `A column of a renamed row that a trigger does not leave alone is named`() async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE notes(id TEXT PRIMARY KEY, body, n); INSERT INTO notes VALUES('a', 'x', 1);
      CREATE TRIGGER u AFTER UPDATE ON notes WHEN new.n = old.n OR new.n < old.n BEGIN
        UPDATE notes SET n = old.n + 1 WHERE id = new.id; END;
      """)
    let store = try await bench.open(path, "notes")
    try await rename(store, [("a", "b")])
    #expect(try await rows(path, "SELECT n FROM notes") == [[.integer(2)]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT id FROM notes") == [[.text("a")]])
    let said = try store.said()
    #expect(said.contains("n of a") && said.contains("trigger"))
  }

  @Test(arguments: [("SET NULL", "TEXT"), ("CASCADE", ""), ("SET DEFAULT", "")])
  func `A row that refers to itself does so again after the undo of a rename`(
    action: String, type: String
  ) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, boss \(type) REFERENCES t(id) ON UPDATE \(action));
      INSERT INTO t VALUES('3', '3'), ('4', NULL);
      """)
    let before = try await rows(path, "SELECT *, typeof(boss) FROM t")
    let store = try await bench.open(path, "t")
    for _ in 0..<2 {
      try await rename(store, [("3", "5")])
      #expect(try await rows(path, "SELECT boss FROM t WHERE id = '5'") != [[.text("3")]])
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT *, typeof(boss) FROM t") == before)
      #expect(try store.said() == "")
    }
  }
}
