import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

struct SQLiteWritingTests {
  private func failure(_ work: () async throws -> Void) async -> StoreError? {
    do {
      try await work()
      return nil
    } catch {
      return StoreError(error)
    }
  }

  @Test func `Other columns keep their bytes and types`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, a INTEGER, b REAL, c, d TEXT, e BLOB);
      INSERT INTO t VALUES('x', 'abc', 9007199254740993, '0012', CAST(x'ff' AS TEXT), x'00');
      """)
    let store = try await Stores.store(path)
    let entry = try await store.source.get(EntryQuery(.text("x"))).get()
    guard case .record(var fields)? = entry.value else {
      Issue.record("no record")
      return
    }
    let before = try await rows(path, "SELECT a, b, c, d FROM t")
    fields[4].value = .data([1, 2])
    let stored = try await store.source.put(
      Entry(key: entry.key, value: .record(fields)),
      in: ReplaceQuery(entry.key, expecting: entry.fingerprint)
    ).get()
    #expect(stored.value == .record(fields))
    #expect(try await rows(path, "SELECT a, b, c, d FROM t") == before)
    #expect(try await rows(path, "SELECT e FROM t") == [[.blob([1, 2])]])
  }

  @Test func `A changed entry is not overwritten`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1)")
    let store = try await Stores.store(path)
    let key = EntryKey.text("a")
    let read = try await store.source.get(EntryQuery(key)).get()
    try await SQLiteConnection(path: path, access: .writing).perform {
      try $0.run("UPDATE t SET v = 2")
    }
    let conflict = await failure {
      _ = try await store.source.put(
        Entry(key: key, value: .integer(3)), in: ReplaceQuery(key, expecting: read.fingerprint)
      ).get()
    }
    #expect(conflict == .conflict(current: Entry(key: key, value: .integer(2))))
    let refusal = await failure {
      _ = try await store.source.delete(EntryQuery(key, expecting: read.fingerprint)).get()
    }
    #expect(refusal == .conflict(current: Entry(key: key, value: .integer(2))))
    let exists = await failure {
      _ = try await store.source.put(
        Entry(key: key, value: .integer(3)), in: ReplaceQuery(key, expecting: nil)
      ).get()
    }
    #expect(exists == .conflict(current: Entry(key: key, value: .integer(2))))
    #expect(try await store.value(key) == .integer(2))
    try await store.source.delete(EntryQuery(key)).get()
    let gone = await failure {
      _ = try await store.source.put(
        Entry(key: key, value: .integer(3)), in: ReplaceQuery(key, expecting: read.fingerprint)
      ).get()
    }
    #expect(gone == .conflict(current: nil))
  }

  @Test(arguments: [
    "CREATE TABLE t(k TEXT PRIMARY KEY, v)", "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
  ])
  func `Composed and decomposed characters are different keys`(_ sql: String) async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(try await folder.database(sql))
    let spellings: [EntryKey] = [
      .text("\u{E9}"), .text("e\u{301}"), .malformedText([0xE9]), .text(""), .text("a\0b"),
      .text("a"), .text(String(repeating: "k", count: 1_000_000)), .text("\u{1B}[2J"),
      .text("'; DROP TABLE t; --"),
    ]
    for (index, key) in spellings.enumerated() { try await store.set(.integer(Int64(index)), key) }
    for (index, key) in spellings.enumerated() {
      #expect(try await store.value(key) == .integer(Int64(index)))
    }
    #expect(try await store.keys(pages: 2) == spellings.sorted())
    for key in spellings {
      try await store.source.delete(EntryQuery(key)).get()
      await #expect(throws: CoreError.NotFound.self) { try await store.value(key) }
    }
    #expect(try await store.keys().isEmpty)
  }

  @Test func `Names are data and never SQL`() async throws {
    let folder = try TestFolder()
    let names = ["a b", "a\"b", "a'b", "x.y", "é", "select", "#1", "a]b", "`", "--", "?1", "T\nT"]
    for (index, name) in names.enumerated() {
      let quoted = SQLiteIdentifier.quoted(name)
      let column = SQLiteIdentifier.quoted(name + "k")
      let other = SQLiteIdentifier.quoted("k" + name)
      let path = try await folder.database(
        "CREATE TABLE other(x); CREATE TABLE \(quoted)"
          + "(\(column) TEXT PRIMARY KEY, \(other), v) WITHOUT ROWID", name: "\(index).db")
      let open = try await Stores.open(StoreLocation(path: path))
      #expect(open.collections.map(\.name) == ["other", name])
      let store = try await open.store(name)
      let value = StoredValue.record([.init("k" + name, .text("1")), .init("v", .null)])
      try await store.set(value, .text("key"))
      #expect(try await store.value(.text("key")) == value)
      #expect(try await store.keys(prefix: "k") == [.text("key")])
      try await store.source.delete(PrefixQuery("k")).get()
      #expect(try await store.keys().isEmpty)
    }
  }

  @Test func `Refusals by the database have its own message`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE);
      INSERT INTO parent VALUES(1, 'one'), (2, 'two');
      CREATE TABLE t(id INTEGER PRIMARY KEY, p REFERENCES parent(id), v CHECK (v < 10));
      INSERT INTO t VALUES(1, 1, 1);
      CREATE TRIGGER no BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'rows stay'); END;
      """)
    let open = try await Stores.open(StoreLocation(path: path))
    let parents = try await open.store("parent")
    // The conflict clause of the table would delete the other row.
    let unique = await failure { try await parents.set(.text("two"), .integer(1)) }
    #expect(unique?.message.contains("UNIQUE constraint failed: parent.name") == true)
    #expect(try await rows(path, "SELECT count(*) FROM parent") == [[.integer(2)]])
    let referenced = await failure {
      try await parents.source.delete(EntryQuery(.integer(1))).get()
    }
    #expect(
      referenced?.message.contains(
        "row 1 of “t” would refer to a row of “parent” that does not exist") == true)

    let store = try await open.store("t")
    let check = await failure {
      try await store.set(
        .record([.init("p", .integer(1)), .init("v", .integer(11))]), .integer(1))
    }
    #expect(check?.message.contains("CHECK constraint failed") == true)
    let kept = await failure { try await store.source.delete(EntryQuery(.integer(1))).get() }
    #expect(kept?.message.contains("rows stay") == true)
    let unknown = await failure {
      try await store.set(.record([.init("nope", .null)]), .integer(1))
    }
    #expect(unknown?.message.contains("no column “nope”") == true)
    #expect(try await rows(path, "SELECT * FROM t") == [[.integer(1), .integer(1), .integer(1)]])
  }

  @Test func `Generated columns are shown and never written`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, a, g AS (a * 2)); INSERT INTO t(k, a) VALUES(1, 4)")
    let store = try await Stores.store(path)
    let record = { (a: Int64, g: Int64) in
      StoredValue.record([.init("a", .integer(a)), .init("g", .integer(g))])
    }
    #expect(try await store.value(.integer(1)) == record(4, 8))
    let stored = try await store.set(record(5, 8), .integer(1))
    #expect(stored.value == record(5, 10))
    let added = try await store.set(record(7, 0), .integer(2))
    #expect(added.value == record(7, 14))
  }

  @Test func `Rows with the same key are not changed together`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(a, b, v, PRIMARY KEY(a,b)); INSERT INTO t VALUES(1,NULL,1),(1,NULL,2)")
    let store = try await Stores.store(path)
    let key = EntryKey.composite([.integer(1), .null])
    let refused = await failure {
      try await store.set(.record([.init("v", .integer(9))]), key)
    }
    #expect(refused?.message.contains("2 rows have the key") == true)
    let kept = await failure { try await store.source.delete(EntryQuery(key)).get() }
    #expect(kept?.message.contains("2 rows have the key") == true)
    #expect(try await rows(path, "SELECT v FROM t ORDER BY v") == [[.integer(1)], [.integer(2)]])
  }

  @Test func `A key of a different type or case is a different key`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE n(id INTEGER PRIMARY KEY, v); INSERT INTO n VALUES(42, 'x');
      CREATE TABLE c(k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO c VALUES('Key', 'x');
      """)
    let open = try await Stores.open(StoreLocation(path: path))
    let numbers = try await open.store("n")
    await #expect(throws: CoreError.NotFound.self) { try await numbers.value(.text("42")) }
    try await numbers.source.delete(EntryQuery(.text("42"))).get()
    #expect(try await numbers.value(.integer(42)) == .text("x"))
    let cases = try await open.store("c")
    await #expect(throws: CoreError.NotFound.self) { try await cases.value(.text("KEY")) }
    let refused = await failure { try await cases.set(.null, .text("KEY")) }
    #expect(refused == .conflict(current: Entry(key: .text("Key"), value: .text("x"))))
    await #expect(throws: StoreError.self) { try await numbers.value(.composite([.integer(1)])) }
  }

  @Test func `A prefix is deleted in one transaction`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES('a:1',0),('a:2',0),('a:3','keep'),('b:1',0);
      CREATE TRIGGER no BEFORE DELETE ON t WHEN old.v = 'keep'
      BEGIN SELECT RAISE(ABORT, 'rows stay'); END;
      """)
    let store = try await Stores.store(path)
    let kept = await failure { try await store.source.delete(PrefixQuery("a:")).get() }
    #expect(kept != nil)
    #expect(try await store.keys().count == 4)
    try await store.set(.integer(1), .text("a:3"))
    try await store.source.delete(PrefixQuery("a:")).get()
    #expect(try await store.keys() == [.text("b:1")])
  }

  @Test func `Views, virtual tables and invalid values are refused`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE VIEW w AS SELECT * FROM t;
      CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES('hello');
      """)
    let open = try await Stores.open(StoreLocation(path: path))
    let forms = Dictionary(uniqueKeysWithValues: open.collections.map { ($0.name, $0.form) })
    #expect(forms["t"] == "table")
    #expect(forms["w"] == "view")
    #expect(forms["f"] == "virtual table")
    #expect(forms["f_data"] == "shadow table")
    #expect(open.collections.filter(\.isWritable).map(\.name) == ["t"])
    for name in ["w", "f", "f_data"] {
      let store = try await open.store(name)
      _ = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
      #expect(!store.capabilities.contains(.writable))
      let refused = await failure { try await store.set(.null, .integer(1)) }
      guard case .readOnly? = refused else {
        Issue.record("\(name): \(String(describing: refused))")
        continue
      }
    }
    let readOnly = try await Stores.store(path, "t", options: OpenOptions(isReadOnly: true))
    let refused = await failure { try await readOnly.set(.null, .text("a")) }
    #expect(refused?.message.contains("read-only") == true)
    let store = try await open.store("t")
    let date = await failure { try await store.set(.bool(true), .text("a")) }
    #expect(date?.message.contains("cannot hold bool") == true)
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await store.source.put(nil, in: EntryQuery(.text("a"))).get()
    }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await store.source.get(VoidQuery()).get()
    }
  }
}
