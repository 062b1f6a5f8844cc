@testable import HarmonySQLite
import HarmonyTesting
import Testing

/// Recording, undoing and redoing changes in tables of all kinds.
struct ChangesetTests {
  /// Returns the contents of the database: all rows of ordinary tables with rowids and types.
  private static func dump(_ session: SQLiteSession) throws -> [String: [[SQLiteValue]]] {
    var dump: [String: [[SQLiteValue]]] = [:]
    for row in try session.rows(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"
    ) {
      guard case .text(let name) = row[0] else { continue }
      let rowid = row[1] == .integer(0) && !name.hasPrefix("sqlite_") ? "rowid, " : ""
      dump[name] = try session.rows(
        "SELECT \(rowid)* FROM \(SQLiteIdentifier.quoted(name)) ORDER BY 1, 2")
    }
    dump["sqlite_schema"] = nil
    return dump
  }

  /// Makes a change, undoes it and redoes it, and compares all three states.
  @Test(arguments: [
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1), ('b', 2)",
      "UPDATE t SET v = 3 WHERE k = 'a'; DELETE FROM t WHERE k = 'b'; INSERT INTO t VALUES('c', x'00ff')"
    ),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t(rowid, k, v) VALUES(42, 'a', 1)",
      "DELETE FROM t"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES(NULL, 1), (NULL, 2)",
      "DELETE FROM t WHERE v = 1; UPDATE t SET v = 5"),
    Trial(
      "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2), (1, 2)", "DELETE FROM t WHERE rowid = 1"),
    Trial(
      "CREATE TABLE t(k PRIMARY KEY, v UNIQUE); INSERT INTO t VALUES('a', 1), ('b', 2)",
      "UPDATE t SET v = 3 WHERE k = 'a'; UPDATE t SET v = 1 WHERE k = 'b'; UPDATE t SET v = 2 WHERE k = 'a'"
    ),
    Trial(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 'x'), (2, 'y')",
      "UPDATE t SET id = id + 10; INSERT INTO t VALUES(1, 'z')"),
    Trial(
      "CREATE TABLE t(g AS (k || '!'), k TEXT PRIMARY KEY, s AS (v * 2) STORED, v REAL); INSERT INTO t(k, v) VALUES('a', 1), ('b', 2.5)",
      "DELETE FROM t WHERE k = 'a'; UPDATE t SET v = 7"),
    Trial(
      "CREATE TABLE t(g AS (v || '?'), k TEXT, v REAL, PRIMARY KEY(k)) WITHOUT ROWID; INSERT INTO t(k, v) VALUES('a', 1), ('b', 2)",
      "UPDATE t SET v = 3; DELETE FROM t WHERE k = 'b'; UPDATE t SET k = 'c'"),
    Trial(
      "CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES('a', 1)",
      "UPDATE t SET k = 'A'"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1); ALTER TABLE t ADD COLUMN d TEXT DEFAULT 'dflt'; ALTER TABLE t ADD COLUMN e REAL NOT NULL DEFAULT 7; INSERT INTO t VALUES('b', 2, NULL, 8)",
      "DELETE FROM t"),
    Trial(
      "CREATE TABLE t(g AS (v), k TEXT PRIMARY KEY, v REAL); INSERT INTO t VALUES('a', 1); ALTER TABLE t ADD COLUMN d INT DEFAULT 5",
      "UPDATE t SET d = 6; DELETE FROM t"),
    Trial(
      "CREATE TABLE t(k TEXT, v INT, PRIMARY KEY(v, k)) WITHOUT ROWID; INSERT INTO t VALUES('a', 1); ALTER TABLE t ADD COLUMN d DEFAULT 'x'",
      "UPDATE t SET v = 2; DELETE FROM t"),
    Trial(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t(v) VALUES(1)",
      "INSERT INTO t(v) VALUES(2); DELETE FROM t WHERE id = 2; INSERT INTO t(v) VALUES(3)"),
    Trial("CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v)", "INSERT INTO t(v) VALUES(2)"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1); ALTER TABLE t ADD COLUMN s TEXT DEFAULT \"new\"; ALTER TABLE t ADD COLUMN n DEFAULT (1 -- one\n)",
      "UPDATE t SET v = 2"),
    Trial(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t VALUES(1, 'a'); UPDATE t SET id = 77",
      "DELETE FROM t"),
    Trial(
      "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE); INSERT INTO p VALUES(1), (2); INSERT INTO c VALUES(1, 1), (2, 1), (3, 2)",
      "DELETE FROM p WHERE id = 1; UPDATE p SET id = 9"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v, n DEFAULT 0); CREATE TABLE log(a, b); CREATE TRIGGER tu AFTER UPDATE OF v ON t BEGIN UPDATE t SET n = n + 1 WHERE k = new.k; INSERT INTO log VALUES(old.v, new.v); END; CREATE TRIGGER td AFTER DELETE ON t BEGIN INSERT INTO log VALUES(old.k, 'gone'); INSERT INTO t VALUES(old.k || '~', 0, 0); END; INSERT INTO t(k, v) VALUES('a', 1)",
      "UPDATE t SET v = 2; DELETE FROM t WHERE k = 'a'"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v CHECK(v < 10)); PRAGMA ignore_check_constraints = 1; INSERT INTO t VALUES('a', 99); PRAGMA ignore_check_constraints = 0",
      "UPDATE t SET v = 1"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY ON CONFLICT REPLACE, v UNIQUE ON CONFLICT REPLACE); INSERT INTO t VALUES('a', 1), ('b', 2)",
      "INSERT INTO t VALUES('a', 2)"),
    Trial(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body); CREATE VIRTUAL TABLE idx USING fts5(body, content=docs, content_rowid=id); CREATE TRIGGER ai AFTER INSERT ON docs BEGIN INSERT INTO idx(rowid, body) VALUES(new.id, new.body); END; CREATE TRIGGER ad AFTER DELETE ON docs BEGIN INSERT INTO idx(idx, rowid, body) VALUES('delete', old.id, old.body); END; CREATE TRIGGER au AFTER UPDATE ON docs BEGIN INSERT INTO idx(idx, rowid, body) VALUES('delete', old.id, old.body); INSERT INTO idx(rowid, body) VALUES(new.id, new.body); END; INSERT INTO docs VALUES(1, 'one two'), (2, 'two three')",
      "UPDATE docs SET body = 'four' WHERE id = 1; DELETE FROM docs WHERE id = 2; INSERT INTO docs VALUES(3, 'three four')"
    ),
    Trial(
      "CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES(1, 0, 1), (2, 5, 6); CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1); CREATE TRIGGER u AFTER UPDATE ON t BEGIN UPDATE r SET b = 50 WHERE id = 2; DELETE FROM r WHERE id = 1; END",
      "UPDATE t SET v = 2"),
    Trial(
      "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES(CAST(x'00d8' AS TEXT), 'h\u{E4}'), ('b', '\u{1F600}')",
      "DELETE FROM t"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT); INSERT INTO t VALUES('a', CAST(x'ff41' AS TEXT)), ('b', '')",
      "DELETE FROM t"),
    Trial(
      "CREATE TABLE s(k TEXT PRIMARY KEY, i INT, r REAL, a ANY) STRICT; INSERT INTO s VALUES('a', 1, 2, '3'); ALTER TABLE s ADD COLUMN z REAL DEFAULT 4",
      "DELETE FROM s"),
    Trial(
      "CREATE TABLE rowid(rowid INTEGER PRIMARY KEY, v); INSERT INTO rowid VALUES(3, 'x')",
      "DELETE FROM rowid"),
    Trial(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3)",
      "DELETE FROM t; INSERT INTO t VALUES('b', 2)"),
  ])
  func everyStateComesBackExactly(_ trial: Trial) async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let before = try await connection.perform { session in
      try session.execute(trial.schema)
      return try Self.dump(session)
    }
    let (after, bytes) = try await connection.perform { session in
      let (_, recording) = try session.write {
        try session.recordingChanges(limit: 1 << 20) {
          for sql in trial.change.split(separator: ";") { try session.run(String(sql)) }
        }
      }
      let changeset = try #require(recording?.changeset)
      #expect(try session.wasMade(changeset) == true)
      return (try Self.dump(session), changeset.encoded)
    }
    #expect(after != before)
    let changeset = try #require(SQLiteChangeset(encoded: bytes))
    for direction in [SQLiteChangeset.Direction.revert, .reapply, .revert] {
      let conflicts = try await connection.perform { session in
        try session.writeAsIs { try session.apply(changeset, direction) }
      }
      #expect(conflicts.isEmpty)
      let found = try await connection.perform { session in
        // The check also reports existing rows that violate a CHECK constraint.
        #expect(
          try session.rows("PRAGMA integrity_check") == [[.text("ok")]]
            || trial.schema.contains("ignore_check_constraints"))
        #expect(try session.rows("PRAGMA foreign_key_check").isEmpty)
        return try Self.dump(session)
      }
      #expect(found == (direction == .revert ? before : after))
    }
  }

  /// A schema with its rows, and statements that change them.
  struct Trial: Sendable, CustomTestStringConvertible {
    let schema: String
    let change: String

    init(_ schema: String, _ change: String) {
      self.schema = schema
      self.change = change
    }

    var testDescription: String { "\(schema) – \(change)" }
  }

  private static let rows =
    "CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE log(id INTEGER PRIMARY KEY, v); "
    + "CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO log(v) VALUES(new.v); END; "
    + "INSERT INTO t VALUES('a', 1), ('b', 2)"

  /// Records `change` over ``rows``, runs `since`, and undoes the change.
  private func reverting(
    _ change: String, after since: String
  ) async throws -> (conflicts: [SQLiteChangesetConflict], rows: [[SQLiteValue]]) {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    return try await connection.perform { session in
      try session.execute(Self.rows)
      let (_, recording) = try session.write {
        try session.recordingChanges(limit: 1 << 20) { try session.run(change) }
      }
      let changeset = try #require(recording?.changeset)
      try session.execute(since)
      let conflicts = try session.writeAsIs { try session.apply(changeset, .revert) }
      return (conflicts, try session.rows("SELECT * FROM t ORDER BY k"))
    }
  }

  @Test func `A row changed since by another program is a conflict`() async throws {
    await #expect(throws: SQLiteChangesetConflict.self) {
      try await self.reverting(
        "UPDATE t SET v = 5 WHERE k = 'a'", after: "UPDATE t SET v = 6 WHERE k = 'a'")
    }
  }

  @Test func `A side effect changed since by another program stays`() async throws {
    let (conflicts, rows) = try await reverting(
      "UPDATE t SET v = 5 WHERE k = 'a'", after: "UPDATE log SET v = 'mine'")
    #expect(conflicts.map(\.table) == ["log"])
    #expect(conflicts.map(\.reason) == [.rowChanged])
    #expect(rows == [[.text("a"), .integer(1)], [.text("b"), .integer(2)]])
  }

  @Test func `Columns added since keep their values`() async throws {
    let (conflicts, rows) = try await reverting(
      "UPDATE t SET v = 5 WHERE k = 'a'",
      after:
        "ALTER TABLE t ADD COLUMN n DEFAULT 7; DROP TRIGGER u; UPDATE t SET n = 8 WHERE k = 'a'")
    #expect(conflicts.isEmpty)
    #expect(rows.first == [.text("a"), .integer(1), .integer(8)])
  }

  @Test func `A row whose key is restored keeps the values of columns added since`() async throws {
    let (conflicts, rows) = try await reverting(
      "UPDATE t SET k = 'c' WHERE k = 'a'",
      after: "ALTER TABLE t ADD COLUMN n DEFAULT 7; DROP TRIGGER u; UPDATE t SET n = 8")
    #expect(conflicts.isEmpty)
    #expect(rows.first == [.text("a"), .integer(1), .integer(8)])
  }

  @Test func `A row with a value in a column added since is not removed`() async throws {
    await #expect(throws: SQLiteChangesetConflict.self) {
      try await self.reverting(
        "INSERT INTO t VALUES('c', 3)",
        after: "ALTER TABLE t ADD COLUMN n DEFAULT 7; UPDATE t SET n = 8 WHERE k = 'c'")
    }
    let (_, rows) = try await reverting(
      "INSERT INTO t VALUES('c', 3)", after: "ALTER TABLE t ADD COLUMN n DEFAULT 7")
    #expect(rows.count == 2)
  }

  /// A change in a table with a full-text index to which another program has added.
  @Test(arguments: ["content=docs, content_rowid=id", "detail=full"])
  func `An index to which another program has added is rebuilt`(_ option: String) async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let changeset = try await connection.perform { session in
      try session.execute(
        """
        CREATE TABLE docs(id INTEGER PRIMARY KEY, body);
        CREATE VIRTUAL TABLE words USING fts5(body, \(option));
        CREATE TRIGGER i AFTER INSERT ON docs BEGIN
          INSERT INTO words(rowid, body) VALUES(new.id, new.body); END;
        INSERT INTO docs VALUES(1, 'one'), (2, 'two');
        """)
      let (_, recording) = try session.write {
        try session.recordingChanges(limit: 1 << 20) {
          try session.run("INSERT INTO docs VALUES(3, 'three')")
        }
      }
      try session.run("INSERT INTO docs VALUES(4, 'four')")
      return try #require(recording?.changeset)
    }
    let conflicts = try await connection.perform { session in
      try session.writeAsIs { try session.apply(changeset, .revert) }
    }
    #expect(conflicts.isEmpty)
    try await connection.perform { session in
      try session.run("INSERT INTO words(words) VALUES('integrity-check')")
      for (word, found) in [("three", []), ("four", [[.integer(4)]]), ("one", [[.integer(1)]])]
        as [(String, [[SQLiteValue]])]
      {
        #expect(
          try session.rows("SELECT rowid FROM words WHERE words MATCH ?", [.text(word)]) == found)
      }
    }
  }

  @Test func `Rows keep their rowids if these are free`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let (conflicts, rows) = try await connection.perform { session in
      try session.execute("CREATE TABLE t(v); INSERT INTO t VALUES('a'), ('b'), ('c'), ('d')")
      let (_, recording) = try session.write {
        try session.recordingChanges(limit: 1 << 20) {
          try session.run("DELETE FROM t WHERE rowid > 1")
        }
      }
      let changeset = try #require(recording?.changeset)
      try session.run("INSERT INTO t VALUES('new')")
      let conflicts = try session.writeAsIs { try session.apply(changeset, .revert) }
      return (conflicts, try session.rows("SELECT rowid, v FROM t ORDER BY rowid"))
    }
    #expect(conflicts.map(\.reason) == [.rowidTaken])
    #expect(
      rows == [
        [.integer(1), .text("a")], [.integer(2), .text("new")], [.integer(3), .text("c")],
        [.integer(4), .text("d")], [.integer(5), .text("b")],
      ])
  }

  @Test func sideEffectsAreCountedByTable() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let found = try await connection.perform { session in
      try session.execute(Self.rows)
      return try [nil, 1 << 20, 10].map { limit in
        let (_, recording) = try session.write {
          try session.recordingChanges(limit: limit) { try session.run("UPDATE t SET v = v + 1") }
        }
        return try #require(recording)
      }
    }
    #expect(found.prefix(2).map(\.sideEffects) == Array(repeating: ["log": 2], count: 2))
    // No changeset is stored without a limit, or if the limit is too small.
    #expect(found.map { $0.changeset == nil } == [true, false, true])
  }

  @Test(arguments: [nil, 1 << 20])
  func `Rows that side effects leave unchanged are not counted`(limit: Int?) async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let found = try await connection.perform { session in
      try session.execute(
        """
        CREATE TABLE t(k INTEGER PRIMARY KEY, v REAL); INSERT INTO t VALUES(1, 1), (2, 2);
        CREATE TABLE s(k INTEGER PRIMARY KEY, n REAL, v); INSERT INTO s VALUES(1, 5, 'x'), (2, 0, 'y');
        CREATE TABLE passing(k);
        CREATE TRIGGER sum AFTER UPDATE ON t BEGIN
          UPDATE s SET n = n + new.v - old.v WHERE k = 1;
          UPDATE s SET v = upper(v) WHERE k = 2;
          INSERT INTO passing VALUES(1); DELETE FROM passing;
        END;
        """)
      return try ["UPDATE t SET v = v WHERE k = 1", "UPDATE t SET v = 9 WHERE k = 2"].map { sql in
        let (_, recording) = try session.write {
          try session.recordingChanges(limit: limit) { try session.run(sql) }
        }
        return try #require(recording).sideEffects
      }
    }
    #expect(found == [["s": 1], ["s": 1]])
  }

  @Test func `Truncated bytes are not a changeset`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let bytes = try await connection.perform { session in
      try session.execute(Self.rows)
      let (_, recording) = try session.write {
        try session.recordingChanges(limit: 1 << 20) { try session.run("UPDATE t SET v = v + 1") }
      }
      return try #require(recording?.changeset).encoded
    }
    for length in 0..<bytes.count {
      #expect(SQLiteChangeset(encoded: Array(bytes.prefix(length))) == nil)
    }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      var damaged = bytes
      damaged[Int.random(in: damaged.indices, using: &random)] = .random(
        in: 0...255, using: &random)
      _ = SQLiteChangeset(encoded: damaged)
    }
  }
}
