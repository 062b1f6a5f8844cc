import Harmony
import HarmonySQLite
import LarderJournal
import LarderModel
import LarderStores
import Testing

/// Deletion of all rows whose keys have a prefix, where SQLite has no range for it.
struct PrefixDeletionTests {
  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `Keys are compared as text in a UTF-16 database`(encoding: String) async throws {
    let bench = try JournalBench()
    let path = try await bench.folder.database(
      """
      PRAGMA encoding='\(encoding)';
      CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT);
      INSERT INTO t VALUES ('aa', '1'), ('pa:1', '2'), ('pä:2', '3'), (char(24944) || 'x', '4'),
        (char(28769) || 'x', '5');
      """)
    let store = try await bench.open(path)
    try await store.source.delete(PrefixQuery("pa")).get()
    #expect(try await store.keys().count == 4)
    try await store.source.delete(PrefixQuery("pä")).get()
    #expect(Set(try await store.keys()) == [.text("aa"), .text("慰x"), .text("灡x")])
    try await bench.undo(store)
    try await bench.undo(store)
    #expect(try await store.keys().count == 5)
  }

  @Test(arguments: [
    "k TEXT COLLATE NOCASE PRIMARY KEY, n INTEGER, v TEXT",
    "k TEXT, n INTEGER, v TEXT, PRIMARY KEY(k, n)",
  ])
  func `A row that a trigger keeps fails the deletion, which changes nothing`(
    columns: String
  ) async throws {
    let bench = try JournalBench()
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(\(columns));
      INSERT INTO t VALUES ('aa:1', 1, 'x'), ('p:1', 1, '1'), ('p:keep', 1, '2'), ('p:4', 1, '4');
      CREATE TRIGGER keep BEFORE DELETE ON t WHEN old.k = 'p:keep' BEGIN SELECT RAISE(IGNORE); END;
      """)
    let store = try await bench.open(path)
    let before = try bench.dump(path)
    let prefix = columns.contains("PRIMARY KEY(k") ? "(p:" : "p:"
    await #expect(throws: StoreError.self) {
      try await store.source.delete(PrefixQuery(prefix)).get()
    }
    #expect(try bench.dump(path) == before)
  }
}
