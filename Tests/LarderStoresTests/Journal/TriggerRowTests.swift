import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// Rows of triggers that an undo has trouble with: their numbers, their keys, and their order.
struct TriggerRowTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// A table whose rows go with those of another, with numbers that are no part of their keys.
  private static let numbered = """
    CREATE TABLE p(id INTEGER PRIMARY KEY, v); CREATE TABLE c(k TEXT PRIMARY KEY, p);
    CREATE TRIGGER gone AFTER DELETE ON p BEGIN DELETE FROM c WHERE p = old.id; END;
    INSERT INTO p VALUES(1, 'a'); INSERT INTO c(rowid, k, p) VALUES(14, 'x', 1), (7, 'y', 1);
    """

  @Test func `Rows of triggers come back under the rowids that they had`() async throws {
    let path = try await bench.folder.database(Self.numbered)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    _ = try store.said()
    try await bench.undo(store)
    let numbers = try await rows(path, "SELECT rowid, k FROM c ORDER BY k")
    #expect(numbers == [[.integer(14), .text("x")], [.integer(7), .text("y")]])
    #expect(try store.said() == "")
  }

  @Test func `A rowid that another row has taken is said`() async throws {
    let path = try await bench.folder.database(Self.numbered)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.execute(path, "INSERT INTO c(rowid, k) VALUES(14, 'other')")
    _ = try store.said()
    try await bench.undo(store)
    let said = try store.said()
    #expect(said.contains("x of \"c\"") && said.contains("rowid") && !said.contains("y of"))
    let own = try await bench.open(path, "c")
    try await own.source.delete(EntryQuery(.text("y"))).get()
    try await bench.execute(path, "INSERT INTO c(rowid, k) VALUES(7, 'second')")
    _ = try own.said()
    try await bench.undo(own)
    let saidOfOwn = try own.said()
    #expect(saidOfOwn.contains("y of \"c\"") && saidOfOwn.contains("rowid"))
  }

  @Test func `A row that a trigger puts in the place of a deleted one goes again`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY);
      CREATE TRIGGER d AFTER DELETE ON t WHEN old.k NOT LIKE 'log-%' BEGIN
        INSERT INTO t VALUES('log-' || old.k); END;
      INSERT INTO t VALUES('a'), ('b');
      """)
    let before = try await rows(path, "SELECT rowid, k FROM t ORDER BY k")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("b"))).get()
    #expect(
      try await rows(path, "SELECT rowid, k FROM t WHERE k = 'log-b'") == [
        [.integer(2), .text("log-b")]
      ])
    #expect(try store.said().contains("1 more row, of \"t\"; undo"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT rowid, k FROM t ORDER BY k") == before)
  }

  @Test func `A row that a trigger adds under the deleted key gives way to it`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v, w);
      CREATE TRIGGER d AFTER DELETE ON t WHEN old.v <> 'log' BEGIN
        INSERT INTO t(v) VALUES('log'); END;
      INSERT INTO t VALUES(1, 'a', 0), (2, 'b', 0);
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.integer(2))).get()
    let after = try await rows(path, "SELECT id, v FROM t")
    #expect(after == [[.integer(1), .text("a")], [.integer(2), .text("log")]])
    #expect(try store.said().contains("1 more row"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
    try await bench.undo(store, redo: true)
    #expect(try await rows(path, "SELECT id, v FROM t") == after)
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
  }

  @Test func `A row that a trigger adds again, marked as deleted, is one row after an undo`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v, gone DEFAULT 0);
      CREATE TRIGGER d AFTER DELETE ON t WHEN NOT old.gone BEGIN
        INSERT INTO t VALUES(old.k, old.v, 1); END;
      INSERT INTO t VALUES('a', 1, 0), ('b', 2, 0);
      """)
    let before = try await rows(path, "SELECT rowid, * FROM t")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    #expect(try await rows(path, "SELECT gone FROM t WHERE k = 'a'") == [[.integer(1)]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT rowid, * FROM t") == before)
  }

  @Test func `A row that a trigger replaced has its rowid back`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE trash(k TEXT PRIMARY KEY, v);
      CREATE TRIGGER d BEFORE DELETE ON t BEGIN
        INSERT OR REPLACE INTO trash VALUES(old.k, old.v); END;
      INSERT INTO t VALUES('a', 1); INSERT INTO trash VALUES('a', 9), ('b', 8);
      """)
    let before = try await rows(path, "SELECT rowid, * FROM trash")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    #expect(try await rows(path, "SELECT v FROM trash WHERE k = 'a'") == [[.integer(1)]])
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT rowid, * FROM trash") == before)
    #expect(try store.said() == "")
  }

  @Test func `Several rows of one step that the triggers of each other change come back`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, main INTEGER, o);
      CREATE TRIGGER one AFTER UPDATE OF main ON t WHEN new.main BEGIN
        UPDATE t SET main = 0 WHERE k <> new.k AND main; END;
      INSERT INTO t VALUES('a', 0, 0), ('b', 0, 0), ('c', 1, 0);
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    let row = StoredValue.record([.init("main", .integer(1)), .init("o", .integer(0))])
    let changes = try await store.source.getAll(EntryPageQuery(limit: 2, detail: .values)).get()
      .map { EntryChange($0.key, value: row, expecting: $0.fingerprint) }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    #expect(try await rows(path, "SELECT k FROM t WHERE main") == [[.text("b")]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
  }

  @Test func `Rows that a trigger moved up make room for the one that comes back`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, pos INTEGER UNIQUE, v);
      CREATE TRIGGER d AFTER DELETE ON t BEGIN UPDATE t SET pos = pos - 1 WHERE pos > old.pos; END;
      INSERT INTO t VALUES(1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c'), (4, 4, 'd');
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.integer(2))).get()
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
    #expect(try store.said() == "")
  }

  @Test func `Rows whose keys are no longer unique do not keep the others from coming back`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TABLE lg(k TEXT PRIMARY KEY, what);
      CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO lg VALUES(NULL, old.id); END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b');
      """)
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(try store.said().contains("undo brings that back"))
    try await bench.execute(path, "INSERT INTO lg VALUES(NULL, 'by the program')")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT v FROM t") == [[.text("a")], [.text("b")]])
    #expect(try store.said().contains("null of \"lg\""))
    // Now it is known from the beginning.
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(try store.said().contains("undo does not bring back"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT count(*) FROM t") == [[.integer(2)]])
    #expect(try store.said().contains("1 row that triggers changed"))
  }

  @Test func `What was changed since, and what the undo makes of it, are told apart`() async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE sum(id INTEGER PRIMARY KEY, n);
      CREATE TRIGGER i AFTER INSERT ON p BEGIN UPDATE sum SET n = n + 1; END;
      CREATE TRIGGER d AFTER DELETE ON p BEGIN UPDATE sum SET n = n - 1; END;
      INSERT INTO sum VALUES(1, 0); INSERT INTO p VALUES(1, 'a'), (2, 'b'), (3, 'c');
      """)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    let first = try #require(try await bench.journal.steps().first?.step.number)
    try await store.source.delete(EntryQuery(.integer(2))).get()
    _ = try store.said()
    try await bench.undo(store, step: first)
    #expect(try await rows(path, "SELECT n FROM sum") == [[.integer(2)]])
    let said = try store.said()
    #expect(said.contains("1 of \"sum\" was changed since"))
    #expect(said.contains("the triggers of \"p\"") && !said.contains("stays as it is"))
  }
}
