import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Rows with generated columns.
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

  @Test func `A changed generated column does not prevent undo`()
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

  @Test func `A value for a generated column is refused unless it matches the computed one`()
    async throws
  {
    let (store, _) = try await open("STORED")
    await #expect {
      try await bench.put(store, .integer(1), row(5, 7))
    } throws: { error in
      StoreError(error).message.contains("computes the column b")
    }
    #expect(try await store.value(.integer(1)) == row(1, 2))
    // As in an import of a previously exported row.
    try await bench.put(store, .integer(1), row(5, 10))
    #expect(try await store.value(.integer(1)) == row(5, 10))
  }
}
