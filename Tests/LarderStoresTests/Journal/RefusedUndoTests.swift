import LarderJournal
import Harmony
import LarderModel
import LarderStores
import Testing

/// The state of the journal after a refused undo.
struct RefusedUndoTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `An undo refused because the key columns differ leaves the journal unchanged`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', '1')")
    let former = try await bench.open(path, "t")
    try await former.source.delete(EntryQuery(.text("a"))).get()
    let before = try await bench.journal.steps()
    try await bench.execute(
      path,
      "DROP TABLE t; CREATE TABLE t(x INTEGER, y INTEGER, z, PRIMARY KEY(x, y)); "
        + "INSERT INTO t VALUES(1, 2, 3)")
    let store = try await bench.open(path, "t")
    for _ in 0..<2 {
      await #expect(throws: StoreError.self) { try await bench.undo(store) }
      #expect(try await bench.journal.steps() == before)
    }
    let key = EntryKey.composite([.integer(1), .integer(2)])
    try await store.source.delete(EntryQuery(key)).get()
    #expect(try await bench.undo(store)?.number == 2)
    #expect(try await store.keys() == [key])
    #expect(try await bench.undo(store, redo: true)?.number == 2)
    #expect(try await store.keys() == [])
  }
}
