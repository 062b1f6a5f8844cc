import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Changes whose keys the store converts, or whose keys are indexes.
struct KeysJournalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func json(_ text: String) async throws -> Store {
    try await bench.open(try bench.folder.write(Array(text.utf8), to: "test.json"))
  }

  private static func element(_ number: Int64) -> EntryKey {
    .composite([.text("arr"), .integer(number)])
  }

  /// Undoes, redoes and undoes the last change.
  private func checkUndo(
    _ store: Store, _ before: [EntryKey: StoredValue], _ count: Int = 1
  ) async throws {
    let after = try await bench.contents(store)
    #expect(after != before)
    #expect(try await bench.undo(store)?.count == count)
    #expect(try await bench.contents(store) == before)
    try await bench.undo(store, redo: true)
    #expect(try await bench.contents(store) == after)
    try await bench.undo(store)
    #expect(try await bench.contents(store) == before)
  }

  @Test(arguments: [
    ("kv(key TEXT PRIMARY KEY, value)", EntryKey.integer(43)),
    ("kv(a INTEGER, b INTEGER, value, PRIMARY KEY(a, b))", .composite([.real(5), .integer(1)])),
  ])
  func `A change under a key that the database converts is undone`(schema: String, key: EntryKey)
    async throws
  {
    let store = try await bench.open(try await bench.folder.database("CREATE TABLE \(schema)"))
    let isSingle = if case .integer = key { true } else { false }
    let value = isSingle ? StoredValue.text("x") : .record([.init("value", .text("x"))])
    let written = try await bench.put(store, key, value)
    #expect(written.key != key)
    try await checkUndo(store, [:])
  }

  @Test func `A rename to a key that the database converts is undone`() async throws {
    let store = try await bench.open(
      try await bench.folder.database(
        "CREATE TABLE kv(key TEXT PRIMARY KEY, value); INSERT INTO kv VALUES('a', 1)"))
    let rename = try #require(try await bench.renaming(store, "a", to: .integer(42)))
    try await store.source.put(nil, in: rename).get()
    try await checkUndo(store, [.text("a"): .integer(1)])
  }

  @Test(arguments: ["/arr/-", "/arr/3", "/new", "/arr/0"])
  func `A value written by pointer is undone`(pointer: String) async throws {
    let store = try await json(#"{"arr": [1, 2, 3], "x": 0}"#)
    let before = try await bench.contents(store)
    try await bench.put(store, .text(pointer), .text("C"))
    try await checkUndo(store, before)
  }

  @Test func `A failed undo leaves its change undoable and the previous one unchanged`()
    async throws
  {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    let store = try await bench.open(path)
    try await bench.put(store, .text("a"), .integer(1))
    try await bench.put(store, .text("b"), .integer(1))
    for change in ["UPDATE t SET v = 9 WHERE k = 'b'", "DELETE FROM t WHERE k = 'b'"] {
      try await bench.execute(path, change)
      for _ in 0..<2 {
        await #expect(throws: StoreError.self) { try await bench.undo(store) }
        #expect(try await store.value(.text("a")) == .integer(1))
        #expect(try await bench.journal.steps().map(\.step.isUndone) == [false, false])
      }
    }
    try await bench.execute(path, "INSERT INTO t VALUES('b', 1)")
    try await bench.undo(store)
    try await bench.undo(store)
    #expect(try await bench.contents(store).isEmpty)
  }

  @Test func `A change undone before another change is not redone`() async throws {
    let store = try await bench.open("memory:")
    let key = EntryKey.text("k")
    try await bench.put(store, key, .integer(1))
    try await bench.put(store, key, .integer(2))
    try await bench.undo(store)
    try await bench.put(store, key, .integer(3))
    try await bench.undo(store)
    try await bench.undo(store, redo: true)
    #expect(try await bench.contents(store) == [key: .integer(3)])
    await #expect(throws: StoreError.self) { try await bench.undo(store, redo: true) }
  }

  @Test(arguments: [[0], [1], [2], [0, 1], [0, 2], [2, 1], [0, 1, 2, 3]])
  func `Deleted elements are restored at their indexes`(places: [Int64]) async throws {
    let nested = try await json(#"{"arr": [1, [2], {"a": 3}, 1], "x": 0}"#)
    var before = try await bench.contents(nested)
    try await nested.source.delete(IdsQuery(places.map(Self.element))).get()
    try await checkUndo(nested, before, places.count)
    let top = try await bench.open(
      try bench.folder.write(Array("[1, [2], 3, 1]".utf8), to: "top.json"))
    before = try await bench.contents(top)
    try await top.source.delete(IdsQuery(places.map { EntryKey.integer($0) })).get()
    try await checkUndo(top, before, places.count)
  }

  @Test func `One of several members with the same name is restored at its position`() async throws
  {
    let store = try await json(#"{"n": 1, "n": 2, "n": 3}"#)
    let before = try await bench.contents(store)
    try await store.source.delete(EntryQuery(.text("n"))).get()
    try await checkUndo(store, before)
  }

  @Test func `An element that a later change moved is not mistaken for another`() async throws {
    let store = try await json(#"{"arr": [1, 9, 9, 4], "x": 0}"#)
    let before = try await bench.contents(store)
    try await bench.put(store, Self.element(1), .integer(5))
    try await bench.put(store, Self.element(2), .integer(5))
    try await store.source.delete(EntryQuery(Self.element(0))).get()
    let after = try await bench.contents(store)
    let steps = try await bench.journal.steps()
    let error = await #expect(throws: StoreError.self) {
      try await bench.undo(store, step: steps.last?.step.number)
    }
    #expect(error?.message.contains("was moved by change") == true)
    #expect(try await bench.contents(store) == after)
    for _ in 0..<3 { try await bench.undo(store) }
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A rename is undone in a table with generated columns`() async throws {
    let store = try await bench.open(
      try await bench.folder.database(
        """
        CREATE TABLE t(k TEXT PRIMARY KEY, v, n, g AS (k || v));
        CREATE TRIGGER r AFTER UPDATE OF k ON t BEGIN
          UPDATE t SET n = n + 1 WHERE k = NEW.k;
        END;
        INSERT INTO t VALUES('a', 1, 0);
        """))
    let rename = try #require(try await bench.renaming(store, "a", to: .text("b")))
    try await store.source.put(nil, in: rename).get()
    for _ in 0..<2 {
      try await bench.undo(store)
      #expect(try await bench.contents(store).keys.first == .text("a"))
      try await bench.undo(store, redo: true)
      #expect(try await bench.contents(store).keys.first == .text("b"))
    }
  }

  @Test func `Nothing is deleted if an entry could not be restored`() async throws {
    for name in ["a", "c"] { _ = try bench.folder.write([1], to: "files/\(name)") }
    let files = bench.folder.file("files")
    try FileManager.default.createSymbolicLink(atPath: files + "/b", withDestinationPath: "a")
    let store = try await bench.open(files)
    let error = await #expect(throws: StoreError.self) {
      try await store.source.delete(PrefixQuery("")).get()
    }
    #expect(error?.message.contains("b cannot be") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 3)
    #expect(try await bench.journal.steps().isEmpty)
  }

  @Test func `A rename does not store the value, and a rename to the same key is not a change`()
    async throws
  {
    let journal = Journal(path: bench.folder.file("small.db"), limit: 10_000)
    let path = try bench.folder.write([UInt8](repeating: 7, count: 20_000), to: "files/a")
    let store = try await Stores.open(
      StoreLocation(path: String(path.dropLast(2))), journal: journal
    ).store(nil)
    let same = try #require(try await bench.renaming(store, "a", to: .text("a")))
    #expect(try await store.source.put(nil, in: same).get().key == .text("a"))
    #expect(try await journal.steps().isEmpty)
    let rename = try #require(try await bench.renaming(store, "a", to: .text("b")))
    try await store.source.put(nil, in: rename).get()
    try await bench.undo(store)
    #expect(try await bench.contents(store).keys.first == .text("a"))
  }
}
