import Foundation
import Testing

/// Reports about databases with triggers and constraints.
@Suite struct TriggerReportTests {
  private let scratch: Scratch
  private var state: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }

  init() throws {
    scratch = try Scratch()
  }

  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: state)
  }

  @Test func `Side effects of triggers are reported and undone with the change`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, v);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p);
      CREATE TRIGGER gone AFTER DELETE ON p BEGIN DELETE FROM c WHERE p = old.id; END;
      INSERT INTO p VALUES (1, 'a'); INSERT INTO c VALUES (10, 1), (11, 1);
      """)
    let removed = try larder("rm", "\(database)#p", "1", "--json")
    #expect(removed.code == 0)
    #expect(removed.lines.count == 1)
    #expect(removed.errors.contains("2 rows in “c”"), "\(removed.errors)")
    #expect(removed.errors.contains("undo"))
    #expect(try scratch.query(database, "SELECT * FROM c") == [])
    #expect(try larder("undo").code == 0)
    #expect(try scratch.query(database, "SELECT id || ',' || p FROM c") == ["10,1", "11,1"])
    let again = try larder("rm", "\(database)#p", "1", "--no-journal")
    #expect(again.errors.contains("2 rows in “c”"))
    #expect(!again.errors.contains("undo"))
  }

  @Test func `A value that a trigger changes is reported`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT);
      CREATE TRIGGER up AFTER UPDATE ON kv WHEN new.v <> upper(new.v)
        BEGIN UPDATE kv SET v = upper(new.v) WHERE k = new.k; END;
      INSERT INTO kv VALUES ('a', 'x');
      """)
    let changed = try larder("put", database, "a", "secret", "--json")
    #expect(changed.code == 0)
    #expect(changed.text.contains(#""remarks":["#) && !changed.errors.isEmpty)
    #expect(!changed.errors.lowercased().contains("secret"))
    #expect(try scratch.query(database, "SELECT v FROM kv") == ["SECRET"])
    let kept = try larder("put", database, "a", "PLAIN", "--json")
    #expect(kept.code == 0)
    #expect(!kept.text.contains(#""remarks""#) && kept.errors.isEmpty, "\(kept.errors)")
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `A key that a trigger changes is reported with the actual key`(options: [String])
    throws
  {
    let database = try scratch.database(
      """
      CREATE TABLE kv (key TEXT UNIQUE, value TEXT);
      CREATE TRIGGER low AFTER INSERT ON kv WHEN new.key <> lower(new.key)
        BEGIN UPDATE kv SET key = lower(new.key) WHERE key = new.key; END;
      """)
    let put = try Shell.run(
      Shell.larder, ["put", database, "NAME", "v", "--json"] + options, environment: state)
    #expect(put.code == 0)
    #expect(put.text.contains(#""key":"name""#) && put.text.contains(#""remarks":["#))
    #expect(put.errors.contains("name"), "\(put.errors)")
    let kept = try Shell.run(
      Shell.larder, ["put", database, "other", "v", "--json"] + options, environment: state)
    #expect(kept.code == 0 && kept.errors.isEmpty, "\(kept.errors)")
  }

  @Test func `A duplicate unique value is refused with the key of the other row`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE u (id TEXT PRIMARY KEY, mail TEXT COLLATE NOCASE UNIQUE, a INT, b INT, UNIQUE (a, b));
      INSERT INTO u VALUES ('first', 'x@y', 1, 2), ('second', 'p@q', 3, 4);
      """)
    for (key, row, owner) in [
      ("second", #"{"mail": "X@Y"}"#, "first"), ("first", #"{"a": 3, "b": 4}"#, "second"),
      ("third", #"{"mail": "n", "a": 1, "b": 2}"#, "first"),
    ] {
      let put = try larder("put", database, key, row)
      #expect(put.code == 3 && put.errors.contains(owner), "\(put.errors)")
    }
    #expect(try scratch.query(database, "SELECT count(*) FROM u") == ["2"])
  }

  @Test func `A key that is not a number is refused with advice`() throws {
    let database = try scratch.database("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    let put = try larder("put", database, "text-key", "x")
    #expect(put.code == 5)
    #expect(put.errors.contains("INTEGER") && put.errors.contains(" id"), "\(put.errors)")
    #expect(!put.errors.contains("mismatch"))
  }

  @Test func `A failing trigger that names a missing table is reported as the cause`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, v);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO nowhere VALUES (1); END;
      """)
    let put = try larder("put", database, "k", "x")
    #expect(put.code == 3)
    #expect(put.errors.contains("nowhere") && put.errors.contains("trigger"))
    #expect(put.errors.contains("nothing was written"))
  }

  @Test func `A change that cannot be one transaction is not called read-only`() throws {
    let file = try scratch.file("a.json", #"{"b": [{"x": 1}, {"x": 2}]}"#.utf8)
    let refused = try larder("rm", file, "/b/0", "/b/1/x")
    #expect(refused.code == 3)
    #expect(refused.errors.contains("together with"))
  }

  /// Makes a database in which changes of `p` change `c`.
  private func watched() throws -> String {
    try scratch.database(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, v);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p);
      CREATE TRIGGER a AFTER INSERT ON p BEGIN INSERT INTO c VALUES (new.id, new.id); END;
      CREATE TRIGGER b AFTER DELETE ON p BEGIN DELETE FROM c WHERE p = old.id; END;
      CREATE TRIGGER d AFTER UPDATE OF id ON p BEGIN UPDATE c SET p = new.id WHERE p = old.id; END;
      """)
  }

  /// Returns the warnings in each object that a command prints.
  private func warnings(_ words: String..., input: String = "") throws -> [[String]?] {
    let outcome = try Shell.run(
      Shell.larder, words + ["--json"], input: Array(input.utf8), environment: state)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
      return try #require(object)["remarks"] as? [String]
    }
  }

  @Test func `Side effects of triggers are in the JSON output`() throws {
    let database = try watched()
    let table = "\(database)#p"
    let lines = "{\"key\":2,\"value\":1}\n{\"key\":3,\"value\":1}\n"
    let one = "1 row in “c”"
    let put = try warnings("put", table, "1", "x")
    #expect(put.count == 1 && put.first??.first?.contains(one) == true, "\(put)")
    #expect(put.first??.count == 1)
    let imported = try warnings("import", table, input: lines)
    #expect(imported.count == 1, "\(imported)")
    #expect(imported.last??.first?.contains("2 rows in “c”") == true, "\(imported)")
    let moved = try warnings("mv", table, "3", "4")
    #expect(moved.count == 1 && moved.last??.first?.contains(one) == true, "\(moved)")
    let removed = try warnings("rm", table, "1", "2")
    #expect(removed.count == 2 && removed.first == .some(nil), "\(removed)")
    #expect(removed.last??.count == 1, "\(removed)")
    #expect(removed.last??.first?.contains("2 rows in “c”") == true, "\(removed)")
    _ = try scratch.query(database, "DELETE FROM c")
    #expect(try warnings("rm", table, "4") == [nil])
    let undone = try warnings("undo", database)
    #expect(undone == [nil])
    #expect(try warnings("redo", database) == [nil])
    #expect(try warnings("put", table, "8", "x") == put)
    #expect(try warnings("undo", database) == [nil])
    #expect(try warnings("redo", database) == put)
    // Without warnings the member is absent.
    #expect(try warnings("put", "\(database)#c", "9", "1") == [nil])
    #expect(try warnings("put", "\(database)#c", "9", "2") == [nil])
  }

  @Test(arguments: [["x"], ["--prefix", "x"], ["x", "x2"]])
  func `A dry run of a deletion reports side effects, and so does a redo`(
    words: [String]
  ) throws {
    let database = try scratch.database(
      """
      CREATE TABLE p (k TEXT PRIMARY KEY, v);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p(k) ON DELETE CASCADE);
      INSERT INTO p VALUES ('x', 1), ('x2', 2); INSERT INTO c VALUES (1, 'x'), (2, 'x');
      """)
    let before = try Data(contentsOf: URL(filePath: database))
    let call = ["rm", "\(database)#p"] + words + ["--json"]
    func run(_ words: [String]) throws -> Outcome {
      try Shell.run(Shell.larder, words, environment: state)
    }
    let dry = try run(call + ["--dry-run"])
    #expect(dry.code == 0)
    #expect(dry.lines.last?.contains("2 rows in “c”") == true, "\(dry.text)")
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
    let removed = try run(call + ["--yes"])
    #expect(removed.lines.count == dry.lines.count)
    #expect(removed.errors.contains("2 rows in “c”"))
    #expect(try larder("undo").code == 0)
    let redone = try warnings("redo", database)
    let said = removed.errors.split(separator: "\n").first { $0.contains("2 rows") }
    #expect(redone.first??.first.map { "larder: \($0)" } == said.map(String.init))
  }

  @Test(arguments: [["a"], ["b"], ["a", "d"], ["b", "d"], ["--prefix", "b"]])
  func `A dry run of a deletion is refused like the deletion`(words: [String]) throws {
    let database = try scratch.database(
      """
      CREATE TABLE p (k TEXT PRIMARY KEY, v);
      CREATE TABLE c (p REFERENCES p(k) ON DELETE RESTRICT);
      CREATE TABLE l (p REFERENCES p(k) DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO p VALUES ('a', 1), ('b', 2), ('d', 3);
      INSERT INTO c VALUES ('a'); INSERT INTO l VALUES ('b');
      """)
    for journal in [[], ["--no-journal"]] {
      let call = ["rm", "\(database)#p"] + words + journal
      let dry = try Shell.run(Shell.larder, call + ["--dry-run"], environment: state)
      let removed = try Shell.run(Shell.larder, call + ["--yes"], environment: state)
      #expect(removed.code == 3, "\(removed.errors)")
      #expect(dry.code == removed.code && dry.lines == [], "\(dry.errors)")
      #expect(try scratch.query(database, "SELECT count(*) FROM p") == ["3"])
    }
  }

  @Test func `A value stored as another type is reported in the JSON output`() throws {
    let file = try scratch.file("bytes", [0xFF, 0x00])
    let database = try scratch.database("CREATE TABLE t (k TEXT PRIMARY KEY, v)")
    let put = try warnings("put", database, "k", "--file", file)
    #expect(put.count == 1 && put.last??.count == 1, "\(put)")
    #expect(put.last??.first?.contains("stored as data") == true, "\(put)")
  }

  /// Triggers by which a deletion changes, deletes or rekeys another row.
  private static let chains = [
    "UPDATE t SET v = v || '!' WHERE id = old.id + 2", "DELETE FROM t WHERE id = old.id + 2",
    "UPDATE t SET id = id + 100 WHERE id = old.id + 2",
  ]

  @Test(arguments: chains)
  func `Named rows are deleted even if a trigger changes one of them`(
    action: String
  ) throws {
    let rows = ["1|a", "2|b", "3|c", "4|d"]
    for words in [["1", "3"], ["3", "1"]] {
      let database = try scratch.database(
        "\(words[0]).db",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, v);
        INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
        CREATE TRIGGER chain AFTER DELETE ON t BEGIN \(action); END;
        """)
      let removed = try Shell.run(
        Shell.larder, ["rm", database] + words, environment: state)
      #expect(removed.code == 0, "\(removed.errors)")
      let ids = try scratch.query(database, "SELECT id FROM t WHERE id IN (1, 3)")
      #expect(ids == [])
      let undone = try larder("undo", database)
      #expect(undone.code == 0, "\(undone.errors)")
      #expect(try scratch.query(database, "SELECT * FROM t ORDER BY id") == rows)
      #expect(try larder("redo", database).code == 0)
      #expect(try scratch.query(database, "SELECT id FROM t WHERE id IN (1, 3)") == [])
      #expect(try larder("undo", database).code == 0)
      #expect(try scratch.query(database, "SELECT * FROM t ORDER BY id") == rows)
    }
  }

  @Test func `Rows that a trigger changes are deleted without a journal, too`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      INSERT INTO t VALUES (1, 'a'), (3, 'c');
      CREATE TRIGGER chain AFTER DELETE ON t BEGIN UPDATE t SET v = 'x'; END;
      """)
    let removed = try larder("rm", database, "1", "3", "--no-journal")
    #expect(removed.code == 0, "\(removed.errors)")
    #expect(try scratch.query(database, "SELECT * FROM t") == [])
  }

  @Test(arguments: ["k TEXT PRIMARY KEY", "k INTEGER PRIMARY KEY"])
  func `An error of a trigger is reported with the database's message`(key: String) throws {
    let database = try scratch.database(
      """
      CREATE TABLE t (\(key), v); CREATE TABLE n (id INTEGER PRIMARY KEY);
      INSERT INTO t VALUES (1, 'a');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO n VALUES (new.v); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO n VALUES (new.v); END;
      """)
    let (old, new) = key.contains("TEXT") ? ("\"1\"", "\"2\"") : ("1", "2")
    for words in [["put", "\(database)#t", "7", "x"], ["mv", "\(database)#t", old, new]] {
      let outcome = try Shell.run(Shell.larder, words, environment: state)
      #expect(outcome.code == 5)
      #expect(
        outcome.errors.contains("the database rejected the change: datatype mismatch"),
        "\(outcome.errors)")
      #expect(!outcome.errors.contains("INTEGER"))
    }
    #expect(try scratch.query(database, "SELECT k || v FROM t") == ["1a"])
  }

  @Test func `A new key that is not a number is refused as such`() throws {
    let database = try scratch.database(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')")
    let moved = try larder("mv", database, "1", "x")
    #expect(moved.code == 5)
    #expect(moved.errors.contains("INTEGER") && moved.errors.contains(" id"), "\(moved.errors)")
    #expect(try larder("mv", database, "1", "\"12\"").code == 0)
    #expect(try scratch.query(database, "SELECT id FROM t") == ["12"])
  }
}
