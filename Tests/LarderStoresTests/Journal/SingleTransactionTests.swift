import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderJournal

/// A change of a database takes one transaction there and one in the journal, before it commits.
struct SingleTransactionTests {
  private let bench: JournalBench
  private let path: String
  private let store: Store

  init() async throws {
    bench = try JournalBench()
    path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER); INSERT INTO t VALUES('a', 1), ('b', 1)")
    store = try await bench.open(path)
    // Creates the journal.
    try await bench.put(store, .text("a"), .integer(2))
  }

  /// The number of transactions that changed a database, modulo 2^32, which its header counts.
  private func transactions(_ path: String) throws -> UInt32 {
    let header = try Data(contentsOf: URL(filePath: path)).prefix(28)
    return header.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func count(_ change: () async throws -> Void) async throws -> [UInt32] {
    let before = try [path, bench.journal.path].map(transactions)
    try await change()
    return zip(try [path, bench.journal.path].map(transactions), before).map { $0 &- $1 }
  }

  @Test func `A write, a rename and a deletion are a transaction each in both files`()
    async throws
  {
    #expect(try await count { try await bench.put(store, .text("a"), .integer(3)) } == [1, 1])
    #expect(try await count { try await bench.put(store, .text("c"), .integer(4)) } == [1, 1])
    let rename = try #require(try await bench.renaming(store, "c", to: .text("d")))
    #expect(try await count { _ = try await store.source.put(nil, in: rename).get() } == [1, 1])
    #expect(try await count { try await store.source.delete(PrefixQuery("")).get() } == [1, 1])
    for _ in 0..<5 { try await bench.undo(store) }
    #expect(
      try await bench.contents(store) == [.text("a"): .integer(1), .text("b"): .integer(1)])
  }

  @Test func `A change that was recorded but never made is forgotten`() async throws {
    try await bench.undo(store)
    try await bench.put(store, .text("b"), .integer(5))
    let number = try #require(try await bench.journal.steps().first?.step.number)
    // The process was killed before the database committed.
    try await bench.execute(path, "UPDATE t SET v = 1 WHERE k = 'b'")
    try await endProcess()
    let error = await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(error == .alreadyReplayed(number, isRedo: false))
    // The change before it can be redone, as if the other one had never been recorded.
    #expect(try await bench.undo(store, redo: true)?.key == .text("a"))
    #expect(
      try await bench.contents(store) == [.text("a"): .integer(2), .text("b"): .integer(1)])
  }

  @Test func `A change is not forgotten while its process runs`() async throws {
    try await bench.put(store, .text("b"), .integer(5))
    // The database has not committed yet.
    try await bench.execute(path, "UPDATE t SET v = 1 WHERE k = 'b'")
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    try await bench.execute(path, "UPDATE t SET v = 5 WHERE k = 'b'")
    #expect(try await bench.undo(store)?.key == .text("b"))
  }

  @Test func `A change is not forgotten if another program reverted only a part of it`()
    async throws
  {
    var changes: [EntryChange] = []
    for key in [EntryKey.text("a"), .text("b")] {
      let current = try await store.source.entry(key)
      changes.append(EntryChange(key, value: .integer(9), expecting: current?.fingerprint))
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    try await bench.execute(path, "UPDATE t SET v = CASE k WHEN 'a' THEN 2 ELSE 7 END")
    try await endProcess()
    await #expect {
      try await bench.undo(store)
    } throws: {
      if case .conflict = StoreError($0) { true } else { false }
    }
    try await bench.execute(path, "UPDATE t SET v = 9")
    try await bench.undo(store)
    #expect(
      try await bench.contents(store) == [.text("a"): .integer(2), .text("b"): .integer(1)])
  }

  /// Records all changes as made by a process that has ended.
  private func endProcess() async throws {
    try await bench.execute(bench.journal.path, "UPDATE steps SET process = '1:0'")
  }

  @Test func `A change that the database refuses to commit leaves no record`() async throws {
    try await bench.execute(
      path, "CREATE TABLE u(k TEXT PRIMARY KEY REFERENCES t(k)); INSERT INTO u VALUES('b')")
    let store = try await bench.open(path, "t")
    await #expect(throws: StoreError.self) {
      try await store.source.delete(EntryQuery(.text("b"))).get()
    }
    #expect(try await bench.journal.steps().count == 1)
    #expect(try await bench.undo(store)?.key == .text("a"))
  }
}
