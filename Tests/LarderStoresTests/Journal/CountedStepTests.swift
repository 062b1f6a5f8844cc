import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Changes to several database rows: the journal lists the first one, and the database records all.
struct CountedStepTests {
  private let bench: JournalBench
  private let store: Store

  init() async throws {
    bench = try JournalBench()
    let path = try await bench.folder.database(
      """
      CREATE TABLE kv(k TEXT PRIMARY KEY, v, twice AS (v || v));
      INSERT INTO kv VALUES('a', 'x'), ('b', 'y'), ('c', 'z');
      """)
    store = try await bench.open(path)
  }

  private func change(_ keys: [String], to value: StoredValue?) async throws {
    var changes: [EntryChange] = []
    for key in keys {
      let entry = try #require(try await store.source.entry(.text(key)))
      changes.append(
        EntryChange(
          entry.key, value: value.flatMap { entry.value?.setting("v", to: $0) },
          expecting: entry.fingerprint))
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
  }

  private func old(_ key: String) async throws -> StoredValue? {
    try await store.history?.entry(before: .text(key))?.value?.field("v")
  }

  @Test func `The previous value of each row is known`() async throws {
    try await change(["a", "b"], to: .text("new"))
    #expect(try await old("a") == .text("x"))
    #expect(try await old("b") == .text("y"))
    #expect(try await store.history?.entry(before: .text("c")) == nil)
    try await change(["b"], to: .text("newer"))
    #expect(try await old("b") == .text("new"))
    try await store.source.delete(PrefixQuery("")).get()
    #expect(try await old("b") == .text("newer"))
    #expect(try await old("c") == .text("z"))
    try await bench.undo(store)
    #expect(try await store.history?.entry(before: .text("c")) == nil)
    #expect(try await old("b") == .text("new"))
  }

  @Test func `Rows changed by other programs since are listed as conflicts`() async throws {
    try await change(["a", "b", "c"], to: .text("new"))
    #expect(try await store.history?.conflicts(of: ReplayRequest(), limit: 9) == [])
    try Outsider.run(
      "sqlite3", bench.folder.file("test.db"), "UPDATE kv SET v = 'mine' WHERE k > 'a'")
    let conflicts = try await store.history?.conflicts(of: ReplayRequest(), limit: 9) ?? []
    #expect(conflicts.map(\.key) == [.text("b"), .text("c")])
    #expect(conflicts.map { $0.expected.value?.field("v") } == [.text("new"), .text("new")])
    #expect(conflicts.map { $0.found.value?.field("v") } == [.text("mine"), .text("mine")])
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try await store.source.entry(.text("a"))?.value?.field("v") == .text("new"))
  }

  @Test func `The number of rows in a change is recorded`() async throws {
    try await store.source.delete(PrefixQuery("")).get()
    let step = try #require(try await store.history?.steps(isRedo: false, limit: 1).first)
    #expect(step.action == .delete && step.count == 3 && step.key == .text("a"))
    try await bench.undo(store)
    #expect(try await store.keys() == [.text("a"), .text("b"), .text("c")])
    let redone = try await bench.undo(store, redo: true)
    #expect(redone?.count == 3)
    #expect(try await store.keys() == [])
  }

  @Test(arguments: [true, false])
  func `A killed deletion of all rows is undone if it was made`(isMade: Bool) async throws {
    let before = try await bench.contents(store)
    try await store.source.delete(PrefixQuery("")).get()
    if !isMade {
      try Outsider.run(
        "sqlite3", bench.folder.file("test.db"),
        "INSERT INTO kv VALUES('a', 'x'), ('b', 'y'), ('c', 'z')")
    }
    try await bench.interrupt()
    if isMade {
      try await bench.undo(store)
    } else {
      await #expect(throws: StoreError.self) { try await bench.undo(store) }
    }
    #expect(try await bench.contents(store) == before)
    #expect(try await store.history?.steps(isRedo: false, limit: 9) == [])
  }

  @Test func `A killed deletion is not discarded because another program restored its first row`()
    async throws
  {
    try await store.source.delete(PrefixQuery("")).get()
    let path = bench.folder.file("test.db")
    try Outsider.run("sqlite3", path, "INSERT INTO kv VALUES('a', 'x')")
    try await bench.interrupt()
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try await store.history?.steps(isRedo: false, limit: 9).count == 1)
    try Outsider.run("sqlite3", path, "DELETE FROM kv")
    try await bench.undo(store)
    #expect(try await store.keys() == [.text("a"), .text("b"), .text("c")])
  }

  @Test(arguments: [true, false])
  func `A deletion that the database prevents is reported`(hasJournal: Bool) async throws {
    let path = bench.folder.file("test.db")
    try Outsider.run(
      "sqlite3", path,
      "CREATE TRIGGER keep BEFORE DELETE ON kv WHEN old.k = 'b' BEGIN SELECT raise(ignore); END")
    let store = hasJournal ? store : try await Stores.store(path)
    let before = try await bench.contents(store)
    await #expect(throws: StoreError.self) { try await store.source.delete(PrefixQuery("")).get() }
    #expect(try await bench.contents(store) == before)
    #expect(try await bench.journal.steps().isEmpty)
  }

  @Test func `A row is traced back through its old key`() async throws {
    try await change(["a", "b"], to: .text("new"))
    let rename = try #require(try await bench.renaming(store, "b", to: .text("d")))
    try await store.source.put(nil, in: rename).get()
    #expect(try await old("d") == .text("y"))
    // Another row has its old key now.
    try await bench.put(
      store, .text("b"), .record([StoredValue.Field("v", .text("other"))]))
    try await change(["a", "b"], to: nil)
    #expect(try await old("d") == .text("y"))
    #expect(try await old("b") == .text("other"))
  }
}
