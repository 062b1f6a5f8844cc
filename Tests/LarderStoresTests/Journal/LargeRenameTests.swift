import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Renames of thousands of rows, for which quadratic work would be too slow.
struct LargeRenameTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `A rename of thousands of rows is made, undone and redone`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 12000)
      INSERT INTO t SELECT 'old:' || x, x FROM n;
      """)
    let store = try await bench.open(path)
    let before = try await bench.contents(store)
    let renames = try before.map { key, value in
      let new = try #require(key.replacing(prefix: "old", with: "new", style: store.keyStyle))
      return RenameQuery(key, to: new, expecting: Fingerprint(of: value))
    }
    let after = Dictionary(
      uniqueKeysWithValues: renames.map { ($0.newKey, before[$0.entryKey] ?? .null) })
    #expect(renames.count == 12_000)

    try await store.source.putAll([], in: RenamesQuery(renames)).get()
    #expect(try await bench.contents(store) == after)
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
    try await bench.undo(store, redo: true)
    #expect(try await bench.contents(store) == after)
  }

  @Test func `A chain of keys that replace each other is renamed together and undone`() async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT);
      INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'c');
      """)
    let store = try await bench.open(path)
    let before = try await bench.contents(store)
    let renames = try before.map { key, value in
      guard case .integer(let number) = key else { throw CoreError.DataSerialization() }
      return RenameQuery(key, to: .integer(number + 1), expecting: Fingerprint(of: value))
    }
    try await store.source.putAll([], in: RenamesQuery(renames)).get()
    #expect(
      try await bench.contents(store) == [
        .integer(2): .text("a"), .integer(3): .text("b"), .integer(4): .text("c"),
      ])
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A batch of renames is refused if one of the new keys exists`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT);
      INSERT INTO t VALUES('old:1', 'a'), ('old:2', 'b'), ('new:2', 'theirs');
      """)
    let store = try await bench.open(path)
    let before = try await bench.contents(store)
    let renames = try before.filter { $0.key != .text("new:2") }.map { key, value in
      let new = try #require(key.replacing(prefix: "old", with: "new", style: store.keyStyle))
      return RenameQuery(key, to: new, expecting: Fingerprint(of: value))
    }
    await #expect(
      throws: StoreError.conflict(
        current: try await store.source.get(EntryQuery(.text("new:2"))).get())
    ) {
      try await store.source.putAll([], in: RenamesQuery(renames)).get()
    }
    #expect(try await bench.contents(store) == before)
    // Nothing was recorded either.
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
  }
}
