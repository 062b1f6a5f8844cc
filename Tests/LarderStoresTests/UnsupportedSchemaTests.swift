import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Databases whose schema uses functions or collations that SQLite does not have or does not mark
/// as innocuous.
struct UnsupportedSchemaTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// Creates a database whose schema has a collation known only to its own program.
  private func database(collation script: String) async throws -> String {
    let path = try await bench.folder.database(script, name: "collation.db")
    // The replacement has the same length, so that the file stays valid.
    var bytes = try Data(contentsOf: URL(filePath: path))
    while let range = bytes.range(of: Data("rtrim".utf8)) {
      bytes.replaceSubrange(range, with: Data("local".utf8))
    }
    return try bench.folder.write([UInt8](bytes), to: "collation.db")
  }

  private func code(_ body: () async throws -> Void) async -> StoreError? {
    do {
      try await body()
      return nil
    } catch {
      return StoreError(error)
    }
  }

  // MARK: Functions

  @Test(arguments: [
    "CREATE INDEX i ON kv(json_extract(v, '$.x'))",
    "CREATE INDEX i ON kv(v) WHERE json_valid(v)",
    "CREATE TABLE other(d, x AS (d ->> '$.x') STORED); CREATE INDEX i ON other(d -> '$.x')",
    "CREATE TABLE other(d CHECK (json_valid(d)))",
    "CREATE TRIGGER r AFTER UPDATE ON kv BEGIN SELECT json(new.v); END",
  ])
  func `A schema that uses JSON functions is readable and writable`(
    _ sql: String
  ) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE kv(k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES('a', '{\"x\":1}'); \(sql)")
    let store = try await bench.open(path, "kv")
    #expect(try await store.keys() == [.text("a")])
    try await bench.put(store, .text("a"), .text("{\"x\":2}"))
    try await store.source.delete(EntryQuery(.text("a"))).get()
    #expect(try await store.keys() == [])
    try await bench.undo(store)
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == .text("{\"x\":1}"))
  }

  @Test func `A generated column and a view that use JSON functions are read`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, r TEXT, g AS (json_extract(r, '$.f')));
      INSERT INTO t(k, r) VALUES('a', '{"f":42}');
      CREATE VIEW v AS SELECT k, r ->> '$.f' AS f FROM t;
      """)
    let table = try await bench.open(path, "t")
    #expect(try await table.value(.text("a"))?.field("g") == .integer(42))
    let view = try await bench.open(path, "v")
    #expect(try await view.value(.integer(1))?.field("f") == .integer(42))
  }

  @Test func `Only views and triggers that call an unsafe function are refused`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1);
      CREATE VIEW bad AS SELECT load_extension(k) FROM t;
      CREATE TABLE watched(k TEXT PRIMARY KEY, v); INSERT INTO watched VALUES('a', 1);
      CREATE TRIGGER r AFTER DELETE ON watched BEGIN SELECT load_extension(old.k); END;
      """)
    let open = try await Stores.open(StoreLocation(path: path), journal: bench.journal)
    let error = await code { _ = try await open.store("bad") }
    guard case .cannotOpen(let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("“bad”") && message.contains("load_extension"))
    let table = try await open.store("t")
    try await bench.put(table, .text("a"), .integer(2))
    let watched = try await open.store("watched")
    #expect(try await watched.keys() == [.text("a")])
    let refusal = await code { try await watched.source.delete(EntryQuery(.text("a"))).get() }
    guard case .failed(let reason)? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(reason.contains("“r”") && reason.contains("load_extension"))
    #expect(try await watched.keys() == [.text("a")])
  }

  @Test(arguments: [
    "SELECT file FROM pragma_database_list", "SELECT count(*) FROM pragma_function_list",
    "SELECT * FROM (SELECT name FROM PRAGMA_module_list)",
    "WITH x AS (SELECT name FROM pragma_database_list) SELECT * FROM x",
    "SELECT (SELECT file FROM pragma_database_list) FROM t",
  ])
  func `Only views that read a pragma's table are refused`(
    _ sql: String
  ) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1);
      CREATE VIEW bad AS \(sql);
      CREATE VIEW good AS SELECT k FROM t;
      CREATE TABLE watched(k TEXT PRIMARY KEY, v); INSERT INTO watched VALUES('a', 1);
      CREATE TRIGGER r AFTER DELETE ON watched BEGIN INSERT INTO t(k) SELECT * FROM bad; END;
      """)
    let open = try await Stores.open(StoreLocation(path: path), journal: bench.journal)
    guard case .cannotOpen? = await code({ _ = try await open.store("bad") }) else {
      Issue.record("it was read")
      return
    }
    #expect(try await open.store("good").keys() == [.integer(1)])
    let table = try await open.store("t")
    try await bench.put(table, .text("a"), .integer(2))
    let watched = try await open.store("watched")
    #expect(try await watched.keys() == [.text("a")])
    let refusal = await code { try await watched.source.delete(EntryQuery(.text("a"))).get() }
    guard case .failed? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(try await watched.keys() == [.text("a")])
  }

  @Test func `An unknown schema is not reported as corruption`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    let bytes = try Data(contentsOf: URL(filePath: path))
    var text = Array(bytes)
    let range = try #require(bytes.range(of: Data("PRIMARY KEY".utf8)))
    text.replaceSubrange(range, with: Array("PRIMARY KAY".utf8))
    let patched = try bench.folder.write(text, to: "newer.db")
    let error = await code { _ = try await Stores.open(StoreLocation(path: patched)) }
    guard case .cannotOpen? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  // MARK: Collations

  @Test func `A table with an unknown collation is read-only for that reason`() async throws {
    let hidden = try await bench.folder.database(
      "CREATE TABLE t(rowid TEXT, _rowid_ TEXT, oid TEXT)", name: "hidden.db")
    let sorted = try await database(
      collation: "CREATE TABLE t(name TEXT COLLATE rtrim PRIMARY KEY, v) WITHOUT ROWID")
    var reasons: [String] = []
    for path in [hidden, sorted] {
      let collection = try #require(try await Stores.open(path).collections.first)
      #expect(!collection.isWritable)
      reasons.append(try #require(collection.readOnlyReason))
    }
    #expect(reasons[0] != reasons[1] && reasons[1].contains("local"), "\(reasons)")
  }

  @Test func `Rows with an unknown collation in their key are listed by rowid`() async throws {
    let path = try await database(
      collation: """
        CREATE TABLE t(name TEXT COLLATE rtrim PRIMARY KEY, v);
        INSERT INTO t VALUES('b', 1), ('a', 2);
        """)
    let store = try await bench.open(path, "t")
    #expect(try await store.keys() == [.integer(1), .integer(2)])
    #expect(try await store.value(.integer(2))?.field("name") == .text("a"))
    // The index does not include this column.
    try await bench.put(store, .integer(2), .record([.init("v", .integer(3))]))
    #expect(try await store.value(.integer(2))?.field("v") == .integer(3))
    try await bench.undo(store)
    #expect(try await store.value(.integer(2))?.field("v") == .integer(2))
    for change in [
      { try await store.source.delete(EntryQuery(.integer(1))).get() },
      { try await bench.put(store, .integer(1), .record([.init("name", .text("c"))])) },
      {
        let row: [StoredValue.Field] = [.init("name", .text("c")), .init("v", .null)]
        try await bench.put(store, .integer(9), .record(row))
      },
    ] as [@Sendable () async throws -> Void] {
      let error = await code(change)
      guard case .failed(let message)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(message.contains("“t”") && message.contains("local"))
    }
    #expect(try await store.keys() == [.integer(1), .integer(2)])
    #expect(try await store.value(.integer(1))?.field("name") == .text("b"))
  }

  @Test func `An unknown collation outside the key does not affect the rows`() async throws {
    let path = try await database(
      collation: """
        CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE rtrim UNIQUE, v);
        INSERT INTO t VALUES(7, 'x', 'y');
        CREATE TABLE w(name TEXT COLLATE rtrim PRIMARY KEY, v) WITHOUT ROWID;
        """)
    let store = try await bench.open(path, "t")
    #expect(try await store.keys() == [.integer(7)])
    try await bench.put(store, .integer(7), .record([.init("v", .text("z"))]))
    #expect(try await store.value(.integer(7))?.field("v") == .text("z"))
    let error = await code { _ = try await bench.open(path, "w") }
    guard case .cannotOpen(let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("“w”") && message.contains("local"))
  }
}
