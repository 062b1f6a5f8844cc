import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// Rows of which the database computes a column, changed and brought back.
struct ComputedColumnTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func open(_ form: String) async throws -> (store: Store, path: String) {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a, b GENERATED ALWAYS AS (a * 2) \(form), z);
      INSERT INTO t(id, a, z) VALUES (1, 1, 1);
      """)
    return (try await bench.open(path), path)
  }

  private func row(_ a: Int64, _ b: Int64) -> StoredValue {
    .record([.init("a", .integer(a)), .init("b", .integer(b)), .init("z", .integer(1))])
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func `A change of what a column is computed from is undone and redone`(form: String) async throws
  {
    let (store, _) = try await open(form)
    // As an editor writes it: with the old value of the column that is computed.
    try await bench.put(store, .integer(1), row(5, 2))
    #expect(try await store.value(.integer(1)) == row(5, 10))
    try await bench.undo(store)
    #expect(try await store.value(.integer(1)) == row(1, 2))
    try await bench.undo(store, redo: true)
    #expect(try await store.value(.integer(1)) == row(5, 10))
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.undo(store)
    #expect(try await store.value(.integer(1)) == row(5, 10))
    try await bench.undo(store)
    #expect(try await store.value(.integer(1)) == row(1, 2))
  }

  @Test func `A column that is computed by another rule now keeps nothing from being undone`()
    async throws
  {
    let (store, path) = try await open("VIRTUAL")
    try await bench.put(store, .integer(1), row(5, 2))
    try await bench.execute(
      path, "ALTER TABLE t DROP COLUMN b; ALTER TABLE t ADD COLUMN b AS (a * 3)")
    try await bench.undo(store)
    let values = [("a", 1), ("z", 1), ("b", 3)] as [(String, Int64)]
    #expect(
      try await store.value(.integer(1))
        == .record(values.map { .init($0.0, .integer($0.1)) }))
  }

  @Test func `What others wrote into a row is not undone over`() async throws {
    let (store, path) = try await open("VIRTUAL")
    try await bench.put(store, .integer(1), row(5, 2))
    try await bench.execute(path, "UPDATE t SET z = 2")
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    try await bench.execute(path, "UPDATE t SET z = 1")
    try await bench.undo(store)
    #expect(try await store.value(.integer(1)) == row(1, 2))
  }

  @Test func `A value for a computed column is refused unless the database computes it too`()
    async throws
  {
    let (store, _) = try await open("STORED")
    await #expect {
      try await bench.put(store, .integer(1), row(5, 7))
    } throws: { error in
      StoreError(error).message.contains("computes the column b")
    }
    #expect(try await store.value(.integer(1)) == row(1, 2))
    // As an import has it, of a row as it was.
    try await bench.put(store, .integer(1), row(5, 10))
    #expect(try await store.value(.integer(1)) == row(5, 10))
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func `Keys behind computed columns are told rightly`(form: String) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      CREATE TABLE w(a, g AS ('G' || a) \(form), k, h AS ('H' || k) \(form), n, PRIMARY KEY(k, n))
        WITHOUT ROWID;
      CREATE TRIGGER d AFTER UPDATE ON t WHEN new.v = 'changed' BEGIN
        UPDATE w SET k = k || '!' WHERE n = old.id; UPDATE w SET a = 'new'; END;
      INSERT INTO t VALUES(1, 'a'), (2, 'b');
      INSERT INTO w(a, k, n) VALUES('x', 'one', 1), ('y', 'two', 2);
      """)
    let before = try await rows(path, "SELECT * FROM w")
    let store = try await Stores.open(StoreLocation(path: path), journal: bench.journal)
      .store("t")
    try await store.set(.text("changed"), .integer(1))
    #expect(try await rows(path, "SELECT k FROM w WHERE a = 'new'").count == 2)
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM w") == before)
  }
}
