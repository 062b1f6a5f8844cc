import LarderJournal
import Harmony
import LarderCore
import LarderStores
import Testing

/// Caches that keep large values in files beside the database.
struct ValueFileTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private static let table =
    "CREATE TABLE Cache(rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL, "
    + "expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB, "
    + "size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB); "
    + "INSERT INTO Cache(rowid, key, raw, mode, filename, value) VALUES"
    + "(1, 'small', 1, 1, NULL, 'x'), (2, 'big', 1, 2, 'ab/cd/ef.val', NULL), "
    + "(3, 'other', 1, 2, 'gh/ij/kl.val', NULL); "

  @Test(arguments: [true, false])
  func `The file of a row that is deleted is named`(isRecorded: Bool) async throws {
    let path = try await bench.folder.database(
      Self.table + "CREATE TABLE Settings(key TEXT NOT NULL UNIQUE, value)")
    let store =
      isRecorded
      ? try await bench.open(path, "Cache")
      : try await Stores.open(StoreLocation(path: path)).store("Cache")
    let keys = try await store.keys()
    #expect(keys.count == 3)
    try await store.source.delete(EntryQuery(keys[0])).get()
    #expect(store.remarks?.take() == [])
    try await store.source.delete(EntryQuery(keys[1])).get()
    let said = store.remarks?.take() ?? []
    #expect(said.count == 1 && said[0].contains("ab/cd/ef.val"))
    guard isRecorded else { return }
    try await bench.undo(store)
    #expect(store.remarks?.take() == [])
    #expect(try await store.keys() == [keys[1], keys[2]])
  }

  @Test(arguments: [true, false])
  func `The file of a row that is renamed stays named, and that of one that is overwritten is told`(
    isRecorded: Bool
  ) async throws {
    let path = try await bench.folder.database(
      Self.table + "CREATE TABLE Settings(key TEXT NOT NULL UNIQUE, value)")
    let store =
      isRecorded
      ? try await bench.open(path, "Cache")
      : try await Stores.open(StoreLocation(path: path)).store("Cache")
    let entry = try await store.source.get(EntryQuery(try await store.keys()[1])).get()
    let print = try #require(entry.fingerprint)
    let key = EntryKey.integer(77)
    _ = try await store.source.put(nil, in: RenameQuery(entry.key, to: key, expecting: print)).get()
    #expect(store.remarks?.take() == [])
    let moved = try #require(try await store.value(key))
    try await bench.put(store, key, moved.setting("filename", to: .null))
    #expect(store.remarks?.take().count == 1)
    try await store.source.delete(PrefixQuery("")).get()
    #expect(store.remarks?.take().count == 1)
  }

  @Test func `A table that is no such cache is not told about files`() async throws {
    let path = try await bench.folder.database(Self.table)
    let store = try await bench.open(path, "Cache")
    try await store.source.delete(EntryQuery(try await store.keys()[1])).get()
    #expect(store.remarks?.take() == [])
  }
}
