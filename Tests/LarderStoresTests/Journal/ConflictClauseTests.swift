import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Conflict clauses, which declare what happens to rows that violate constraints.
struct ConflictClauseTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `Conflict clauses in triggers are respected`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, tag);
      CREATE TABLE tags(name TEXT PRIMARY KEY, n);
      CREATE TRIGGER i AFTER INSERT ON p BEGIN INSERT OR IGNORE INTO tags VALUES(new.tag, 0); END;
      CREATE TRIGGER u AFTER UPDATE ON p WHEN new.tag = 'blue' BEGIN
        INSERT OR REPLACE INTO tags VALUES(new.tag, 9); END;
      INSERT INTO p VALUES(1, 'red'); UPDATE tags SET n = 5;
      """)
    let store = try await bench.open(path, "p")
    try await store.set(.text("red"), .integer(2))
    #expect(try await rows(path, "SELECT * FROM tags") == [[.text("red"), .integer(5)]])
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT count(*) FROM p") == [[.integer(2)]])
    try await bench.execute(path, "INSERT INTO tags VALUES('blue', 1)")
    try await store.set(.text("blue"), .integer(1))
    #expect(try await rows(path, "SELECT n FROM tags WHERE name = 'blue'") == [[.integer(9)]])
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT n FROM tags ORDER BY name") == [[.integer(1)], [.integer(5)]])
  }

  @Test(arguments: ["REPLACE", "IGNORE", "ROLLBACK", "FAIL"])
  func `A table with a conflict clause loses no rows`(clause: String) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, "on conflict" TEXT DEFAULT 'x', -- it's a key
        u UNIQUE on /* ' */ Conflict \(clause));
      INSERT INTO t VALUES('a', 'o', 1), ('b', 'o', 2);
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    let row = StoredValue.record([.init("on conflict", .text("p")), .init("u", .integer(1))])
    await #expect(throws: StoreError.self) { try await store.set(row, .text("c")) }
    await #expect(throws: StoreError.self) { try await store.set(row, .text("b")) }
    #expect(try await rows(path, "SELECT * FROM t") == before)
  }
}
