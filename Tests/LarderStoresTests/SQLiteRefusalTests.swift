import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Error messages for foreign keys that are checked with each statement.
struct SQLiteRefusalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func database(_ rule: String) async throws -> String {
    try await bench.folder.database(
      """
      CREATE TABLE p(k TEXT PRIMARY KEY, v); INSERT INTO p VALUES('a', 1), ('b', 2);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(k) \(rule));
      INSERT INTO c VALUES(10, 'a'), (11, NULL);
      """)
  }

  private func store(
    _ path: String, _ table: String, hasJournal: Bool
  ) async throws -> Store {
    hasJournal
      ? try await bench.open(path, table)
      : try await Stores.open(StoreLocation(path: path)).store(table)
  }

  @Test(
    arguments: ["", "ON DELETE RESTRICT ON UPDATE RESTRICT", "DEFERRABLE INITIALLY DEFERRED"],
    [true, false])
  func `The row that prevents a change is named`(rule: String, hasJournal: Bool) async throws {
    let path = try await database(rule)
    let parents = try await store(path, "p", hasJournal: hasJournal)
    let children = try await store(path, "c", hasJournal: hasJournal)
    let before = try await rows(path, "SELECT * FROM p, c")
    let referring = "row 10 of “c” would refer to a row of “p” that does not exist"
    let deleted = await refusal { try await parents.source.delete(EntryQuery(.text("a"))).get() }
    #expect(deleted?.contains(referring) == true, "\(deleted ?? "")")
    #expect(deleted?.hasSuffix("nothing was written") == true)
    let byPrefix = await refusal { try await parents.source.delete(PrefixQuery("a")).get() }
    #expect(byPrefix?.contains(referring) == true, "\(byPrefix ?? "")")
    let rename = try #require(try await bench.renaming(parents, "a", to: .text("z")))
    let renamed = await refusal { try await parents.source.put(nil, in: rename).get() }
    #expect(renamed?.contains(referring) == true, "\(renamed ?? "")")
    let missing = "refers to a row of “p” that does not exist"
    let changed = await refusal { try await children.set(.text("x"), .integer(11)) }
    #expect(changed?.contains("11 \(missing)") == true, "\(changed ?? "")")
    let added = await refusal { try await children.set(.text("x"), .integer(12)) }
    #expect(added?.contains("12 \(missing)") == true, "\(added ?? "")")
    #expect(try await rows(path, "SELECT * FROM p, c") == before)
    if hasJournal { #expect(try await bench.journal.steps().isEmpty) }
    // A change without conflicting rows succeeds.
    try await parents.source.delete(EntryQuery(.text("b"))).get()
  }

  @Test(arguments: [true, false])
  func `A row that would be deleted along is not blamed for the refusal`(hasJournal: Bool)
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(k TEXT PRIMARY KEY, v); INSERT INTO p VALUES('a', 1);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(k) ON DELETE CASCADE);
      INSERT INTO c VALUES(10, 'a');
      CREATE TABLE d(id INTEGER PRIMARY KEY, p REFERENCES p(k) ON UPDATE CASCADE);
      INSERT INTO d VALUES(20, 'a');
      """)
    let store = try await store(path, "p", hasJournal: hasJournal)
    let deleted = await refusal { try await store.source.delete(EntryQuery(.text("a"))).get() }
    #expect(deleted?.contains("row 20 of “d”") == true, "\(deleted ?? "")")
    let byPrefix = await refusal { try await store.source.delete(PrefixQuery("a")).get() }
    #expect(byPrefix?.contains("row 20 of “d”") == true, "\(byPrefix ?? "")")
    let rename = try #require(try await bench.renaming(store, "a", to: .text("z")))
    let renamed = await refusal { try await store.source.put(nil, in: rename).get() }
    #expect(renamed?.contains("row 10 of “c”") == true, "\(renamed ?? "")")
  }

  @Test func `Rows that were broken before are not blamed for the refusal`() async throws {
    let path = try await database("")
    try await bench.execute(path, "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES(1, 'gone')")
    let parents = try await bench.open(path, "p")
    let deleted = await refusal { try await parents.source.delete(EntryQuery(.text("a"))).get() }
    #expect(deleted?.contains("row 10 of “c”") == true, "\(deleted ?? "")")
  }

  @Test func `Undo is refused if a row that was broken before refers to its row`()
    async throws
  {
    let path = try await database("")
    try await bench.execute(path, "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES(1, 'new')")
    let parents = try await bench.open(path, "p")
    try await parents.set(.integer(5), .text("new"))
    let refused = await refusal { try await bench.undo(parents) }
    #expect(refused?.contains("“c”") == true, "\(refused ?? "")")
    try await bench.execute(path, "PRAGMA foreign_keys = OFF; DELETE FROM c WHERE id = 1")
    try await bench.undo(parents)
    #expect(try await rows(path, "SELECT k FROM p ORDER BY k") == [[.text("a")], [.text("b")]])
  }

  @Test func `A stream that the database refuses is not read further`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE p(k TEXT PRIMARY KEY, code UNIQUE, v); INSERT INTO p VALUES('a', 1, 0);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(code));
      CREATE TRIGGER u BEFORE UPDATE ON p BEGIN
        SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed'); END;
      """)
    let store = try await Stores.open(StoreLocation(path: path)).store("p")
    let asked = Counter()
    let query = ImportQuery(replaces: true) {
      guard asked.next() == 0 else { return nil }
      let row = StoredValue.record([.init("code", .integer(2)), .init("v", .integer(0))])
      return [Entry(key: .text("a"), value: row)]
    }
    let refused = await refusal { _ = try await store.source.put(nil, in: query).get() }
    #expect(refused?.contains("the database rejected the change") == true, "\(refused ?? "")")
    #expect(asked.next() == 1, "the portion that was refused is gone, and a second try has none")
    #expect(try await rows(path, "SELECT code FROM p") == [[.integer(1)]])
  }

  @Test(arguments: [true, false])
  func `Retries that search for the reason are not counted as changes`(hasJournal: Bool)
    async throws
  {
    let path = try await database("ON DELETE RESTRICT")
    try await bench.execute(path, "INSERT INTO p VALUES('d', 4), ('e', 5)")
    let store = try await store(path, "p", hasJournal: hasJournal)
    let all = try await store.source.getAll(EntryPageQuery(limit: 10, detail: .values)).get()
    #expect(all.count == 4)
    let told = Counter()
    let scan = Scan { if $0.changed > 0 { _ = told.next() } }
    let changes = all.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }
    let refused = await refusal {
      _ = try await store.source.putAll([], in: ChangesQuery(changes, scan: scan)).get()
    }
    #expect(refused?.contains("row 10 of “c”") == true, "\(refused ?? "")")
    #expect(scan.changed == 0)
    let prefix = Scan()
    let again = await refusal {
      try await store.source.delete(PrefixQuery("", scan: prefix)).get()
    }
    #expect(again?.contains("row 10 of “c”") == true, "\(again ?? "")")
    #expect(prefix.changed == 0)
  }

  @Test func `Only tables related to the change are searched for the reason`() async throws {
    let path = try await database("DEFERRABLE INITIALLY DEFERRED")
    // No program can resolve this foreign key: checking all tables would fail.
    try await bench.execute(
      path,
      "PRAGMA foreign_keys = OFF; CREATE TABLE far(a REFERENCES p2(x)); CREATE TABLE p2(y);"
        + "INSERT INTO far VALUES(1)")
    let parents = try await store(path, "p", hasJournal: false)
    let deleted = await refusal { try await parents.source.delete(EntryQuery(.text("a"))).get() }
    #expect(deleted?.contains("row 10 of “c” would refer") == true, "\(deleted ?? "")")
  }
}
