import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// Rows of triggers in the place of others: under the rowid of a row that is gone, or under the key.
struct TriggerPlaceTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// A session of each person: the trigger deletes the one before.
  private static let sessions = """
    CREATE TABLE sess(id TEXT PRIMARY KEY, user, token);
    INSERT INTO sess VALUES('s1', 'ann', 'A'), ('s2', 'bob', 'B');
    CREATE TRIGGER one BEFORE INSERT ON sess BEGIN DELETE FROM sess WHERE user = new.user; END;
    """
  private static let session = StoredValue.record([
    .init("user", .text("bob")), .init("token", .text("C")),
  ])

  /// A table whose rows are marked when they are deleted, and stay.
  private static func softlyDeleted(by values: String = "old.id, old.body, 1") -> String {
    """
    CREATE TABLE n(id TEXT PRIMARY KEY, body, deleted DEFAULT 0); INSERT INTO n VALUES('a', 'x', 0);
    CREATE TRIGGER d AFTER DELETE ON n WHEN old.deleted = 0 BEGIN
      INSERT INTO n VALUES(\(values)); END;
    """
  }
  private static let note = StoredValue.record([
    .init("body", .text("q")), .init("deleted", .integer(0)),
  ])

  @Test func `A row that a trigger deletes, whose rowid the new row gets, comes back`() async throws
  {
    let path = try await bench.folder.database(Self.sessions)
    let before = try await rows(path, "SELECT rowid, * FROM sess")
    let store = try await bench.open(path, "sess")
    for _ in 0..<2 {
      try await store.set(Self.session, .text("s3"))
      #expect(
        try await rows(path, "SELECT rowid, id FROM sess") == [
          [.integer(1), .text("s1")], [.integer(2), .text("s3")],
        ])
      #expect(try store.said().contains("1 more row, of \"sess\"; undo"))
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT rowid, * FROM sess") == before)
      #expect(try store.said() == "")
    }
    try await bench.undo(store, redo: true)
    #expect(
      try await rows(path, "SELECT id FROM sess") == [[.text("s1")], [.text("s3")]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT rowid, * FROM sess") == before)
  }

  @Test func `Without a journal a row whose rowid the new row gets is said to be gone`()
    async throws
  {
    let path = try await bench.folder.database(Self.sessions)
    let store = try await Stores.store(path, "sess")
    try await store.set(Self.session, .text("s3"))
    #expect(try store.said().contains("1 more row, of \"sess\""))
  }

  @Test
  func `A row that a trigger keeps, marked as deleted, is gone when the new row is taken back`()
    async throws
  {
    let path = try await bench.folder.database(Self.softlyDeleted())
    let before = try await rows(path, "SELECT rowid, * FROM n")
    let store = try await bench.open(path, "n")
    try await store.set(Self.note, .text("b"))
    for _ in 0..<2 {
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT rowid, * FROM n") == before)
      #expect(try store.said() == "")
      try await bench.undo(store, redo: true)
    }
    #expect(try await rows(path, "SELECT id, deleted FROM n").last == [.text("b"), .integer(0)])
  }

  @Test func `A row that a trigger leaves under the key of one that is taken back is said`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE n(id TEXT PRIMARY KEY, body); INSERT INTO n VALUES('a', 'x');
      CREATE TRIGGER d AFTER DELETE ON n BEGIN INSERT INTO n VALUES(old.id, 'tombstone'); END;
      """)
    let store = try await bench.open(path, "n")
    try await store.set(.text("q"), .text("b"))
    #expect(try store.said() == "")
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT * FROM n WHERE id = 'b'") == [[.text("b"), .text("tombstone")]])
    let said = try store.said()
    #expect(said.contains("b of \"n\"") && said.contains("trigger"))
  }

  @Test func `A row that a trigger puts in the place of one that is taken back is said`()
    async throws
  {
    let path = try await bench.folder.database(
      Self.softlyDeleted(by: "'del:' || old.id, old.body, 1"))
    let store = try await bench.open(path, "n")
    try await store.set(Self.note, .text("b"))
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT rowid, id FROM n").last == [.integer(2), .text("del:b")])
    #expect(try store.said().contains("1 more row, of \"n\""))
  }

  @Test func `A row that an undo sets off in the place of the one before it is said`() async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY); INSERT INTO t VALUES('a'), ('b');
      CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO t VALUES(old.k || '!'); END;
      """)
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("b"))).get()
    _ = try store.said()
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT k FROM t ORDER BY k") == [
        [.text("a")], [.text("b")], [.text("b!!")],
      ])
    #expect(try store.said().contains("1 more row, of \"t\""))
  }

  @Test func `A row whose key a trigger gives to another at once comes back`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE n(id TEXT PRIMARY KEY, body, v); INSERT INTO n VALUES('a', 'x', 1), ('b', 'y', 2);
      CREATE TRIGGER d AFTER DELETE ON n BEGIN
        INSERT INTO n(id, body) VALUES(old.id, 'tombstone'); END;
      """)
    let before = try await rows(path, "SELECT rowid, * FROM n")
    let store = try await bench.open(path, "n")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    #expect(try store.said().contains("undo brings that back"))
    let after = try await rows(path, "SELECT rowid, * FROM n")
    #expect(after.map { $0[2] } == [.text("y"), .text("tombstone")])
    for _ in 0..<2 {
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT rowid, * FROM n") == before)
      #expect(try store.said() == "")
      try await bench.undo(store, redo: true)
      #expect(try await rows(path, "SELECT rowid, * FROM n") == after)
      _ = try store.said()
    }
  }

  @Test func `A row that a trigger makes anew as it was has its rowid back`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); CREATE TABLE s(u TEXT PRIMARY KEY, w);
      INSERT INTO s VALUES('u', 'w'), ('x', 'y');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT OR REPLACE INTO s VALUES('u', 'w'); END;
      """)
    let before = try await rows(path, "SELECT rowid, * FROM s")
    let store = try await bench.open(path, "t")
    try await store.set(.integer(1), .text("a"))
    #expect(try await rows(path, "SELECT rowid FROM s WHERE u = 'u'") == [[.integer(3)]])
    #expect(try store.said().contains("1 more row, of \"s\"; undo"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT rowid, * FROM s") == before)
    #expect(try store.said() == "")
  }
}
