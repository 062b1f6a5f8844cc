import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// What the journal knows of the rows of triggers when it is full, busy, or its process was killed.
struct TriggerRecordTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v);
    CREATE TABLE side(id INTEGER PRIMARY KEY, n);
    CREATE TRIGGER gone AFTER DELETE ON t BEGIN DELETE FROM side WHERE id = old.id; END;
    INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'c');
    INSERT INTO side VALUES(1, 'precious'), (2, 'x'), (3, zeroblob(300000));
    """

  private func open(_ path: String, _ journal: Journal) async throws -> Store {
    try await Stores.open(StoreLocation(path: path), journal: journal).store("t")
  }

  private func side(_ path: String) async throws -> [[SQLiteValue]] {
    try await SQLiteConnection(path: path).perform { try $0.rows("SELECT id, n FROM side") }
  }

  /// Lets the journal refuse a change of its own, as where it cannot be written at that moment.
  private func refuse(_ change: String) async throws {
    try await bench.execute(
      bench.journal.path,
      "CREATE TRIGGER refusal BEFORE \(change) BEGIN SELECT RAISE(ABORT, 'refused'); END")
  }

  private func allow() async throws {
    try await bench.execute(bench.journal.path, "DROP TRIGGER refusal")
  }

  @Test func `Rows that had to make room in the journal are said not to come back`() async throws {
    let path = try await bench.folder.database(Self.schema)
    let journal = Journal(path: bench.journal.path, limit: 2 << 20)
    let store = try await open(path, journal)
    try await store.source.delete(EntryQuery(.integer(3))).get()
    let first = try #require(try await journal.steps().first?.step.number)
    try await bench.execute(
      path, "INSERT INTO t VALUES(4, 'd'); INSERT INTO side VALUES(4, zeroblob(200000))")
    try await store.source.delete(EntryQuery(.integer(4))).get()
    _ = try store.said()
    try await bench.undo(store)
    #expect(try store.said() == "")
    #expect(try await side(path).count == 3)
    try await bench.undo(store, step: first)
    let said = try store.said()
    #expect(said.contains("1 row that triggers changed along with it"))
    #expect(said.contains("had to make room there, and did not come back"))
    #expect(try await side(path).count == 3)
  }

  @Test func `A kill after the store has written loses no rows of triggers`() async throws {
    let path = try await bench.folder.database(Self.schema)
    let store = try await open(path, bench.journal)
    // Makes the journal's tables.
    try await store.set(.text("z"), .integer(2))
    try await bench.undo(store)
    let before = try await side(path)
    _ = try store.said()
    try await refuse("UPDATE OF pending ON steps WHEN new.pending = 0")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(try await side(path).count == 2)
    let said = try store.said()
    #expect(said.contains("undo brings that back"))
    #expect(said.contains("refused") && said.contains("does not know"))
    try await allow()
    try await bench.execute(bench.journal.path, "UPDATE steps SET process = '1:0' WHERE pending")
    try await bench.undo(store)
    #expect(try await side(path) == before)
  }

  @Test func `A change whose triggers cannot be recorded is not made`() async throws {
    let path = try await bench.folder.database(Self.schema)
    let store = try await open(path, bench.journal)
    try await store.set(.text("z"), .integer(2))
    let before = try await side(path)
    try await refuse("UPDATE OF revision ON steps WHEN new.pending")
    let error = await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.integer(1))).get()
    }
    #expect(error?.message.contains("nothing was written") == true)
    #expect(try await side(path) == before)
    try await allow()
    #expect(try await bench.undo(store)?.key == .integer(2))
  }

  @Test func `A change that the store took back after it was recorded is none`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY);
      CREATE TABLE side(id INTEGER PRIMARY KEY, p REFERENCES p DEFERRABLE INITIALLY DEFERRED, n);
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TRIGGER gone AFTER DELETE ON t BEGIN UPDATE side SET p = 7 WHERE id = old.id; END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b'); INSERT INTO side VALUES(1, NULL, 'x');
      """)
    let store = try await open(path, bench.journal)
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.integer(1))).get()
    }
    #expect(try await bench.contents(store).count == 2)
    #expect(try await bench.journal.steps().isEmpty)
    await #expect(throws: StoreError.notFound("nothing to undo in this store")) {
      try await bench.undo(store)
    }
  }

  @Test func `A killed redo has recorded what its own triggers did`() async throws {
    let path = try await bench.folder.database(Self.schema)
    let store = try await open(path, bench.journal)
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.undo(store)
    try await bench.execute(path, "UPDATE side SET n = 'other' WHERE id = 1")
    let before = try await side(path)
    try await refuse("UPDATE OF pending ON steps WHEN new.pending = 0")
    try await bench.undo(store, redo: true)
    try await allow()
    try await bench.execute(bench.journal.path, "UPDATE steps SET process = '1:0' WHERE pending")
    try await bench.undo(store)
    #expect(try await side(path) == before)
  }

  @Test func `Rows whose rowid no name reads are said not to come back`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      CREATE TABLE hidden(id INT PRIMARY KEY, rowid, oid, _rowid_);
      INSERT INTO hidden VALUES(3, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN DELETE FROM hidden WHERE id = 3; END;
      """)
    let store = try await open(path, bench.journal)
    try await store.set(.text("x"), .text("a"))
    let said = try store.said()
    #expect(said.contains("1 more row, of \"hidden\", which undo does not bring back"))
    try await bench.undo(store)
    #expect(try store.said().contains("did not come back"))
    #expect(
      try await rows(path, "SELECT id FROM hidden ORDER BY 1") == [[.integer(1)], [.integer(2)]])
  }

  @Test func `A virtual table that no trigger sets back is named`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 'old words');
      CREATE VIRTUAL TABLE words USING fts5(v);
      INSERT INTO words(rowid, v) VALUES(1, 'old words');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN
        INSERT OR REPLACE INTO words(rowid, v) VALUES(new.rowid, new.v); END;
      """)
    let store = try await open(path, bench.journal)
    try await store.set(.text("new words"), .text("b"))
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT count(*) FROM words") == [[.integer(2)]])
    #expect(try store.said().contains("\"words\", which the triggers of \"t\" changed along"))
    try await store.source.delete(EntryQuery(.text("a"))).get()
    try await bench.undo(store)
    #expect(try store.said().contains("changed \"words\" now"))
  }

  @Test func `A virtual table that triggers keep up to date is not named`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 'old words');
      CREATE VIRTUAL TABLE words USING fts5(v, content = 't');
      INSERT INTO words(words) VALUES('rebuild');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN
        INSERT INTO words(rowid, v) VALUES(new.rowid, new.v); END;
      CREATE TRIGGER d AFTER DELETE ON t BEGIN
        INSERT INTO words(words, rowid, v) VALUES('delete', old.rowid, old.v); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN
        INSERT INTO words(words, rowid, v) VALUES('delete', old.rowid, old.v);
        INSERT INTO words(rowid, v) VALUES(new.rowid, new.v); END;
      """)
    let store = try await open(path, bench.journal)
    try await store.set(.text("new words"), .text("b"))
    try await store.set(.text("more"), .text("a"))
    try await store.source.delete(EntryQuery(.text("a"))).get()
    for redo in [false, true, false] {
      for _ in 0..<3 { try await bench.undo(store, redo: redo) }
    }
    #expect(try store.said() == "")
    let found = "SELECT rowid FROM words WHERE words MATCH "
    #expect(try await rows(path, found + "'words'") == [[.integer(1)]])
    #expect(try await rows(path, found + "'new OR more'") == [])
  }

  @Test func `An index for searching is named, however many rows triggers change beside it`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v); CREATE VIRTUAL TABLE f USING fts5(v);
      CREATE TABLE n(i INTEGER PRIMARY KEY); CREATE TABLE log(a);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 320)
        INSERT INTO n SELECT i FROM c;
      CREATE TRIGGER i AFTER INSERT ON t BEGIN
        INSERT INTO log SELECT a.i FROM n AS a, n AS b;
        INSERT INTO f(rowid, v) VALUES(new.k, new.v); END;
      """)
    let store = try await bench.open(path, "t")
    try await store.set(.text("apple"), .integer(1))
    _ = try store.said()
    try await bench.undo(store)
    #expect(try store.said().contains("\"f\", which the triggers of \"t\" changed along with it"))
  }
}
