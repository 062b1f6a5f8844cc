import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Rows with references, in databases whose program does not enforce foreign keys.
struct SQLiteReferenceTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func delete(_ store: Store, _ keys: [Int64]) async throws {
    var changes: [EntryChange] = []
    for key in keys {
      let entry = try await store.source.get(EntryQuery(.integer(key))).get()
      changes.append(EntryChange(entry.key, value: nil, expecting: entry.fingerprint))
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
  }

  @Test func `A row without its parent is restored with a warning`() async throws {
    let path = try await bench.folder.database(
      """
      PRAGMA foreign_keys=OFF;
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(id), v);
      INSERT INTO c VALUES(1, 5, 'orphan');
      """)
    let before = try await rows(path, "SELECT * FROM c")
    let store = try await bench.open(path, "c")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(try await rows(path, "SELECT * FROM c") == [])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM c") == before)
    let warnings = try #require(store.warnings).take()
    #expect(warnings.contains { $0.contains("“p”") })
    // New writes must still satisfy the foreign keys.
    let refused = await refusal {
      try await store.set(.record([.init("p", .integer(9)), .init("v", .null)]), .integer(7))
    }
    #expect(refused?.contains("p of 7 refers to a row of “p” that does not exist") == true)
  }

  @Test(arguments: [true, false])
  func `A key that was never there hides no side effect of another`(isRecorded: Bool) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, p REFERENCES t(k) ON DELETE CASCADE);
      INSERT INTO t VALUES('a', NULL), ('b', 'a'), ('c', NULL), ('d', 'c');
      """)
    let store =
      isRecorded
      ? try await bench.open(path, "t")
      : try await Stores.open(StoreLocation(path: path)).store("t")
    let also = "foreign keys that refer to “t” also changed 1 row in “t”"
    try await store.source.delete(IdsQuery(["a", "none"])).get()
    #expect(try store.said().contains(also))
    let entry = try await store.source.get(EntryQuery(.text("c"))).get()
    let changes = [
      EntryChange(entry.key, value: nil, expecting: entry.fingerprint),
      EntryChange(.text("none"), value: nil, expecting: nil),
    ]
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    #expect(try store.said().contains(also))
    #expect(try await rows(path, "SELECT * FROM t") == [])
  }

  @Test func `A reference to a missing row, changed and undone, comes back`() async throws {
    let path = try await bench.folder.database(
      """
      PRAGMA foreign_keys=OFF;
      CREATE TABLE p(id INTEGER PRIMARY KEY, v); INSERT INTO p VALUES(2, 'two');
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(id));
      INSERT INTO c VALUES(1, 5);
      """)
    let store = try await bench.open(path, "c")
    try await store.set(.integer(2), .integer(1))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT p FROM c") == [[.integer(5)]])
  }

  @Test func `A change that adds one row and reparents another is undone as a whole`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      PRAGMA foreign_keys=OFF;
      CREATE TABLE p(id INTEGER PRIMARY KEY, v); INSERT INTO p VALUES(2, 'two');
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(id));
      CREATE TABLE d(id INTEGER PRIMARY KEY, c REFERENCES c(id));
      INSERT INTO c VALUES(1, 5);
      """)
    let before = try await rows(path, "SELECT * FROM c")
    let store = try await bench.open(path, "c")
    let orphan = try await store.source.get(EntryQuery(.integer(1))).get()
    func write() async throws {
      _ = try await store.source.putAll(
        [],
        in: ChangesQuery([
          EntryChange(.integer(1), value: .integer(2), expecting: orphan.fingerprint),
          EntryChange(.integer(3), value: .integer(2), expecting: nil),
        ])
      ).get()
    }
    try await write()
    try await bench.execute(path, "INSERT INTO d VALUES(10, 3)")
    let after = try await rows(path, "SELECT * FROM c")
    #expect(await refusal { try await bench.undo(store) }?.contains("“d”") == true)
    #expect(try await rows(path, "SELECT * FROM c") == after)
    try await bench.execute(path, "DELETE FROM d")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM c") == before)
    #expect(try store.said().contains("“p”"))
  }

  @Test func `Undo does not delete a row that other rows refer to`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(id));
      """)
    let store = try await bench.open(path, "p")
    try await store.set(.text("x"), .integer(1))
    // Compared with the affinity of the referenced column.
    try await bench.execute(path, "INSERT INTO c VALUES(10, '1')")
    let refused = try #require(await refusal { try await bench.undo(store) })
    #expect(refused.contains("“c”") && refused.contains("“p”"), "\(refused)")
    #expect(try await rows(path, "SELECT id FROM p") == [[.integer(1)]])
  }

  @Test(arguments: [
    // The parent table is missing, or its column cannot be referenced.
    "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES gone(id), v)",
    "CREATE TABLE p(a, b); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(a), v)",
  ])
  func `A table with unenforceable foreign keys can be written`(schema: String)
    async throws
  {
    let path = try await bench.folder.database(
      "PRAGMA foreign_keys=OFF; \(schema); INSERT INTO c VALUES(1, 5, 'a');")
    let store = try await bench.open(path, "c")
    try await store.set(.record([.init("p", .integer(6)), .init("v", .text("b"))]), .integer(1))
    try await store.set(.record([.init("p", .integer(7)), .init("v", .text("c"))]), .integer(2))
    try await delete(store, [1, 2])
    #expect(try await rows(path, "SELECT * FROM c") == [])
    for _ in 0..<3 { try await bench.undo(store) }
    #expect(
      try await rows(path, "SELECT * FROM c") == [[.integer(1), .integer(5), .text("a")]])
  }

  @Test(arguments: [
    "CREATE TRIGGER touch AFTER UPDATE ON p BEGIN UPDATE log SET n = n + 1; END",
    "CREATE TRIGGER drop1 AFTER DELETE ON p BEGIN UPDATE log SET n = n + 1; END",
    """
    CREATE VIRTUAL TABLE f USING fts5(v, content='p', content_rowid='id');
    INSERT INTO f(f) VALUES('rebuild');
    CREATE TRIGGER f1 AFTER DELETE ON p BEGIN
      INSERT INTO f(f, rowid, v) VALUES('delete', old.id, old.v); END;
    CREATE TRIGGER f2 AFTER UPDATE ON p BEGIN
      INSERT INTO f(f, rowid, v) VALUES('delete', old.id, old.v);
      INSERT INTO f(rowid, v) VALUES(new.id, new.v); END;
    """,
  ])
  func `A table with triggers can be edited if no row refers to the change`(triggers: String)
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE log(n); INSERT INTO log VALUES(0);
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE c(id INTEGER PRIMARY KEY,
        p REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE);
      INSERT INTO p VALUES(1, 'one'), (2, 'two'); INSERT INTO c VALUES(10, 1);
      \(triggers)
      """)
    let store = try await bench.open(path, "p")
    // The column is not referenced, although the row is.
    try await store.set(.text("eins"), .integer(1))
    try await store.source.delete(EntryQuery(.integer(2))).get()
    #expect(try await rows(path, "SELECT * FROM p") == [[.integer(1), .text("eins")]])
    // A cascade, as the database's own program would make it.
    let entry = try await store.source.get(EntryQuery(.integer(1))).get()
    let rename = RenameQuery(
      entry.key, to: .integer(5), expecting: try #require(entry.fingerprint))
    try await store.source.put(nil, in: rename).get()
    #expect(try await rows(path, "SELECT p FROM c") == [[.integer(5)]])
    try await store.source.delete(EntryQuery(.integer(5))).get()
    #expect(try await rows(path, "SELECT * FROM c").isEmpty)
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try await rows(path, "SELECT * FROM c") == [[.integer(10), .integer(1)]])
    #expect(try await rows(path, "SELECT * FROM p") == [[.integer(1), .text("eins")]])
  }

  @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1]] as [[Int64]])
  func `Rows that refer to each other are deleted together in any order`(keys: [Int64])
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, up REFERENCES p(id) ON DELETE CASCADE);
      INSERT INTO p VALUES(1, NULL), (2, 1), (3, 2), (4, 4);
      """)
    let before = try await rows(path, "SELECT * FROM p")
    let store = try await bench.open(path, "p")
    // The third row is deleted by a cascade and restored.
    try await delete(store, [1, 2])
    #expect(try await rows(path, "SELECT id FROM p") == [[.integer(4)]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM p") == before)
    try await delete(store, keys)
    #expect(try await rows(path, "SELECT id FROM p") == [[.integer(4)]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM p") == before)
    // A row that refers only to itself can be deleted.
    try await delete(store, [4])
    #expect(try await rows(path, "SELECT count(*) FROM p") == [[.integer(3)]])
  }

  @Test func `All rows of a self-referencing table are deleted without a journal`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id TEXT PRIMARY KEY, up REFERENCES p(id) ON DELETE SET NULL);
      INSERT INTO p VALUES('a1', NULL), ('a2', 'a1'), ('b', 'a2');
      """)
    let store = try await Stores.store(path, "p")
    try await store.source.delete(PrefixQuery("a")).get()
    #expect(try await rows(path, "SELECT * FROM p") == [[.text("b"), .null]])
    #expect(try store.said().contains("“p”"))
    try await store.source.delete(AllObjectsQuery()).get()
    #expect(try await rows(path, "SELECT count(*) FROM p") == [[.integer(0)]])
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func `References to a column generated from a column or key are restored`(
    storage: String
  ) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id TEXT PRIMARY KEY, v, n,
        code AS (v) \(storage) UNIQUE, name AS (id || '!') \(storage) UNIQUE);
      CREATE TABLE c(a REFERENCES p(code) ON UPDATE SET NULL,
        b REFERENCES p(name) ON UPDATE SET NULL);
      INSERT INTO p(id, v, n) VALUES('x', 'y', 0); INSERT INTO c VALUES('y', NULL), (NULL, 'x!');
      """)
    let before = try await rows(path, "SELECT * FROM p, c")
    let store = try await bench.open(path, "p")
    try await store.set(.record([.init("v", .text("z"))]), .text("x"))
    #expect(
      try await rows(path, "SELECT count(a), count(b) FROM c") == [[.integer(0), .integer(1)]])
    let rename = try #require(try await bench.renaming(store, "x", to: .text("q")))
    _ = try await store.source.put(nil, in: rename).get()
    #expect(
      try await rows(path, "SELECT count(a), count(b) FROM c") == [[.integer(0), .integer(0)]])
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try await rows(path, "SELECT * FROM p, c") == before)
    // A column that is not part of the expression can be changed.
    try await store.set(.record([.init("n", .integer(7))]), .text("x"))
    #expect(try await rows(path, "SELECT n FROM p") == [[.integer(7)]])
  }

  @Test func `Restored rows whose parents were deleted by another program are reported`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v); INSERT INTO p VALUES(5, 'p');
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(id), v); INSERT INTO c VALUES(1, 5, 'c');
      CREATE TABLE t(id TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 'x');
      CREATE TRIGGER d AFTER DELETE ON t BEGIN DELETE FROM c; END;
      """)
    let before = try await rows(path, "SELECT * FROM c, t")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    try await bench.execute(path, "DELETE FROM p")
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM c, t") == before)
    let said = try store.said()
    #expect(said.contains("“c”") && said.contains("“p”"), "\(said)")
  }

  @Test func `A reference that was broken before is not reported as restored`() async throws {
    let path = try await bench.folder.database(
      """
      PRAGMA foreign_keys=OFF;
      CREATE TABLE p(id INTEGER PRIMARY KEY, v); INSERT INTO p VALUES(2, 'two');
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(id), v);
      INSERT INTO c VALUES(1, 5, 'a'), (3, 2, 'b');
      """)
    let store = try await bench.open(path, "c")
    let broken = try await store.source.get(EntryQuery(.integer(1))).get()
    let other = try await store.source.get(EntryQuery(.integer(3))).get()
    let row = StoredValue.record([.init("p", .integer(5)), .init("v", .text("changed"))])
    _ = try await store.source.putAll(
      [],
      in: ChangesQuery([
        EntryChange(.integer(1), value: row, expecting: broken.fingerprint),
        EntryChange(.integer(3), value: nil, expecting: other.fingerprint),
      ])
    ).get()
    try await bench.execute(path, "PRAGMA foreign_keys=OFF; DELETE FROM p")
    _ = try #require(store.warnings).take()
    try await bench.undo(store)
    // One row was restored without its parent; the other had none before.
    #expect(
      try store.said().contains("1 row restored in “c” refers by p to rows of “p”"))
  }
}
