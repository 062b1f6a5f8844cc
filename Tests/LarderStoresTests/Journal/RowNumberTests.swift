import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// Rows whose rowid is no part of their key, deleted and brought back.
struct RowNumberTests {
  private static let schemas = [
    "t(k TEXT PRIMARY KEY, v)", "t(k TEXT UNIQUE, v)", "t(k, rowid, v, PRIMARY KEY(k, rowid))",
  ]
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func database(_ schema: String) async throws -> String {
    let hasPair = schema.contains("rowid")
    let rows = (1...5).map {
      hasPair ? "(\($0 * 7), 'a\($0)', 2, 'x')" : "(\($0 * 7), 'a\($0)', 'x')"
    }
    return try await bench.folder.database(
      "CREATE TABLE \(schema); INSERT INTO t(oid, \(hasPair ? "k, rowid, v" : "k, v")) VALUES "
        + rows.joined(separator: ","))
  }

  private func numbers(_ path: String) async throws -> [SQLiteValue] {
    let connection = SQLiteConnection(path: path)
    defer { connection.close() }
    return try await connection.perform { session in
      try session.rows("SELECT oid FROM t ORDER BY k").flatMap { $0 }
    }
  }

  @Test(arguments: schemas)
  func `What is undone comes back in the row that it was in`(schema: String) async throws {
    let path = try await database(schema)
    let store = try await bench.open(path)
    let before = try await numbers(path)
    #expect(before == [7, 14, 21, 28, 35].map { .integer($0) })
    let keys = try await store.source.getAll(EntryPageQuery()).get().map(\.key)
    #expect(keys.count == 5)
    try await store.source.delete(EntryQuery(keys[1])).get()
    try await bench.undo(store)
    #expect(try await numbers(path) == before)
    try await store.source.delete(PrefixQuery("")).get()
    try await bench.undo(store)
    #expect(try await numbers(path) == before)
    try await bench.undo(store, redo: true)
    #expect(try await numbers(path) == [])
    try await bench.undo(store)
    #expect(try await numbers(path) == before)
  }

  @Test func `A row that another has taken meanwhile stays with it`() async throws {
    let path = try await database(Self.schemas[0])
    let store = try await bench.open(path)
    try await store.source.delete(EntryQuery(.text("a2"))).get()
    try await bench.execute(path, "INSERT INTO t(rowid, k, v) VALUES (14, 'other', 'y')")
    try await bench.undo(store)
    #expect(try await store.value(.text("a2")) == .text("x"))
    #expect(try await numbers(path).last == .integer(14))
    #expect(try await numbers(path).count == 6)
  }

  /// A trigger that puts another row in the place of the one that was changed.
  private func replacing(_ when: String) async throws -> String {
    try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t(rowid, k, v) VALUES (7, 'a', 'x');
      CREATE TRIGGER u AFTER UPDATE OF v ON t \(when) BEGIN
        INSERT OR REPLACE INTO t VALUES(new.k, new.v); END;
      """)
  }

  @Test func `A row that a trigger put in the place of a changed one gets its rowid back`()
    async throws
  {
    let path = try await replacing("WHEN new.v = 'y'")
    let store = try await bench.open(path)
    try await store.set(.text("y"), .text("a"))
    #expect(try await numbers(path) != [.integer(7)])
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == .text("x"))
    let isBack = try await numbers(path) == [.integer(7)]
    #expect(try isBack || store.said().contains("a of \"t\" came back under another rowid"))
    #expect(isBack)
  }

  @Test func `A row that triggers move as it is changed back is said to have another rowid`()
    async throws
  {
    let path = try await replacing("")
    let store = try await bench.open(path)
    try await store.set(.text("y"), .text("a"))
    _ = try store.said()
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == .text("x"))
    let isBack = try await numbers(path) == [.integer(7)]
    #expect(try isBack != store.said().contains("a of \"t\" came back under another rowid"))
  }
}
