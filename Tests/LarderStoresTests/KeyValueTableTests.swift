import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Key-value tables with the schemas of common programs.
struct KeyValueTableTests {
  @Test(arguments: [
    // VS Code, Chrome, Firefox, React Native, this package, and others.
    "CREATE TABLE t (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
    "CREATE TABLE t (key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR)",
    "CREATE TABLE t (key TEXT PRIMARY KEY, value INTEGER)",
    "CREATE TABLE t (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE t (key TEXT PRIMARY KEY NOT NULL, value)",
    "CREATE TABLE t (data BLOB, name TEXT); CREATE UNIQUE INDEX i ON t (name)",
    "CREATE TABLE t (\"KEY\" TEXT, \"Value\" TEXT, UNIQUE (\"KEY\")) ",
  ])
  func `A value is shown and written alone`(_ schema: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(schema)
    let open = try await Stores.open(path)
    let fact = try #require(open.facts.first { $0.name == "key-value" })
    #expect(fact.text.hasPrefix("t: keys from "))
    let store = try await open.store(nil)
    #expect(store.template == nil)
    let key = EntryKey.text("a.b")
    let value: StoredValue = schema.contains("INTEGER") ? .integer(12) : .text("12")
    try await store.set(value, key)
    #expect(try await store.value(key) == value)
    #expect(try await store.keys() == [key])
    let entry = try await store.source.get(EntryQuery(key)).get()
    let newKey = EntryKey.text("c")
    let expecting = try #require(entry.fingerprint)
    try await store.source.put(nil, in: RenameQuery(key, to: newKey, expecting: expecting)).get()
    #expect(try await store.keys() == [newKey])
    try await store.source.delete(EntryQuery(newKey)).get()
    #expect(try await store.keys() == [])
  }

  @Test(arguments: [
    "CREATE TABLE t (id INTEGER UNIQUE NOT NULL, value TEXT)",
    "CREATE TABLE t (key NUMERIC UNIQUE, value TEXT UNIQUE)",
  ])
  func `A key that is not text is that of its column and not a row number`(
    _ schema: String
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      schema + "; INSERT INTO t VALUES (3, 'three'), (1, 'one'), (2, 'two')")
    let store = try await Stores.store(path)
    #expect(try await store.value(.integer(3)) == .text("three"))
    #expect(try await store.value(.integer(1)) == .text("one"))
  }

  @Test(arguments: [
    // Extra columns, no index, an index on another column or on some rows, and other column names.
    "CREATE TABLE t (key TEXT UNIQUE, value BLOB, time INTEGER)",
    "CREATE TABLE t (key TEXT, value BLOB)",
    "CREATE TABLE t (key TEXT, value BLOB UNIQUE)",
    "CREATE TABLE t (key TEXT, value BLOB); CREATE UNIQUE INDEX i ON t (key) WHERE key > 'a'",
    "CREATE TABLE t (key TEXT, value BLOB); CREATE UNIQUE INDEX i ON t (lower(key))",
    "CREATE TABLE t (key TEXT, value BLOB, UNIQUE (key, value))",
    "CREATE TABLE t (city TEXT UNIQUE, country TEXT)",
  ])
  func `Rows of other tables are records`(_ schema: String) async throws {
    let folder = try TestFolder()
    let open = try await Stores.open(try await folder.database(schema))
    #expect(!open.facts.contains { $0.name == "key-value" })
    #expect(try await open.store(nil).template?.type == .record)
  }

  @Test func `Other values keep their types`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
      INSERT INTO ItemTable VALUES ('i', 1), ('t', '1'), ('b', x'31'), ('r', 1.0), (NULL, 'x'),
        (NULL, 'y'), (x'6B', 2);
      """)
    let journal = Journal(path: folder.file("journal.db"))
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    let key = EntryKey.text("b")
    let before = try await store.source.get(EntryQuery(key)).get()
    let query = ReplaceQuery(key, expecting: before.fingerprint)
    try await store.source.put(Entry(key: key, value: .text("{}")), in: query).get()
    let rows = "SELECT key, value FROM ItemTable ORDER BY rowid"
    let connection = SQLiteConnection(path: path)
    let changed = try await connection.perform { try $0.rows(rows) }
    #expect(
      changed == [
        [.text("i"), .integer(1)], [.text("t"), .text("1")], [.text("b"), .text("{}")],
        [.text("r"), .real(1)], [.null, .text("x")], [.null, .text("y")],
        [.blob([0x6B]), .integer(2)],
      ])
    try await store.replay(ReplayRequest())
    #expect(try await store.value(key) == .data([0x31]))
    #expect(try await store.value(.bytes([0x6B])) == .integer(2))
    #expect(try await store.keys(pages: 2).count == 7)
  }

  @Test func `A table with numbered rows shows the value and keeps the row numbers`() async throws {
    let bench = try JournalBench()
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, value BLOB);
      INSERT INTO t VALUES(5, 'a', 'x'), (9, 'b', 'y');
      """)
    let before = try await rows(path, "SELECT * FROM t, sqlite_sequence")
    let store = try await bench.open(path)
    #expect(store.valueField == "value")
    #expect(try await store.keys() == [.text("a"), .text("b")])
    let entry = try await store.source.get(EntryQuery(.text("a"))).get()
    let value = try #require(entry.value)
    #expect(store.shown(value) == .text("x"))
    #expect(value == .record([.init("id", .integer(5)), .init("value", .text("x"))]))
    let template = try #require(store.template)
    try await store.set(template.setting("value", to: .text("z")), .text("c"))
    #expect(try await rows(path, "SELECT id FROM t WHERE key = 'c'") == [[.integer(10)]])
    try await store.set(value.setting("value", to: .text("w")), .text("a"))
    let rename = try #require(try await bench.renaming(store, "b", to: .text("d")))
    _ = try await store.source.put(nil, in: rename).get()
    try await store.source.delete(PrefixQuery("")).get()
    for _ in 0..<4 { try await bench.undo(store) }
    #expect(try await rows(path, "SELECT * FROM t, sqlite_sequence") == before)
  }
}
