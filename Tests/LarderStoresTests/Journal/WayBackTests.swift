import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import TestPrograms
import Testing

/// Rows that their own table would not take today.
struct WayBackTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// A schema under which a row came to be that it would refuse, and what it refuses it with.
  struct Schema: Sendable, CustomTestStringConvertible {
    let name: String
    let sql: String
    var reason = ""

    var testDescription: String { name }

    /// Rows of a table that is declared otherwise afterwards.
    static func edited(_ name: String, _ columns: String, _ value: String, _ reason: String) -> Self
    {
      Schema(
        name: name,
        sql: """
          CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', \(value)), ('b', 'x');
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE TABLE t(k TEXT PRIMARY KEY, \(columns)' WHERE name = 't';
          """, reason: reason)
    }
  }

  static let restorable = [
    Schema(
      name: "a check",
      sql: """
        CREATE TABLE t(k TEXT PRIMARY KEY, v CHECK (v < 10)); PRAGMA ignore_check_constraints = ON;
        INSERT INTO t VALUES('a', 50), ('b', 5);
        """),
    .edited("a check by a function of the program", "v CHECK (known(v)))", "50", ""),
  ]

  static let lost = [
    Schema(
      name: "a trigger",
      sql: """
        CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 50), ('b', 'x');
        CREATE TRIGGER no BEFORE INSERT ON t BEGIN SELECT RAISE(ABORT, 'closed for good'); END;
        """, reason: "closed for good"),
    Schema(
      name: "a trigger with a function of the program",
      sql: """
        CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 50), ('b', 'x');
        CREATE TRIGGER no BEFORE INSERT ON t BEGIN SELECT known(new.v); END;
        """, reason: "known"),
    Schema(
      name: "what a trigger would add twice",
      sql: """
        CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE log(k TEXT PRIMARY KEY);
        CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.k); END;
        INSERT INTO t VALUES('a', 50), ('b', 'x');
        """, reason: "UNIQUE constraint failed: log.k"),
    Schema(
      name: "a row that goes along, against a trigger",
      sql: """
        CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 50), ('b', 'x');
        CREATE TABLE c(id INTEGER PRIMARY KEY, k REFERENCES t(k) ON DELETE CASCADE);
        INSERT INTO c VALUES(1, 'a');
        CREATE TRIGGER no BEFORE INSERT ON c BEGIN SELECT RAISE(ABORT, 'no kids'); END;
        """, reason: "no kids"),
    .edited("a number in a column of text", "v TEXT)", "50", "the text \"50\""),
    .edited("a null", "v NOT NULL)", "NULL", "NOT NULL"),
    .edited("a strict table", "v TEXT) STRICT", "50", "TEXT"),
  ]

  @Test(arguments: restorable, [false, true])
  func `What a check stands against comes back all the same`(
    schema: Schema, byPrefix: Bool
  ) async throws {
    let (_, store, before) = try await opened(schema)
    try await delete(byPrefix, store)
    #expect(try await bench.contents(store)[.text("a")] == nil)
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
    // Checks count again afterwards.
    await #expect(throws: (any Error).self) {
      try await bench.put(store, .text("c"), .integer(60))
    }
  }

  @Test(arguments: lost, [false, true])
  func `What could not be brought back is not deleted, and the reason is said`(
    schema: Schema, byPrefix: Bool
  ) async throws {
    let (path, store, before) = try await opened(schema)
    let error = await #expect(throws: StoreError.self) { try await delete(byPrefix, store) }
    let message = error?.message ?? ""
    #expect(message.contains(schema.reason), "\(message)")
    #expect(message.contains("nothing was deleted. --no-journal"), "\(message)")
    #expect(try await bench.contents(store) == before)
    #expect(try await bench.journal.steps().isEmpty)
    // Without a journal nobody asks for a way back.
    let other = try await Stores.open(StoreLocation(path: path), journal: nil).store("t")
    try await delete(byPrefix, other)
    #expect(try await bench.contents(store)[.text("a")] == nil)
  }

  @Test func `What only comes back in its own order is deleted, and comes back`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, up TEXT);
      INSERT INTO t VALUES('p/z', NULL), ('p/a', 'p/z'), ('p/b', 'p/a'), ('q', NULL);
      CREATE TRIGGER parent BEFORE INSERT ON t
        WHEN new.up IS NOT NULL AND NOT EXISTS (SELECT 1 FROM t WHERE k = new.up)
        BEGIN SELECT RAISE(ABORT, 'no parent'); END;
      """)
    let store = try await bench.open(path, "t")
    let before = try await bench.contents(store)
    let parent = PrefixQuery("p/b")
    try await store.source.delete(parent).get()
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
    // In the order of keys the child comes before its parent, and backwards too.
    let keys: [EntryKey] = [.text("p/a"), .text("p/b")]
    try await store.source.delete(IdsQuery(keys.map { $0.notation(.text) })).get()
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
  }

  @Test func `What only adds rows is made, whoever keeps them from going`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE audit(v); INSERT INTO t VALUES('a', 1);
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO audit VALUES(new.v); END;
      CREATE TRIGGER keep BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'for good'); END;
      CREATE TRIGGER stay BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'for good'); END;
      """)
    let store = try await bench.open(path, "t")
    try await bench.put(store, .text("a"), .integer(2))
    try await bench.put(store, .text("b"), .integer(3))
    #expect(try await bench.contents(store) == [.text("a"): .integer(2), .text("b"): .integer(3)])
  }

  @Test func `An undo lets no trigger refer to what is not there`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE q(id PRIMARY KEY);
      CREATE TABLE log(v REFERENCES q(id)); INSERT INTO t VALUES('a', '1');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.v); END;
      """)
    let store = try await bench.open(path, "t")
    let error: (any Error)?
    do {
      try await store.source.delete(EntryQuery(.text("a"))).get()
      try await bench.undo(store)
      error = nil
    } catch let refusal {
      error = refusal
    }
    #expect(error != nil)
    let broken = try await SQLiteConnection(path: path, access: .reading).perform {
      try $0.rows("PRAGMA foreign_key_check").count
    }
    #expect(broken == 0)
  }

  @Test func `What could not be brought back is not written over`() async throws {
    let schema = try #require(Self.lost.first { $0.name == "a number in a column of text" })
    let store = try await bench.open(database(schema), "t")
    let error = await #expect(throws: StoreError.self) {
      try await bench.put(store, .text("a"), .text("y"))
    }
    #expect(error?.message.contains("nothing was written. --no-journal") == true)
    #expect(try await store.value(.text("a")) == .integer(50))
    // Another row is as it has to be.
    try await bench.put(store, .text("b"), .text("y"))
    try await bench.undo(store)
    #expect(try await store.value(.text("b")) == .text("x"))
  }

  /// The table of a schema, with what is in it.
  private func opened(
    _ schema: Schema
  ) async throws -> (path: String, store: Store, before: [EntryKey: StoredValue]) {
    let path = try database(schema)
    let store = try await bench.open(path, "t")
    let before = try await bench.contents(store)
    #expect(before.count == 2)
    return (path, store, before)
  }

  /// A database as a program makes it that may do anything to its own.
  private func database(_ schema: Schema) throws -> String {
    let path = bench.folder.file("test.db")
    let outcome = try ProgramOutcome(running: ["sqlite3", "-bail", path, schema.sql])
    #expect(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
    return path
  }

  private func delete(_ byPrefix: Bool, _ store: Store) async throws {
    let query: any Query = byPrefix ? PrefixQuery("a") : EntryQuery(.text("a"))
    try await store.source.delete(query).get()
  }
}
