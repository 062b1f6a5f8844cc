import Harmony
import LarderCore
import LarderStores
import Testing

/// Members of one name, which are numbered, and move when one before them goes.
struct RepeatedNameTests {
  /// So many that a search for each from the first would not end while anybody waits.
  private static let count = 8_000

  @Test func `One of very many members of one name can be deleted, and comes back`() async throws {
    let bench = try JournalBench()
    let members = (0..<Self.count).map { "\"a\": \($0)" }.joined(separator: ", ")
    let text = Array("{\"o\": {\(members)}}".utf8)
    let path = try bench.folder.write(text, to: "test.json")
    let store = try await bench.open(path)
    func key(_ repetition: Int) -> EntryKey {
      EntryKey(path: [.name("o"), .name("a", repetition: repetition)])
    }
    try await store.source.delete(EntryQuery(key(3))).get()
    #expect(try await store.value(key(3)) == .integer(4))
    #expect(try await store.value(key(Self.count - 2)) == .integer(Int64(Self.count - 1)))
    try await bench.undo(store)
    #expect(try bench.folder.bytes("test.json") == text)
    // Without its bytes, the step comes back by values.
    try await bench.undo(store, redo: true)
    try await bench.execute(bench.journal.path, "UPDATE steps SET revision = NULL")
    try await bench.undo(store)
    #expect(try await store.value(key(3)) == .integer(3))
    #expect(try await store.value(key(Self.count - 1)) == .integer(Int64(Self.count - 1)))
  }
}
