import Foundation
import Harmony
import HarmonySQLite
import LarderModel
@testable import LarderStores
import LarderJournal
import Testing

/// Changes that foreign keys make to other rows, and their undo.
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

  @Test func `Rows that follow a renamed key follow its undo`() async throws {
    let path = try await bench.folder.database(Self.family)
    let before = try await dump(path)
    let store = try await bench.open(path, "p")
    let entry = try await store.source.get(EntryQuery(.integer(1))).get()
    let rename = RenameQuery(
      entry.key, to: .integer(5), expecting: try #require(entry.fingerprint))
    // The foreign key of `d` has no action for updates, so the database refuses the rename.
    let refused = await refusal { try await store.source.put(nil, in: rename).get() }
    #expect(refused?.contains("“d”") == true, "\(refused ?? "")")
    #expect(try await dump(path) == before)
    try await bench.execute(path, "DELETE FROM d")
    let rest = try await dump(path)
    try await store.source.put(nil, in: rename).get()
    #expect(try await rows(path, "SELECT count(*) FROM c WHERE p = 5") == [[.integer(2)]])
    let after = try await dump(path)
    try await bench.undo(store)
    #expect(try await dump(path) == rest)
    try await bench.undo(store, redo: true)
    #expect(try await dump(path) == after)
    // A row that has referred to it since would lose its reference.
    try await bench.execute(path, "INSERT INTO c VALUES('new', 5, 1)")
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try await rows(path, "SELECT p FROM c WHERE id = 'new'") == [[.integer(5)]])
    try await bench.execute(path, "DELETE FROM c WHERE id = 'new'")
    try await bench.undo(store)
    #expect(try await dump(path) == rest)
  }

  @Test func `A cascaded deletion is undone completely or not at all`() async throws {
    let path = try await bench.folder.database(Self.family)
    let store = try await bench.open(path, "p")
    let before = try await dump(path)
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.execute(path, "INSERT INTO c VALUES('a', 2, 'theirs')")
    let taken = try await dump(path)
    let error = await #expect(throws: StoreError.self) { try await bench.undo(store) }
    guard case .changedSince(let sentence)? = error, sentence.contains(EntryKey.text("a").spoken)
    else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await dump(path) == taken)
    // It does not matter if the row already exists with the same values.
    try await bench.execute(
      path,
      "PRAGMA foreign_keys = OFF; DELETE FROM c WHERE id = 'a'; "
        + "INSERT INTO c VALUES('a', 1, x'00ff')")
    try await bench.undo(store)
    #expect(try await dump(path) == before)
  }

  @Test func `Undo leaves rows alone that were only updated by a cascade and have changed since`()
    async throws
  {
    let path = try await bench.folder.database(Self.family)
    let store = try await bench.open(path, "p")
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.execute(path, "UPDATE s SET c = 'c' WHERE x = 'first'")
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT c FROM s ORDER BY x") == [
        [.text("c")], [.text("c")], [.text("b")],
      ])
    #expect(try await rows(path, "SELECT count(*) FROM c") == [[.integer(3)]])
  }

  @Test func `Undo does not delete new rows that refer to its row`() async throws {
    let path = try await bench.folder.database(Self.family)
    let store = try await bench.open(path, "p")
    try await store.set(.text("new"), .integer(7))
    try await bench.execute(path, "INSERT INTO c VALUES('late', 7, 1)")
    let before = try await dump(path)
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try await dump(path) == before)
  }

  @Test func `A cascade with more rows than the journal can hold is refused`() async throws {
    let path = try await bench.folder.database(
      Self.family + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
        INSERT INTO c SELECT 'n' || i, 2, zeroblob(1 << 20) FROM n;
        """)
    let journal = Journal(path: bench.journal.path, limit: 4 << 20)
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store("p")
    let before = try await dump(path)
    let error = await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.integer(2))).get()
    }
    guard case .journal? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await dump(path) == before)
    #expect(try await journal.steps().isEmpty)
    // Without a journal, the database decides.
    let plain = try await Stores.store(path, "p")
    try await plain.source.delete(EntryQuery(.integer(2))).get()
    #expect(try await rows(path, "SELECT count(*) FROM c") == [[.integer(2)]])
  }
}
