import Foundation
import Harmony
import LarderJournal
import LarderModel
import LarderOperations
import LarderStores
import Testing

/// Deletion of expired entries while another program writes to them.
struct ExpiredDeletionTests {
  @Test func `Entries that are still expired are deleted, though another program writes to them`()
    async throws
  {
    let bench = try JournalBench()
    let path = try await bench.folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);
      INSERT INTO cache VALUES ('a', '1', 1700000000), ('b', '2', 1700000000),
        ('c', '3', 1700000000), ('d', '4', 1900000000);
      """)
    let store = try await bench.open(path)
    let reads = Locked(0)
    let deleted = Locked<[EntryKey]>([])
    let count = try await Deletion(in: store).run(
      expired: ["a", "b", "c", "d"].map { Entry(key: .text($0)) },
      at: {
        // After `a` was read, it is written again, and `c` is refreshed.
        let number = reads.withLock {
          $0 += 1
          return $0
        }
        if number == 2 {
          #expect(throws: Never.self) {
            try Outsider.run(
              "sqlite3", path,
              "UPDATE cache SET value = '1b' WHERE key = 'a'; "
                + "UPDATE cache SET expires = 1900000000 WHERE key = 'c'")
          }
        }
        return Date(timeIntervalSince1970: 1_800_000_000)
      }, Scan()
    ) { entries in deleted.withLock { $0 += entries.map(\.key) } }
    #expect(count == 2)
    #expect(deleted.withLock { $0 } == [.text("a"), .text("b")])
    #expect(try await store.keys() == [.text("c"), .text("d")])
    try await bench.undo(store)
    #expect(try await store.keys().count == 4)
  }
}
