import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Undo in a table whose columns were added or dropped since the change.
struct ChangedColumnsTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `Undo is refused for a row that has lost all columns but one`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v, b); INSERT INTO t VALUES('a', 1, 2)")
    let store = try await bench.open(path, "t")
    try await store.source.delete(EntryQuery(.text("a"))).get()
    try await bench.execute(path, "ALTER TABLE t DROP COLUMN b")
    let again = try await bench.open(path, "t")
    let refused = await refusal { try await bench.undo(again) }
    #expect(refused?.contains("other columns") == true)
    #expect(try await rows(path, "SELECT * FROM t") == [])
  }

  @Test func `Undo and redo change only the columns that existed at the time of the change`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v, b); INSERT INTO t VALUES('a', 1, 2), ('c', 5, 6)")
    let store = try await bench.open(path, "t")
    func set(_ key: String, _ v: Int64, _ b: Int64) async throws {
      try await store.set(
        .record([.init("v", .integer(v)), .init("b", .integer(b))]), .text(key))
    }
    try await set("a", 7, 2)
    try await set("n", 8, 9)
    try await store.source.delete(EntryQuery(.text("c"))).get()
    try await bench.execute(
      path, "ALTER TABLE t ADD COLUMN z DEFAULT 4; UPDATE t SET z = 'own' WHERE k = 'a'")
    let later = try await rows(path, "SELECT * FROM t ORDER BY k")
    let again = try await bench.open(path, "t")
    for _ in 0..<3 { try await bench.undo(again) }
    #expect(
      try await rows(path, "SELECT * FROM t ORDER BY k") == [
        [.text("a"), .integer(1), .integer(2), .text("own")],
        [.text("c"), .integer(5), .integer(6), .integer(4)],
      ])
    for _ in 0..<3 { try await bench.undo(again, redo: true) }
    #expect(try await rows(path, "SELECT * FROM t ORDER BY k") == later)
  }

  @Test func `Undo does not delete a row with a value in a newer column`()
    async throws
  {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v, b)")
    let store = try await bench.open(path, "t")
    try await store.set(.record([.init("v", .integer(1)), .init("b", .null)]), .text("a"))
    try await bench.execute(path, "ALTER TABLE t ADD COLUMN z; UPDATE t SET z = 3")
    let again = try await bench.open(path, "t")
    await #expect(throws: StoreError.self) { try await bench.undo(again) }
    #expect(try await rows(path, "SELECT * FROM t").count == 1)
  }

  @Test func `A change to an older column is still a conflict`() async throws {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v, b)")
    let store = try await bench.open(path, "t")
    try await store.set(.record([.init("v", .integer(1)), .init("b", .null)]), .text("a"))
    try await bench.execute(path, "ALTER TABLE t ADD COLUMN z; UPDATE t SET v = 3")
    let again = try await bench.open(path, "t")
    let error = await #expect(throws: StoreError.self) { try await bench.undo(again) }
    guard case .conflict(.some) = error else {
      Issue.record("no conflict: \(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["k TEXT PRIMARY KEY, v, b", "k TEXT PRIMARY KEY, value"], [true, false])
  func `A rename is undone in a table with newer columns`(
    columns: String, hasTrigger: Bool
  ) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(\(columns));
      INSERT INTO t VALUES('a', \(columns.contains("b") ? "1, 2" : "1"));
      CREATE TABLE log(n);
      \(hasTrigger ? "CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO log VALUES(1); END" : "")
      """)
    let store = try await bench.open(path, "t")
    let rename = try #require(try await bench.renaming(store, "a", to: .text("b")))
    _ = try await store.source.put(nil, in: rename).get()
    try await bench.execute(path, "ALTER TABLE t ADD COLUMN z DEFAULT 4; UPDATE t SET z = 5")
    let again = try await bench.open(path, "t")
    for _ in 0..<2 {
      try await bench.undo(again)
      #expect(try await rows(path, "SELECT k, z FROM t") == [[.text("a"), .integer(5)]])
      try await bench.undo(again, redo: true)
      #expect(try await rows(path, "SELECT k, z FROM t") == [[.text("b"), .integer(5)]])
    }
    let column = columns.contains("b") ? "b" : "value"
    try await bench.execute(path, "UPDATE t SET \(column) = 9")
    let refused = await #expect(throws: StoreError.self) { try await bench.undo(again) }
    guard case .conflict = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
  }
}
