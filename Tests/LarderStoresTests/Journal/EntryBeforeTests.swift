import Harmony
import LarderCore
import LarderStores
import Testing

/// What the journal says of an entry before its last change.
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
    try await store.source.get(EntryBeforeQuery(.text(key))).get()
  }

  @Test func `The last change that was not taken back counts`() async throws {
    let store = try await store()
    await #expect(throws: CoreError.NotFound.self) { _ = try await before("a", store) }
    try await bench.put(store, .text("a"), .text("two"))
    try await bench.put(store, .text("a"), .text("three"))
    let entry = try await before("a", store)
    #expect(entry.value == .text("two"))
    #expect(entry.modified != nil)
    try await bench.undo(store)
    #expect(try await before("a", store).value == .text("one"))
  }

  @Test func `An entry that was added had no value before`() async throws {
    let store = try await store()
    try await bench.put(store, .text("b"), .text("new"))
    #expect(try await before("b", store).value == nil)
    await #expect(throws: CoreError.NotFound.self) { _ = try await before("a", store) }
  }

  @Test func `An entry is followed back through its names`() async throws {
    let store = try await store()
    try await bench.put(store, .text("a"), .text("two"))
    let rename = try #require(try await bench.renaming(store, "a", to: .text("z")))
    try await store.source.put(nil, in: rename).get()
    let entry = try await before("z", store)
    #expect(entry.key == .text("a"))
    #expect(entry.value == .text("one"))
  }

  @Test func `A store without a journal has nothing to say`() async throws {
    let path = try await bench.folder.database("CREATE TABLE kv(key TEXT PRIMARY KEY, value)")
    let store = try await Stores.open(StoreLocation(path: path)).store(nil)
    await #expect(throws: CoreError.QueryNotSupported.self) {
      _ = try await before("a", store)
    }
  }
}
