import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import TestPrograms
import Testing

/// Undo and redo of changes with side effects, which restore every row of the database exactly.
struct ExactUndoTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// A schema with its rows, and a change to one of its tables.
  struct Trial: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let table: String
    /// The tables whose rows change as a side effect.
    let sideEffects: [String]
    let change: @Sendable (Store, JournalBench) async throws -> Void

    init(
      _ name: String, _ schema: String, table: String = "t", sideEffects: [String] = [],
      _ change: @escaping @Sendable (Store, JournalBench) async throws -> Void
    ) {
      testDescription = name
      self.schema = schema
      self.table = table
      self.sideEffects = sideEffects
      self.change = change
    }
  }

  @Test(arguments: triggers + indexes + places + numbers + refused + references)
  func `Every row is restored exactly`(_ trial: Trial) async throws {
    let path = bench.folder.file("test.db")
    // Created by the `sqlite3` shell, which accepts schemas that larder does not allow itself to
    // run.
    let outcome = try ProgramOutcome(running: ["sqlite3", "-bail", path, trial.schema])
    try #require(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
    let before = try await dump(path)
    let store = try await bench.open(path, trial.table)
    try await trial.change(store, bench)
    let said = try store.said()
    #expect(trial.sideEffects.allSatisfy { said.contains("“\($0)”") }, "\(said)")
    #expect(said.isEmpty == trial.sideEffects.isEmpty, "\(said)")
    let after = try await dump(path)
    #expect(after != before)
    for isRedo in [false, true, false] {
      try await bench.undo(store, redo: isRedo)
      // A redo reports its side effects again.
      let again = try store.said()
      #expect(again.isEmpty || isRedo && !trial.sideEffects.isEmpty, "\(again)")
      #expect(try await dump(path) == (isRedo ? after : before))
    }
  }

  private static func delete(
    _ key: EntryKey
  ) -> @Sendable (Store, JournalBench) async throws -> Void {
    { store, _ in try await store.source.delete(EntryQuery(key)).get() }
  }

  private static func set(
    _ key: EntryKey, _ value: StoredValue
  ) -> @Sendable (Store, JournalBench) async throws -> Void {
    { store, _ in try await store.set(value, key) }
  }

  private static func rename(
    _ names: (String, String)...
  ) -> @Sendable (Store, JournalBench) async throws -> Void {
    { store, bench in
      var renames: [RenameQuery] = []
      for (key, newKey) in names {
        renames.append(try #require(try await bench.renaming(store, key, to: .text(newKey))))
      }
      _ = try await store.source.putAll([], in: RenamesQuery(renames)).get()
    }
  }

  static let triggers = [
    Trial(
      "deleting rows of another table",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE c(id INTEGER PRIMARY KEY, p, v);
      CREATE TRIGGER gone AFTER DELETE ON t BEGIN DELETE FROM c WHERE p = old.id; END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b');
      INSERT INTO c VALUES(10, 1, 'x'), (11, 1, NULL), (12, 2, 'y');
      """, sideEffects: ["c"], delete(.integer(1))),
    Trial(
      "deleting rows that no key tells apart",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE log(k TEXT PRIMARY KEY, what);
      CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO log VALUES(NULL, old.id); END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b'); INSERT INTO log VALUES(NULL, 'x');
      """, sideEffects: ["log"], delete(.integer(1))),
    Trial(
      "moving a flag",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER);
      CREATE TRIGGER one AFTER UPDATE OF v ON t WHEN new.v BEGIN
        UPDATE t SET v = 0 WHERE k <> new.k; END;
      INSERT INTO t VALUES('a', 1), ('b', 0), ('c', 0);
      """, sideEffects: ["t"], set(.text("b"), .integer(1))),
    Trial(
      "setting a time",
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, ts);
      CREATE TRIGGER u AFTER UPDATE ON t WHEN new.ts <> 'NOW' BEGIN
        UPDATE t SET ts = 'NOW' WHERE k = new.k; END;
      INSERT INTO t VALUES(1, 'a', '2001');
      """, sideEffects: ["t"],
      set(.integer(1), .record([.init("v", .text("b")), .init("ts", .text("2001"))]))),
    Trial(
      "setting a time in renamed rows",
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, body, updated_at);
      INSERT INTO t VALUES('a', 'x', '2020'), ('b', 'y', '2021');
      CREATE TRIGGER u AFTER UPDATE ON t WHEN new.updated_at IS old.updated_at BEGIN
        UPDATE t SET updated_at = 'NOW' || old.updated_at WHERE id = new.id; END;
      """, sideEffects: ["t"], rename(("a", "c"), ("b", "d"))),
    Trial(
      "in a table without rowids",
      """
      CREATE TABLE t(a, b, ts, n, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE TRIGGER u AFTER UPDATE OF n ON t BEGIN
        UPDATE t SET ts = 'NOW' WHERE a = new.a AND b = new.b;
        DELETE FROM t WHERE a = new.a AND b > new.b; END;
      INSERT INTO t VALUES(1, 1, '2001', 0), (1, 'x', '2002', 0), (2, 1, '2003', 0);
      """, sideEffects: ["t"],
      set(
        .composite([.integer(1), .integer(1)]),
        .record([.init("ts", .text("2001")), .init("n", .integer(5))]))),
    Trial(
      "behind computed columns",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TABLE w(a, g AS ('G' || a), k, h AS ('H' || k) STORED, n, PRIMARY KEY(k, n))
        WITHOUT ROWID;
      CREATE TRIGGER d AFTER UPDATE ON t BEGIN
        UPDATE w SET k = k || '!' WHERE n = old.id; UPDATE w SET a = 'new'; END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b');
      INSERT INTO w(a, k, n) VALUES('x', 'one', 1), ('y', 'two', 2);
      """, sideEffects: ["w"], set(.integer(1), .text("changed"))),
  ]

  static let indexes = [
    (
      "fts5(v, content='t', content_rowid='k')",
      "INSERT INTO f(f, rowid, v) VALUES('delete', old.k, old.v)"
    ),
    ("fts4(content='t', v)", "DELETE FROM f WHERE docid = old.k"),
    ("fts5(v)", "DELETE FROM f WHERE rowid = old.k"),
    // No trigger removes words from the index.
    ("fts5(v)", "SELECT 1"),
  ].map { index, forget in
    Trial(
      "an index for searching: \(index), \(forget)",
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v); CREATE VIRTUAL TABLE f USING \(index);
      CREATE TRIGGER d BEFORE DELETE ON t BEGIN \(forget); END;
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(rowid, v) VALUES(new.k, new.v); END;
      INSERT INTO t VALUES(1, 'apple'), (2, 'pear');
      """
    ) { store, _ in
      _ = try await store.source.putAll(
        [],
        in: ChangesQuery([
          EntryChange(
            .integer(1), value: nil,
            expecting: try await store.source.get(EntryQuery(.integer(1))).get().fingerprint),
          EntryChange(.integer(3), value: .text("plum tree"), expecting: nil),
        ])
      ).get()
    }
  }

  static let places = [
    Trial(
      "a row that gets the rowid of one that a trigger deletes",
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, v); INSERT INTO t VALUES('s1', 'ann'), ('s2', 'bob');
      CREATE TRIGGER one BEFORE INSERT ON t BEGIN DELETE FROM t WHERE v = new.v; END;
      """, sideEffects: ["t"], set(.text("s3"), .text("bob"))),
    Trial(
      "a row that a trigger puts in the place of a deleted one",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 'a'), (2, 'b');
      CREATE TRIGGER d AFTER DELETE ON t WHEN old.v <> 'log' BEGIN
        INSERT INTO t(v) VALUES('log'); END;
      """, sideEffects: ["t"], delete(.integer(2))),
    Trial(
      "a row that a trigger keeps, marked as deleted",
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 'x'), ('b', 'y');
      CREATE TRIGGER d AFTER DELETE ON t WHEN old.v <> 'deleted' BEGIN
        INSERT INTO t VALUES(old.id, 'deleted'); END;
      """, sideEffects: ["t"], delete(.text("a"))),
    Trial(
      "a row that a trigger replaces with the same",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE s(u TEXT PRIMARY KEY, w);
      INSERT INTO s VALUES('u', 'w'), ('x', 'y');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT OR REPLACE INTO s VALUES('u', 'w'); END;
      """, sideEffects: ["s"], set(.text("a"), .integer(1))),
    Trial(
      "rows that move up",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER UNIQUE);
      CREATE TRIGGER d AFTER DELETE ON t BEGIN UPDATE t SET v = v - 1 WHERE v > old.v; END;
      INSERT INTO t VALUES(1, 1), (2, 2), (3, 3), (4, 4);
      """, sideEffects: ["t"], delete(.integer(2))),
    Trial(
      "rowids that are not part of the key",
      """
      CREATE TABLE t(k, rowid, v, PRIMARY KEY(k, rowid));
      INSERT INTO t(oid, k, rowid, v) VALUES(7, 'a', 2, 'x'), (14, 'a', 3, 'x'), (35, 'b', 2, 'x');
      """
    ) { store, _ in try await store.source.delete(AllObjectsQuery()).get() },
    Trial(
      "a computed column",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a, b GENERATED ALWAYS AS (a * 2), z);
      INSERT INTO t(id, a, z) VALUES(1, 1, 1);
      """,
      // An editor writes the row with the old value of the generated column.
      set(
        .integer(1),
        .record([.init("a", .integer(5)), .init("b", .integer(2)), .init("z", .integer(1))]))),
  ]

  static let numbers = [
    Trial(
      "the first number of a table", "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v);",
      set(.integer(.max), .text("x"))),
    Trial(
      "a number that was only changed to",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v);
      INSERT INTO t VALUES(1, 'a'); UPDATE t SET id = 77;
      """, delete(.integer(77))),
    Trial(
      "a number that a trigger was given",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      CREATE TABLE log(n INTEGER PRIMARY KEY AUTOINCREMENT, what); INSERT INTO log VALUES(7, 'x');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log(what) VALUES(new.k); END;
      """, sideEffects: ["log"], set(.text("a"), .text("x"))),
  ]

  /// Rows that violate their table's constraints, and rows whose restoration fires triggers.
  static let refused = [
    Trial(
      "a check",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v CHECK (v < 10)); PRAGMA ignore_check_constraints = ON;
      INSERT INTO t VALUES('a', 50), ('b', 5);
      """, delete(.text("a"))),
    Trial(
      "a trigger with a function of the program",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 50), ('b', 'x');
      CREATE TRIGGER no BEFORE INSERT ON t BEGIN SELECT known(new.v); END;
      """, delete(.text("a"))),
    Trial(
      "a trigger against every undo",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 50), ('b', 'x');
      CREATE TRIGGER keep BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'for good'); END;
      """, set(.text("c"), .integer(1))),
    Trial(
      "what a trigger would add twice",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE log(k TEXT PRIMARY KEY);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.k); END;
      INSERT INTO t VALUES('a', 50), ('b', 'x');
      """, delete(.text("a"))),
    Trial(
      "rows that come back in their own order only",
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, up TEXT);
      INSERT INTO t VALUES('p/z', NULL), ('p/a', 'p/z'), ('p/b', 'p/a'), ('q', NULL);
      CREATE TRIGGER parent BEFORE INSERT ON t
        WHEN new.up IS NOT NULL AND NOT EXISTS (SELECT 1 FROM t WHERE k = new.up)
        BEGIN SELECT RAISE(ABORT, 'no parent'); END;
      """
    ) { store, _ in try await store.source.delete(PrefixQuery("p/")).get() },
  ]

  static let references = [
    Trial(
      "rows that go along",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TABLE c(id TEXT PRIMARY KEY, p REFERENCES t(id) ON DELETE CASCADE, v) WITHOUT ROWID;
      CREATE TABLE g(p, n, c TEXT REFERENCES c(id) ON DELETE CASCADE, v, PRIMARY KEY(p, n),
        FOREIGN KEY(p) REFERENCES t(id) ON DELETE CASCADE);
      CREATE TABLE s(x, c TEXT REFERENCES c(id) ON DELETE SET NULL);
      CREATE TABLE d(id INTEGER PRIMARY KEY,
        p INTEGER DEFAULT 9 REFERENCES t(id) ON DELETE SET DEFAULT);
      INSERT INTO t VALUES(1, 'one'), (2, 'two'), (9, 'nine');
      INSERT INTO c VALUES('a', 1, x'00ff'), ('b', 1, 2.5), ('c', 2, NULL);
      INSERT INTO g VALUES(1, 1, 'a', 'x'), (1, 2, 'c', 'y'), (2, 1, 'b', 'z');
      INSERT INTO s VALUES('first', 'a'), ('second', 'c'), ('third', 'b');
      INSERT INTO d VALUES(1, 1), (2, 2);
      """, sideEffects: ["c", "g", "s", "d"], delete(.integer(1))),
    Trial(
      "rows that follow one to another key",
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, v);
      CREATE TABLE c(id TEXT PRIMARY KEY, p REFERENCES t(id) ON UPDATE CASCADE);
      INSERT INTO t VALUES('a', 1); INSERT INTO c VALUES('x', 'a'), ('y', 'a'), ('z', NULL);
      """, sideEffects: ["c"], rename(("a", "b"))),
    Trial(
      "a row that refers to itself",
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, boss REFERENCES t(id) ON UPDATE SET NULL);
      INSERT INTO t VALUES('3', '3'), ('4', NULL);
      """, sideEffects: ["t"], rename(("3", "5"))),
    Trial(
      "all rows of a table that refers to itself",
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, up TEXT REFERENCES t(id) ON DELETE CASCADE);
      INSERT INTO t VALUES('a1', NULL), ('b1', 'a1'), ('a2', 'b1'), ('c', 'a2'), ('d', NULL);
      """, sideEffects: ["t"]
    ) { store, _ in try await store.source.delete(AllObjectsQuery()).get() },
  ]

  // MARK: Changes by other programs

  @Test func `Side effects that other programs have changed since stay and are reported`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v); CREATE TABLE sum(id INTEGER PRIMARY KEY, n);
      CREATE TRIGGER i AFTER INSERT ON p BEGIN UPDATE sum SET n = n + 1; END;
      CREATE TRIGGER d AFTER DELETE ON p BEGIN UPDATE sum SET n = n - 1; END;
      INSERT INTO sum VALUES(1, 0); INSERT INTO p VALUES(1, 'a'), (2, 'b');
      """)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.execute(path, "INSERT INTO p VALUES(3, 'c')")
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT count(*) FROM p") == [[.integer(3)]])
    #expect(try await rows(path, "SELECT n FROM sum") == [[.integer(2)]])
    #expect(try store.said().contains("“sum”"))
  }

  @Test func `A row changed by another program is a conflict, and nothing is undone`() async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 'x');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN UPDATE t SET v = v || '!'; END;
      """)
    let store = try await bench.open(path, "t")
    try await store.set(.text("y"), .text("c"))
    try await bench.execute(path, "UPDATE t SET v = 'theirs' WHERE k = 'c'")
    let before = try await dump(path)
    let steps = try await bench.journal.steps()
    let error = await #expect(throws: StoreError.self) { try await bench.undo(store) }
    guard case .conflict(let current)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(current?.key == .text("c") && current?.value == .text("theirs"))
    #expect(try await dump(path) == before)
    #expect(try await bench.journal.steps() == steps)
  }

  @Test func `A rowid that another row has taken is reported`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t(rowid, k) VALUES(14, 'x'), (7, 'y')")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("x"))).get()
    try await bench.execute(path, "INSERT INTO t(rowid, k) VALUES(14, 'other')")
    try await bench.undo(store)
    #expect(try await store.keys() == [.text("other"), .text("x"), .text("y")])
    #expect(try await rows(path, "SELECT k FROM t WHERE rowid = 14") == [[.text("other")]])
    #expect(try store.said().contains("rowid"))
  }

  @Test func `Undo does not reset an AUTOINCREMENT counter that other programs have used since`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t(v) VALUES('a')")
    let store = try await bench.open(path)
    try await bench.put(store, .integer(100), .text("x"))
    try await bench.execute(path, "INSERT INTO t(v) VALUES('b'); DELETE FROM t WHERE v = 'b'")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(101)]])
  }

  @Test func `A row changed by another program is not deleted, even if triggers change it too`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TRIGGER chain AFTER DELETE ON t BEGIN UPDATE t SET v = 'x'; END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'c');
      """)
    for store in [try await bench.open(path, "t"), try await Stores.store(path, "t")] {
      let known = try await store.source.getAll(EntryPageQuery(limit: 10, detail: .values)).get()
      try await bench.execute(path, "UPDATE t SET v = v || '!' WHERE id = 3")
      let changes = known.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }
      let error = await #expect(throws: StoreError.self) {
        _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
      }
      guard case .conflict(let current)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(current?.key == .integer(3))
      #expect(try await rows(path, "SELECT count(*) FROM t") == [[.integer(3)]])
    }
  }

  @Test(arguments: [("v TEXT)", "50"), ("v NOT NULL)", "NULL"), ("v TEXT) STRICT", "50")])
  func `A row that no longer fits its table is not restored with converted values`(
    columns: String, value: String
  ) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', \(value)), ('b', 'x')")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    try await bench.execute(path, "DROP TABLE t; CREATE TABLE t(k TEXT PRIMARY KEY, \(columns)")
    let steps = try await bench.journal.steps()
    let again = try await bench.open(path, "t")
    await #expect(throws: (any Error).self) { try await bench.undo(again) }
    #expect(try await rows(path, "SELECT * FROM t") == [])
    #expect(try await bench.journal.steps() == steps)
  }

  @Test func `Checks and triggers are active again after an undo`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v CHECK (v < 10)); CREATE TABLE log(k);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.k); END;
      """)
    let store = try await bench.open(path, "t")
    try await bench.put(store, .text("a"), .integer(5))
    try await bench.undo(store)
    await #expect(throws: (any Error).self) {
      try await bench.put(store, .text("c"), .integer(60))
    }
    try await bench.put(store, .text("d"), .integer(6))
    #expect(try await rows(path, "SELECT k FROM log") == [[.text("d")]])
  }
}
