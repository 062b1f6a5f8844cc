import Foundation
import Harmony
import HarmonySQLite
import Testing

/// Tables created by other programs, and damaged values.
struct SQLiteEntryTableTests {
  private static let settings = SQLiteEntryTable(
    "Settings", keyColumn: "NAME", valueColumn: "setting", countColumn: nil)

  @Test func `An existing table is used unchanged`() async throws {
    let file = try TestFile()
    try await file.execute(
      """
      CREATE TABLE settings(id INTEGER PRIMARY KEY, name VARCHAR(20) UNIQUE, setting, note);
      INSERT INTO settings(name, setting, note) VALUES('a', 'x', 'mine'), (NULL, 'y', '');
      """)
    let source = SQLiteDataSource<String>(
      path: file.path, table: Self.settings, access: .writing)
    #expect(try await source.get("a").get() == "x")
    try await source.put("z", forId: "a").get()
    try await source.put("new", forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == ["z", "new"])
    for future in [source.putAll(["l"], forId: "c"), source.getAll("a")] {
      await #expect(throws: CoreError.QueryNotSupported.self) { try await future.get() }
    }
    let rows = try await SQLiteConnection(path: file.path).perform {
      try $0.rows("SELECT name, setting, note FROM settings ORDER BY id")
    }
    #expect(
      rows == [
        [.text("a"), .text("z"), .text("mine")], [.null, .text("y"), .text("")],
        [.text("b"), .text("new"), .null],
      ])
    try await source.delete(AllObjectsQuery()).get()
    #expect(try await source.countKeys(AllObjectsQuery()).get() == 0)
  }

  @Test(arguments: [
    "CREATE TABLE kv(key TEXT PRIMARY KEY, value)",
    "CREATE TABLE kv(key TEXT PRIMARY KEY, value, count)",
    "CREATE TABLE kv(other TEXT PRIMARY KEY, value, count)",
    "CREATE VIEW kv AS SELECT 'a' AS key, 'x' AS value, NULL AS count",
  ])
  func `A table that cannot hold lists does not appear to be empty`(script: String) async throws {
    let file = try TestFile()
    try await file.execute(script)
    let source = SQLiteDataSource<String>(path: file.path, table: "kv")
    for future in [source.get("a").map { _ in }, source.getAll(AllObjectsQuery()).map { _ in }] {
      let error = await #expect(throws: (any Error).self) { try await future.get() }
      #expect(!(error is CoreError.NotFound))
      #expect(
        script.contains("VIEW") || script.contains("other")
          || "\(error as Any)".contains("countColumn"))
    }
  }

  @Test(arguments: [
    "CREATE TABLE settings(name TEXT, setting)",
    "CREATE TABLE settings(name TEXT, setting); CREATE UNIQUE INDEX i ON settings(name, setting)",
    "CREATE TABLE settings(name TEXT, setting); CREATE UNIQUE INDEX i ON settings(name) WHERE 1",
    "CREATE TABLE settings(name TEXT PRIMARY KEY COLLATE NOCASE, setting)",
    """
    CREATE TABLE settings(name TEXT, setting);
    CREATE UNIQUE INDEX i ON settings(name COLLATE NOCASE)
    """,
    "CREATE TABLE settings(name INTEGER PRIMARY KEY, setting)",
    "CREATE TABLE settings(name NUMERIC PRIMARY KEY, setting)",
    "CREATE TABLE settings(name TEXT PRIMARY KEY, other)",
    "CREATE TABLE settings(other TEXT PRIMARY KEY, setting)",
    "PRAGMA encoding='UTF-16'; CREATE TABLE settings(name TEXT PRIMARY KEY, setting)",
  ])
  func `A table with ambiguous keys is refused`(script: String) async throws {
    let file = try TestFile()
    try await file.execute(script)
    let source = SQLiteDataSource<String>(path: file.path, table: Self.settings)
    for _ in 0..<2 {
      await #expect(throws: CoreError.IllegalArgument.self) { try await source.get("a").get() }
      await #expect(throws: CoreError.IllegalArgument.self) {
        try await source.put("x", forId: "a").get()
      }
    }
  }

  @Test func `A column that would change a value is not written to`() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE settings(name TEXT PRIMARY KEY, setting NUMERIC)")
    let texts = SQLiteDataSource<String>(path: file.path, table: Self.settings)
    await #expect(throws: CoreError.DataSerialization.self) {
      try await texts.put("007", forId: "a").get()
    }
    #expect(try await texts.countKeys(AllObjectsQuery()).get() == 0)
    try await texts.put("seven", forId: "a").get()
    let numbers = SQLiteDataSource<Double>(path: file.path, table: Self.settings)
    try await numbers.put(7, forId: "a").get()
    #expect(try await numbers.get("a").get() == 7)
    await #expect(throws: CoreError.DataSerialization.self) {
      try await numbers.put(-0.0, forId: "a").get()
    }
  }

  @Test func `Damaged entries are errors, and the others remain readable`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    source.put(1, forId: "good")
    source.put(2, forId: "bad")
    try await source.putAll([1, 2, 3], forId: "list").get()
    try await file.execute(
      """
      UPDATE entries SET value = 'two' WHERE key = 'bad';
      DELETE FROM entries_elements WHERE position = 1;
      INSERT INTO entries VALUES ('null', NULL, NULL), ('odd', NULL, 'x'), (x'00', 1, NULL);
      """)
    #expect(try await source.get("good").get() == 1)
    for future in [
      source.get("bad").map { [$0] }, source.get("null").map { [$0] }, source.getAll("list"),
      source.getAll("odd"), source.getAll(AllObjectsQuery()), source.getAll(IdsQuery(["bad"])),
    ] {
      await #expect(throws: CoreError.DataSerialization.self) { try await future.get() }
    }
    #expect(
      try await source.getKeys(AllObjectsQuery()).get() == ["bad", "good", "list", "null", "odd"])
    source.put(2, forId: "list")
    source.delete("odd")
    try await source.delete(IdsQuery(["bad", "null"])).get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2])
    try await file.execute("INSERT INTO entries VALUES (CAST(x'FF' AS TEXT), 1, NULL)")
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.getKeys(AllObjectsQuery()).get()
    }
  }
}
