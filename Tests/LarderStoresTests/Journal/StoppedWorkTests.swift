import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Deletions of many entries that are stopped before they complete.
struct StoppedWorkTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// Returns a scan that stops after a number of changes.
  private func scan(stoppingAfter count: Int) -> Scan {
    Scan { scan in
      if scan.changed == count { scan.stop() }
    }
  }

  /// Deletes all entries by prefix or by key, and expects the deletion to be stopped.
  private func delete(_ store: Store, byPrefix: Bool, _ scan: Scan) async throws {
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    let changes = entries.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }
    await #expect(throws: CancellationError.self) {
      if byPrefix {
        try await store.source.delete(PrefixQuery("k", scan: scan)).get()
      } else {
        _ = try await store.source.putAll([], in: ChangesQuery(changes, scan: scan)).get()
      }
    }
  }

  @Test(arguments: [true, false]) func `A stopped transaction changes nothing`(
    byPrefix: Bool
  ) async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE kv(key TEXT PRIMARY KEY, value);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29)
        INSERT INTO kv SELECT printf('k%02d', i), i FROM n;
      """)
    let store = try await bench.open(path)
    let before = try await bench.contents(store)
    let scan = scan(stoppingAfter: 10)
    try await delete(store, byPrefix: byPrefix, scan)
    #expect(scan.changed == 0, "all of it was rolled back")
    #expect(try await bench.contents(store) == before)
    #expect(try await bench.journal.steps().isEmpty)
    // The stopped change does not affect the next one.
    try await bench.put(store, .text("k00"), .text("new"))
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
  }

  @Test(arguments: [true, false]) func `Files deleted before the stop are restored in one undo`(
    byPrefix: Bool
  ) async throws {
    for number in 0..<9 { _ = try bench.folder.write([UInt8(number)], to: "root/k\(number)") }
    let store = try await bench.open(bench.folder.file("root"))
    let before = try await bench.contents(store)
    let scan = scan(stoppingAfter: 4)
    try await delete(store, byPrefix: byPrefix, scan)
    #expect(scan.changed == 4)
    #expect(try await bench.contents(store).count == 5)
    let left = try await bench.contents(store)
    #expect(try await bench.journal.steps().map(\.step.count) == [4])
    #expect(try await bench.undo(store)?.count == 4)
    #expect(try await bench.contents(store) == before)
    // A redo does not delete files that were never deleted.
    try await bench.undo(store, redo: true)
    #expect(try await bench.contents(store) == left)
  }

  @Test func `A change stopped while reading changes nothing`() async throws {
    let path = try bench.folder.write(Array(#"{"k1": 1, "k2": 2}"#.utf8), to: "test.json")
    let store = try await bench.open(path)
    for byPrefix in [true, false] {
      try await delete(store, byPrefix: byPrefix, Scan { $0.stop() })
    }
    #expect(try await bench.contents(store).count == 2)
    #expect(try await bench.journal.steps().isEmpty)
  }

  @Test func `A deletion can be stopped while the elements behind it are read`() async throws {
    let elements = (0..<100).map { "\"\\u0041 \($0)\"" }.joined(separator: ", ")
    let text = "{\"a\": [\(elements)]}"
    let path = try bench.folder.write(Array(text.utf8), to: "test.json")
    let store = try await bench.open(path)
    let first = EntryKey.composite([.text("a"), .integer(0)])
    let entry = try await store.source.get(EntryQuery(first)).get()
    let calls = Locked(0)
    let scan = Scan { scan in
      let count = calls.withLock { calls in
        calls += 1
        return calls
      }
      if count == 20 { scan.stop() }
    }
    let change = EntryChange(first, value: nil, expecting: entry.fingerprint)
    await #expect(throws: CancellationError.self) {
      _ = try await store.source.putAll([], in: ChangesQuery([change], scan: scan)).get()
    }
    #expect(try bench.folder.bytes("test.json") == Array(text.utf8))
    #expect(try await bench.journal.steps().isEmpty)
  }
}
