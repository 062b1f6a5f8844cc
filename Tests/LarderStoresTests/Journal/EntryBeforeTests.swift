import LarderDocuments
import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// The journal's record of an entry before its last change.
struct EntryBeforeTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func store() async throws -> Store {
    try await bench.open(
      try await bench.folder.database(
        "CREATE TABLE kv(key TEXT PRIMARY KEY, value); INSERT INTO kv VALUES('a', 'one')"))
  }

  private func before(_ key: String, _ store: Store) async throws -> Entry {
    let entry = try await store.history?.entry(before: .text(key))
    return try #require(entry)
  }

  @Test func `The last change that was not undone counts`() async throws {
    let store = try await store()
    #expect(try await store.history?.entry(before: .text("a")) == nil)
    try await bench.put(store, .text("a"), .text("two"))
    try await bench.put(store, .text("a"), .text("three"))
    let entry = try await before("a", store)
    #expect(entry.value == .text("two"))
    #expect(entry.modified != nil)
    try await bench.undo(store)
    #expect(try await before("a", store).value == .text("one"))
  }

  @Test func `An added entry has no previous value`() async throws {
    let store = try await store()
    try await bench.put(store, .text("b"), .text("new"))
    #expect(try await before("b", store).value == nil)
    #expect(try await store.history?.entry(before: .text("a")) == nil)
  }

  @Test func `An entry is traced back through renames`() async throws {
    let store = try await store()
    try await bench.put(store, .text("a"), .text("two"))
    let rename = try #require(try await bench.renaming(store, "a", to: .text("z")))
    try await store.source.put(nil, in: rename).get()
    let entry = try await before("z", store)
    #expect(entry.key == .text("a"))
    #expect(entry.value == .text("one"))
  }

  @Test func `A conflict names the later change that caused it, if one is recorded`() async throws {
    let store = try await store()
    func later() async throws -> Int64? {
      let conflicts = try await store.history?.conflicts(of: ReplayRequest(step: 1), limit: 1)
      return try #require(conflicts?.first).later
    }
    try await bench.put(store, .text("a"), .text("two"))
    try await bench.put(store, .text("a"), .text("three"))
    #expect(try await later() == 2)
    try await bench.execute(store.location.path, "UPDATE kv SET value = 'theirs'")
    #expect(try await later() == nil)
    try await bench.put(store, .text("a"), .text("four"))
    let rename = try #require(try await bench.renaming(store, "a", to: .text("z")))
    try await store.source.put(nil, in: rename).get()
    #expect(try await later() == 4)
    let left = try await store.history?.steps(leaving: [
      Entry(key: .text("a")), try await store.source.get(EntryQuery(.text("z"))).get(),
      Entry(key: .text("y"), value: .text("four")), Entry(key: .text("x")),
    ])
    #expect(left?.mapValues(\.number) == [.text("a"): 4, .text("z"): 4])
    // An undone change leaves the entry as it was before it.
    try await bench.undo(store)
    let undone = try await store.history?.steps(leaving: [
      Entry(key: .text("z")), try await store.source.get(EntryQuery(.text("a"))).get(),
    ])
    #expect(undone?.mapValues(\.number) == [.text("a"): 4, .text("z"): 4])
  }

  private func list(_ text: String) async throws -> Store {
    let path = bench.folder.file("list.json")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try await bench.open(path)
  }

  private func delete(_ store: Store, _ keys: EntryKey...) async throws {
    var changes: [EntryChange] = []
    for key in keys {
      let entry = try await store.source.get(EntryQuery(key)).get()
      changes.append(EntryChange(key, value: nil, expecting: entry.fingerprint))
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
  }

  private func before(_ key: EntryKey, _ store: Store) async throws -> StoredValue? {
    let entry = try await store.history?.entry(before: key)
    return try #require(entry).value
  }

  private func place(_ steps: Int...) -> EntryKey {
    EntryKey(path: steps.map { .index($0) })
  }

  @Test func `An element is traced back to its old index`() async throws {
    let store = try await list(#"["a","b","c","d"]"#)
    try await bench.put(store, place(2), .text("C"))
    try await delete(store, place(0))
    #expect(try await before(place(1), store) == .text("c"))
    for other in [0, 2] {
      #expect(try await store.history?.entry(before: place(other)) == nil)
    }
    try await bench.undo(store)
    #expect(try await before(place(2), store) == .text("c"))
  }

  @Test func `A value inside an element is traced back with it`() async throws {
    let store = try await list(#"[["a"],["b"],["c","x"]]"#)
    try await bench.put(store, place(2, 0), .text("C"))
    try await delete(store, place(1))
    #expect(try await before(place(1, 0), store) == .text("c"))
    #expect(try await store.history?.entry(before: place(2, 0)) == nil)
  }

  @Test func `Elements are not confused if several have moved`() async throws {
    let store = try await list(#"["a","b","c","d","e"]"#)
    try await bench.put(store, place(2), .text("C"))
    try await delete(store, place(0), place(3))
    let error = await #expect(throws: StoreError.self) {
      _ = try await before(place(2), store)
    }
    #expect(error?.message.contains("moved") == true)
  }
}
