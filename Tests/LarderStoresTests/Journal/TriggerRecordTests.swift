import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Recording of trigger side effects when the journal cannot be written or the process is killed.
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
    INSERT INTO side VALUES(1, 'protected'), (2, 'x'), (3, zeroblob(300000));
    """

  private func open(_ path: String, _ journal: Journal) async throws -> Store {
    try await Stores.open(StoreLocation(path: path), journal: journal).store("t")
  }

  private func side(_ path: String) async throws -> [[SQLiteValue]] {
    try await SQLiteConnection(path: path).perform { try $0.rows("SELECT id, n FROM side") }
  }

  /// Makes the journal refuse a change to its tables, as if it could not be written at that moment.
  private func refuse(_ change: String) async throws {
    try await bench.execute(
      bench.journal.path,
      "CREATE TRIGGER refusal BEFORE \(change) BEGIN SELECT RAISE(ABORT, 'refused'); END")
  }

  private func allow() async throws {
    try await bench.execute(bench.journal.path, "DROP TRIGGER refusal")
  }

  @Test func `A kill after the store was written loses no side effects`() async throws {
    let path = try await bench.folder.database(Self.schema)
    let store = try await open(path, bench.journal)
    // Creates the tables of the journal.
    try await store.set(.text("z"), .integer(2))
    try await bench.undo(store)
    let before = try await side(path)
    _ = try store.said()
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(try await side(path).count == 2)
    try await bench.execute(bench.journal.path, "UPDATE steps SET process = '1:0'")
    try await bench.undo(store)
    #expect(try await side(path) == before)
  }

  @Test func `A change whose side effects cannot be recorded is not made`() async throws {
    let path = try await bench.folder.database(Self.schema)
    let store = try await open(path, bench.journal)
    try await store.set(.text("z"), .integer(2))
    let before = try await side(path)
    try await refuse("INSERT ON records")
    let error = await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.integer(1))).get()
    }
    #expect(error?.message.contains("nothing was written") == true)
    #expect(try await side(path) == before)
    try await allow()
    #expect(try await bench.undo(store)?.key == .integer(2))
  }

  @Test func `A change that the store rolled back after it was recorded is discarded`() async throws
  {
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

  @Test func `A killed redo has recorded its own side effects`() async throws {
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

  @Test func `A change with side effects on rows that cannot be identified is not made`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      CREATE TABLE hidden(id INT PRIMARY KEY, rowid, oid, _rowid_); INSERT INTO hidden(id) VALUES(3);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN DELETE FROM hidden WHERE id = 3; END;
      """)
    let store = try await open(path, bench.journal)
    let error = await #expect(throws: StoreError.self) {
      try await store.set(.text("x"), .text("a"))
    }
    guard case .journal? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await rows(path, "SELECT id FROM hidden") == [[.integer(3)]])
    #expect(try await store.keys() == [])
  }
}
