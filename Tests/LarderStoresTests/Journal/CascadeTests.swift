import Foundation
import Harmony
import HarmonySQLite
import LarderCore
@testable import LarderStores
import Testing

/// What foreign keys make of other rows along with a change, and what an undo does then.
struct CascadeTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private static let family = """
    CREATE TABLE p(id INTEGER PRIMARY KEY, v);
    CREATE TABLE c(id TEXT PRIMARY KEY, p REFERENCES p(id) ON DELETE CASCADE ON UPDATE CASCADE, v)
      WITHOUT ROWID;
    CREATE TABLE g(p, n, c TEXT REFERENCES c(id) ON DELETE CASCADE, v, PRIMARY KEY(p, n),
      FOREIGN KEY(p) REFERENCES p(id) ON DELETE CASCADE ON UPDATE CASCADE);
    CREATE TABLE s(x, c TEXT REFERENCES c(id) ON DELETE SET NULL);
    CREATE TABLE d(id INTEGER PRIMARY KEY, p INTEGER DEFAULT 9 REFERENCES p(id) ON DELETE SET DEFAULT);
    INSERT INTO p VALUES(1, 'one'), (2, 'two'), (9, 'nine');
    INSERT INTO c VALUES('a', 1, x'00ff'), ('b', 1, 2.5), ('c', 2, NULL);
    INSERT INTO g VALUES(1, 1, 'a', 'x'), (1, 2, 'c', 'y'), (2, 1, 'b', 'z');
    INSERT INTO s VALUES('first', 'a'), ('second', 'c'), ('third', 'b');
    INSERT INTO d VALUES(1, 1), (2, 2);
    """

  private func dump(_ path: String) async throws -> [[[SQLiteValue]]] {
    try await ["p", "c", "g", "s", "d"].asyncMap { table in
      try await rows(path, "SELECT * FROM \(table) ORDER BY 1, 2")
    }
  }

  @Test func `Rows that go along with one come back with it`() async throws {
    let path = try await bench.folder.database(Self.family)
    let before = try await dump(path)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    #expect(
      try store.said()
        == "the foreign keys that refer to \"p\" changed 8 more rows, of \"c\", \"d\", \"g\", \"s\"; "
        + "undo brings that back, as long as it is unchanged and the journal has room for it")
    let after = try await dump(path)
    #expect(after.map(\.count) == [2, 1, 0, 3, 2])
    #expect(after[4].first == [.integer(1), .integer(9)])
    for _ in 0..<2 {
      try await bench.undo(store)
      #expect(try await dump(path) == before)
      try await bench.undo(store, redo: true)
      #expect(try await dump(path) == after)
    }
  }

  @Test func `Rows that follow one to another key go back with it`() async throws {
    let path = try await bench.folder.database(Self.family)
    let before = try await dump(path)
    let store = try await bench.open(path, "p")
    let entry = try await store.source.get(EntryQuery(.integer(1))).get()
    let rename = RenameQuery(
      entry.key, to: .integer(5), expecting: try #require(entry.fingerprint))
    // A foreign key says nothing of renames: the database refuses for that one.
    let refused = await refusal { try await store.source.put(nil, in: rename).get() }
    #expect(refused?.contains("\"d\"") == true, "\(refused ?? "")")
    #expect(try await dump(path) == before)
    try await bench.execute(path, "DELETE FROM d")
    let rest = try await dump(path)
    try await store.source.put(nil, in: rename).get()
    #expect(try await rows(path, "SELECT count(*) FROM c WHERE p = 5") == [[.integer(2)]])
    let after = try await dump(path)
    // One that came to refer to it since follows it back.
    try await bench.undo(store)
    #expect(try await dump(path) == rest)
    try await bench.undo(store, redo: true)
    #expect(try await dump(path) == after)
    try await bench.execute(path, "INSERT INTO c VALUES('new', 5, 1)")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT p FROM c WHERE id = 'new'") == [[.integer(1)]])
    try await bench.execute(path, "DELETE FROM c WHERE id = 'new'")
    #expect(try await dump(path) == rest)
  }

  @Test func `Several rows that refer to each other, and all of a table, come back`() async throws {
    let path = try await bench.folder.database(
      Self.family + """
        CREATE TABLE tree(id TEXT PRIMARY KEY, up TEXT REFERENCES tree(id) ON DELETE CASCADE);
        DELETE FROM d;
        INSERT INTO tree VALUES('a1', NULL), ('b1', 'a1'), ('a2', 'b1'), ('c', 'a2'), ('d', NULL);
        """)
    let before = try await dump(path)
    let trees = try await rows(path, "SELECT rowid, * FROM tree ORDER BY id")
    let people = try await bench.open(path, "p")
    try await people.source.delete(AllObjectsQuery()).get()
    #expect(try await dump(path).map(\.count) == [0, 0, 0, 3, 0])
    let tree = try await bench.open(path, "tree")
    try await tree.source.delete(PrefixQuery("a")).get()
    #expect(try await rows(path, "SELECT id FROM tree") == [[.text("d")]])
    try await bench.undo(tree)
    #expect(try await rows(path, "SELECT rowid, * FROM tree ORDER BY id") == trees)
    try await bench.undo(people)
    #expect(try await dump(path) == before)
  }

  @Test func `An undo does not take rows along that came since`() async throws {
    let path = try await bench.folder.database(Self.family)
    let store = try await bench.open(path, "p")
    try await store.set(.text("new"), .integer(7))
    try await bench.execute(path, "INSERT INTO c VALUES('late', 7, 1)")
    let before = try await dump(path)
    let said = try #require(await refusal { try await bench.undo(store) })
    #expect(said.contains("by the foreign keys of \"c\""), "\(said)")
    #expect(try await dump(path) == before)
  }

  @Test(arguments: [
    "",
    "CREATE TABLE log(x); CREATE TRIGGER r AFTER INSERT ON p BEGIN INSERT INTO log VALUES(1); END;",
  ])
  func `More rows than undo could bring back do not go along`(trigger: String) async throws {
    let path = try await bench.folder.database(
      Self.family + trigger + """

        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        INSERT INTO c SELECT 'n' || i, 2, i FROM n;
        """)
    let store = try await bench.open(path, "p")
    let said = try #require(
      await refusal { try await store.source.delete(EntryQuery(.integer(2))).get() })
    #expect(said.contains("more rows than the journal keeps"), "\(said)")
    #expect(try await rows(path, "SELECT count(*) FROM c") == [[.integer(60_003)]])
    // Who wants no journal gets what the database does.
    let plain = try await Stores.store(path, "p")
    try await plain.source.delete(EntryQuery(.integer(2))).get()
    #expect(try await rows(path, "SELECT count(*) FROM c") == [[.integer(2)]])
  }

  @Test func `Larger rows than undo could bring back do not go along`() async throws {
    let path = try await bench.folder.database(
      Self.family + """
        CREATE TRIGGER r AFTER INSERT ON p BEGIN UPDATE d SET p = p; END;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
        INSERT INTO c SELECT 'n' || i, 2, zeroblob(1 << 20) FROM n;
        """)
    let store = try await bench.open(path, "p")
    let said = try #require(
      await refusal { try await store.source.delete(EntryQuery(.integer(2))).get() })
    #expect(said.contains("more rows than the journal keeps"), "\(said)")
    #expect(try await rows(path, "SELECT count(*) FROM c") == [[.integer(12)]])
  }

  @Test func `Rows of what is kept of no step are not read to the end`() throws {
    let scratch = try SQLiteScratch(
      """
      CREATE TABLE c(id INTEGER PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
      INSERT INTO c SELECT i, zeroblob(1 << 20) FROM n
      """)
    let layout = try #require(try TableCatalogue.layouts(scratch.session, named: "c").first)
    let watch = try TriggerWatch(layout, scratch.session)
    func places(_ count: Int64) -> Set<TriggerWatch.Place> {
      Set((1...count).map { TriggerWatch.Place(table: "c", row: .integer($0)) })
    }
    #expect(try watch.rows(places(8))?.count == 8)
    #expect(try watch.rows(places(9)) == nil)
  }
}
