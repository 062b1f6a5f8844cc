import Harmony
import HarmonySQLite
import LarderModel
import LarderFormats
import LarderStores
import Testing

/// Guarantees that a write never destroys a user's only copy.
struct SQLiteSafetyTests {
  @Test func `A key stays the same when the key of another row is removed`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(id INT PRIMARY KEY, v);
      INSERT INTO t VALUES(9,'a'),(8,'b'),(7,'c'),(6,'d'),(1,'e'),(5,'five'),(NULL,'none');
      """)
    let store = try await Stores.store(path)
    try await store.source.delete(EntryQuery(.integer(5))).get()
    #expect(try await rows(path, "SELECT v FROM t WHERE v IN ('e', 'five')") == [[.text("e")]])
    #expect(try await store.value(.null) == .text("none"))
    try await SQLiteConnection(path: path, access: .writing).perform {
      try $0.run("INSERT INTO t VALUES(NULL, 'more')")
    }
    for size in [1, 2, 50] {
      #expect(try await store.keys(pages: size).filter { $0 == .null }.count == 2)
    }
    for work in [
      { _ = try await store.value(.null) },
      { try await store.source.delete(EntryQuery(.null)).get() },
      { try await store.set(.text("x"), .null) },
    ] as [() async throws -> Void] {
      #expect(await refusal(work)?.contains("2 rows have the key") == true)
    }
    #expect(try await rows(path, "SELECT count(*) FROM t") == [[.integer(7)]])
  }

  @Test func `A prefix deletes only rows that have it`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(a COLLATE NOCASE, b, v, PRIMARY KEY(a,b));
      INSERT INTO t VALUES('abc',NULL,1),('ABC',NULL,2),('abc',1,3),('xyz',1,4);
      """)
    let store = try await Stores.store(path)
    try await store.source.delete(PrefixQuery("(abc")).get()
    #expect(
      try await rows(path, "SELECT a, v FROM t ORDER BY v") == [
        [.text("ABC"), .integer(2)], [.text("xyz"), .integer(4)],
      ])
  }

  @Test func `A generated column cannot be set`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, a, g AS (a * 2)); INSERT INTO t(k, a) VALUES(1, 4)")
    let store = try await Stores.store(path)
    let refused = await refusal {
      try await store.set(
        .record([.init("a", .integer(5)), .init("g", .integer(9))]), .integer(1))
    }
    #expect(refused?.contains("column g") == true)
    #expect(try await rows(path, "SELECT a FROM t") == [[.integer(4)]])
  }

  @Test func `NaN is refused and not stored as null`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k PRIMARY KEY, v); INSERT INTO t VALUES('a', 1.5)")
    let store = try await Stores.store(path)
    let value = await refusal { try await store.set(.real(.nan), .text("a")) }
    #expect(value?.contains("not a number") == true)
    let key = await refusal { try await store.set(.integer(1), .real(.nan)) }
    #expect(key?.contains("not a number") == true)
    #expect(try await rows(path, "SELECT k, v FROM t") == [[.text("a"), .real(1.5)]])
  }

  @Test func `No row is added under an automatically chosen key`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(7, 'x')")
    let store = try await Stores.store(path)
    await #expect(throws: StoreError.self) { try await store.set(.text("y"), .null) }
    #expect(try await rows(path, "SELECT id FROM t") == [[.integer(7)]])
  }

  @Test func `A whole number stays a real in a column that held one`() throws {
    let original = StoredValue.record([
      .init("r", .real(1.5)), .init("i", .integer(1)), .init("big", .real(0.5)),
    ])
    let edited = try ValueText.value(
      of: #"{"r": 2, "i": 3, "big": 9007199254740993}"#, type: .record, original: original)
    #expect(
      edited
        == .record([
          .init("r", .real(2)), .init("i", .integer(3)),
          .init("big", .integer(9_007_199_254_740_993)),
        ]))
  }

  @Test func `Cascaded changes to other tables are reported`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY, code UNIQUE);
      CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent(id) ON DELETE CASCADE);
      CREATE TABLE tag(id INTEGER PRIMARY KEY,
        c REFERENCES Parent(code) ON UPDATE SET NULL ON DELETE SET NULL);
      INSERT INTO parent VALUES(1,'a'),(2,'b'),(3,'c'),(4,'d');
      INSERT INTO child VALUES(10, 1), (11, 1), (12, 3); INSERT INTO tag VALUES(20, 'b');
      """)
    let store = try await Stores.store(path, "parent")
    func counts() async throws -> [[SQLiteValue]] {
      try await rows(
        path, "SELECT (SELECT count(*) FROM parent), (SELECT count(*) FROM child), c FROM tag")
    }
    try await store.source.delete(EntryQuery(.integer(3))).get()
    #expect(try store.said().contains("1 row in “child”"))
    #expect(try await counts() == [[.integer(3), .integer(2), .text("b")]])
    try await store.set(.text("z"), .integer(2))
    #expect(try store.said().contains("1 row in “tag”"))
    #expect(try await counts() == [[.integer(3), .integer(2), .null]])
    // Columns and rows without references.
    try await store.set(.text("y"), .integer(1))
    try await store.source.delete(EntryQuery(.integer(4))).get()
    #expect(try store.said() == "")
    #expect(
      try await rows(path, "SELECT id, code FROM parent WHERE id IN (1, 4)")
        == [[.integer(1), .text("y")]])
    try await store.source.delete(IdsQuery([EntryKey.integer(2), .integer(1)])).get()
    #expect(try store.said().contains("2 rows in “child”"))
    #expect(try await counts() == [[.integer(0), .integer(0), .null]])
  }
}
