import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// Undo where a table has got or lost a column since the step.
struct ChangedColumnsTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private static let schema = """
    CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE au(n INTEGER PRIMARY KEY, what);
    CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO au(what) VALUES(new.k); END;
    """

  @Test func `A row of a trigger whose table has got a column stays, and that is said`()
    async throws
  {
    let path = try await bench.folder.database(Self.schema)
    let store = try await bench.open(path, "t")
    try await store.set(.integer(1), .text("a"))
    _ = try store.said()
    try await bench.execute(path, "ALTER TABLE au ADD COLUMN z DEFAULT 4")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT k FROM t") == [])
    #expect(try await rows(path, "SELECT what FROM au") == [[.text("a")]])
    let said = try store.said()
    #expect(said.contains("1 of \"au\"") && said.contains("other columns"))
    #expect(!said.contains("was changed since"))
  }

  @Test func `A row that has lost all columns but one is refused for that reason`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v, b); INSERT INTO t VALUES('a', 1, 2)")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    try await bench.execute(path, "ALTER TABLE t DROP COLUMN b")
    let again = try await bench.open(path, "t")
    let refused = await refusal { try await bench.undo(again) }
    #expect(refused?.contains("other columns") == true)
    #expect(try await rows(path, "SELECT * FROM t") == [])
  }
}
