import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// What the triggers of a database do beside a change, and what an undo makes of it.
struct TriggerUndoTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `Rows that a trigger deletes come back with the one that was deleted`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p, v);
      CREATE TRIGGER gone AFTER DELETE ON p BEGIN DELETE FROM c WHERE p = old.id; END;
      INSERT INTO p VALUES(1, 'a'), (2, 'b');
      INSERT INTO c VALUES(10, 1, 'x'), (11, 1, NULL), (12, 2, 'y');
      """)
    let before = try await rows(path, "SELECT * FROM c")
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    let said = try store.said()
    #expect(said.contains("2 more rows") && said.contains("\"c\"") && said.contains("undo"))
    for _ in 0..<2 {
      #expect(try await rows(path, "SELECT id FROM c") == [[.integer(12)]])
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT * FROM c") == before)
      #expect(try await rows(path, "SELECT count(*) FROM p") == [[.integer(2)]])
      _ = try store.said()
      try await bench.undo(store, redo: true)
    }
  }

  @Test func `A flag that a trigger moves is where it was after an undo`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, main INTEGER, other);
      CREATE TRIGGER one AFTER UPDATE OF main ON t WHEN new.main BEGIN
        UPDATE t SET main = 0 WHERE k <> new.k; END;
      INSERT INTO t VALUES('a', 1, NULL), ('b', 0, 'o'), ('c', 0, NULL);
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    try await store.set(
      .record([.init("main", .integer(1)), .init("other", .text("o"))]), .text("b"))
    #expect(try await rows(path, "SELECT k FROM t WHERE main") == [[.text("b")]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
  }

  @Test func `A time that a trigger sets is the old one after an undo`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, ts);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN UPDATE t SET ts = 'NOW' WHERE k = new.k; END;
      CREATE TRIGGER u AFTER UPDATE OF v ON t BEGIN
        UPDATE t SET ts = 'NOW' WHERE k = new.k; END;
      INSERT INTO t VALUES(1, 'a', NULL); UPDATE t SET ts = '2001';
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
    try await store.set(.record([.init("v", .text("b")), .init("ts", .text("2001"))]), .integer(1))
    #expect(try await rows(path, "SELECT v, ts FROM t") == [[.text("b"), .text("NOW")]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
    #expect(try store.said() == "")
  }

  @Test func `A column that a trigger does not leave alone is named`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, ts);
      INSERT INTO t VALUES(1, 'a', '2001');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN UPDATE t SET ts = 'NOW' WHERE k = new.k; END;
      CREATE TRIGGER u AFTER UPDATE ON t WHEN new.ts <> 'NOW' BEGIN
        UPDATE t SET ts = 'NOW' WHERE k = new.k; END;
      """)
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT v, ts FROM t") == [[.text("a"), .text("NOW")]])
    let said = try store.said()
    #expect(said.contains("ts of 1") && said.contains("trigger"))
  }

  @Test func `What others changed since stays, and it is said`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE sum(id INTEGER PRIMARY KEY, n);
      CREATE TRIGGER i AFTER INSERT ON p BEGIN UPDATE sum SET n = n + 1; END;
      CREATE TRIGGER d AFTER DELETE ON p BEGIN UPDATE sum SET n = n - 1; END;
      CREATE TABLE log(id INTEGER PRIMARY KEY, what);
      CREATE TRIGGER l AFTER DELETE ON p BEGIN INSERT INTO log(what) VALUES('d'); END;
      INSERT INTO sum VALUES(1, 0); INSERT INTO p VALUES(1, 'a'), (2, 'b');
      """)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT n FROM sum") == [[.integer(2)]])
    #expect(try await rows(path, "SELECT * FROM log") == [])
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.execute(path, "INSERT INTO p VALUES(3, 'c'); UPDATE log SET what = 'seen'")
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT n FROM sum") == [[.integer(3)]])
    #expect(try await rows(path, "SELECT what FROM log") == [[.text("seen")]])
    #expect(try store.said().contains("changed since"))
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE f USING fts5(v, content='t', content_rowid='k')",
    "CREATE VIRTUAL TABLE f USING fts4(content='t', v)",
  ])
  func `An index for searching is kept in step, without a word`(index: String) async throws {
    let isFive = index.contains("fts5")
    let forget =
      isFive
      ? "INSERT INTO f(f, rowid, v) VALUES('delete', old.k, old.v)"
      : "DELETE FROM f WHERE docid = old.k"
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, w);
      \(index);
      CREATE TRIGGER d \(isFive ? "AFTER" : "BEFORE") DELETE ON t BEGIN \(forget); END;
      CREATE TRIGGER i AFTER INSERT ON t BEGIN
        INSERT INTO f(\(isFive ? "rowid" : "docid"), v) VALUES(new.k, new.v); END;
      INSERT INTO t VALUES(1, 'apple', 0), (2, 'pear', 0);
      """)
    let store = try await bench.open(path, "t")
    let find = "SELECT t.k FROM f JOIN t ON t.k = f.rowid WHERE f MATCH 'apple'"
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(try await rows(path, find) == [])
    try await bench.undo(store)
    #expect(try await rows(path, find) == [[.integer(1)]])
    #expect(try store.said() == "")
  }

  @Test func `Rows of a table without rowids come back, and are not counted twice`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(a, b, ts, n, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE TRIGGER u AFTER UPDATE OF n ON t BEGIN
        UPDATE t SET ts = 'NOW' WHERE a = new.a AND b = new.b;
        DELETE FROM t WHERE a = new.a AND b > new.b; END;
      INSERT INTO t VALUES(1, 1, '2001', 0), (1, 'x', '2002', 0), (2, 1, '2003', 0);
      """)
    let before = try await rows(path, "SELECT * FROM t")
    let store = try await bench.open(path, "t")
    let key = EntryKey.composite([.integer(1), .integer(1)])
    try await store.set(.record([.init("ts", .text("2001")), .init("n", .integer(5))]), key)
    #expect(try store.said().contains("1 more row, of \"t\"; undo"))
    #expect(try await rows(path, "SELECT count(*) FROM t") == [[.integer(2)]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM t") == before)
  }

  @Test func `Rows that cannot be recorded are said to stay lost`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v);
      CREATE TABLE c(a, rowid, oid, _rowid_);
      CREATE TRIGGER gone AFTER DELETE ON p BEGIN DELETE FROM c WHERE a = old.id; END;
      INSERT INTO p VALUES(1, 'a'); INSERT INTO c(a) VALUES(1), (1);
      """)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    let said = try store.said()
    #expect(said.contains("2 more rows") && said.contains("does not bring back"))
    try await bench.undo(store)
    #expect(
      try store.said().contains(
        "2 rows that triggers changed along with it are not in the journal, or had to make room "
          + "there, and did not come back"))
  }

  @Test func `Without a journal it is said too`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, v); CREATE TABLE log(n);
      CREATE TRIGGER i AFTER INSERT ON p BEGIN INSERT INTO log VALUES(1); END;
      """)
    let store = try await Stores.store(path, "p")
    try await store.set(.null, .integer(1))
    #expect(try store.said().contains("1 more row"))
  }

  @Test func `A row that somebody else changed is not deleted, whatever triggers would do to it`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TRIGGER chain AFTER DELETE ON t BEGIN UPDATE t SET v = 'x'; END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'c');
      """)
    for store in [try await bench.open(path, "t"), try await Stores.store(path, "t")] {
      let known = try await store.source.getAll(
        EntryPageQuery(limit: 10, detail: .values)
      ).get()
      try await bench.execute(path, "UPDATE t SET v = v || '!' WHERE id = 3")
      let changes = known.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }
      let error = await #expect(throws: StoreError.self) {
        _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
      }
      guard case .conflict(let current) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(current?.key == .integer(3))
      #expect(try await rows(path, "SELECT count(*) FROM t") == [[.integer(3)]])
    }
  }

  /// A table of which each row that goes marks the others, and each change of one adds a row.
  private static let marking = """
    CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 'x');
    CREATE TRIGGER u AFTER UPDATE OF k ON t BEGIN INSERT INTO t VALUES('new ' || new.k, 'n'); END;
    CREATE TRIGGER i AFTER INSERT ON t WHEN new.v = 'y' BEGIN
      INSERT INTO t VALUES('new ' || new.k, 'n'); END;
    CREATE TRIGGER d AFTER DELETE ON t BEGIN UPDATE t SET v = v || '!'; END;
    """

  @Test func `What a trigger makes of a row that is taken back keeps none from that`() async throws
  {
    let path = try await bench.folder.database(Self.marking)
    let store = try await bench.open(path, "t")
    let rename = try #require(try await bench.renaming(store, "a", to: .text("b")))
    _ = try await store.source.put(nil, in: rename).get()
    #expect(try await rows(path, "SELECT count(*) FROM t") == [[.integer(2)]])
    try await bench.undo(store)
    let first = try await rows(path, "SELECT k, v FROM t WHERE k = 'a'")
    #expect(first == [[.text("a"), .text("x")]])
    try await bench.execute(path, "DELETE FROM t WHERE k <> 'a'; UPDATE t SET v = 'x'")
    try await store.set(.text("y"), .text("c"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT k FROM t") == [[.text("a")]])
  }

  @Test func `What others made of a row with triggers is not overwritten by an undo`() async throws
  {
    let path = try await bench.folder.database(Self.marking)
    let store = try await bench.open(path, "t")
    try await store.set(.text("y"), .text("c"))
    try await bench.execute(path, "UPDATE t SET v = 'theirs' WHERE k = 'c'")
    let before = try await rows(path, "SELECT * FROM t")
    let refused = await #expect(throws: StoreError.self) { try await bench.undo(store) }
    guard case .conflict(let current) = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(current?.key == .text("c") && current?.value == .text("theirs"))
    #expect(try await rows(path, "SELECT * FROM t") == before)
  }

  /// Every change of a row deletes what another table holds.
  @Test func `A row that comes back and goes again with the next one is said`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE a(id INTEGER PRIMARY KEY, v); INSERT INTO a VALUES(1, 'precious');
      CREATE TABLE b(id INTEGER PRIMARY KEY, n); INSERT INTO b VALUES(1, 1), (2, 1);
      CREATE TRIGGER u AFTER UPDATE ON b BEGIN
        DELETE FROM a; UPDATE b SET n = n + 1; END;
      """)
    let store = try await bench.open(path, "b")
    try await store.set(.integer(9), .integer(2))
    _ = try store.said()
    try await bench.undo(store)
    let isBack = try await rows(path, "SELECT v FROM a") == [[.text("precious")]]
    #expect(try isBack || store.said().contains("1 of \"a\" is not as it was"))
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE f USING fts5(v, content='t', content_rowid='k')",
    "CREATE VIRTUAL TABLE f USING fts5(v)", "CREATE VIRTUAL TABLE f USING fts4(v)",
  ])
  func `An index for searching that triggers only ever add to is named by an undo`(index: String)
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, w);
      \(index);
      INSERT INTO t VALUES(1, 'apple', 0), (2, 'pear', 0);
      INSERT INTO f(rowid, v) SELECT k, v FROM t;
      CREATE TABLE other(n);
      CREATE TRIGGER u AFTER UPDATE OF v ON t BEGIN
        INSERT INTO f(rowid, v) VALUES((SELECT max(rowid) FROM f_docsize) + 1, new.v); END;
      """)
    let store = try await bench.open(path, "t")
    let row = StoredValue.record([.init("v", .text("plum tree")), .init("w", .integer(0))])
    try await store.set(row, .integer(1))
    _ = try store.said()
    // What others add meanwhile is nobody's fault.
    try await bench.execute(path, "INSERT INTO f(rowid, v) VALUES(100, 'a b c')")
    try await bench.undo(store)
    let said = try store.said()
    #expect(said.contains("\"f\" does not hold the words that it held before"), "\(said)")
  }

  @Test func `An index for searching that triggers keep is not named, whatever others add to it`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, w);
      CREATE VIRTUAL TABLE f USING fts5(v, content='t', content_rowid='k');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(rowid, v) VALUES(new.k, new.v); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN
        INSERT INTO f(f, rowid, v) VALUES('delete', old.k, old.v);
        INSERT INTO f(rowid, v) VALUES(new.k, new.v); END;
      INSERT INTO t VALUES(1, 'apple', 0), (2, 'pear', 0);
      """)
    let store = try await bench.open(path, "t")
    let row = StoredValue.record([.init("v", .text("plum tree")), .init("w", .integer(0))])
    for _ in 0..<2 {
      try await store.set(row, .integer(1))
      try await bench.execute(path, "INSERT INTO t SELECT max(k) + 1, 'a b c', 0 FROM t")
      try await bench.undo(store)
      #expect(try store.said() == "")
    }
  }
}
