import LarderDocuments
import LarderJournal
import Harmony
import LarderModel
import LarderStores
import Testing

/// Repeated members with the same name, whose numbers change when an earlier one is deleted.
struct RepeatedNameTests {
  /// Enough members to make quadratic searches too slow.
  private static let count = 4_000

  @Test func `One of thousands of members with the same name can be deleted and restored`()
    async throws
  {
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
    // Without the bytes of the file, the change is undone by value.
    try await bench.undo(store, redo: true)
    try await bench.execute(bench.journal.path, "DELETE FROM records")
    try await bench.undo(store)
    #expect(try await store.value(key(3)) == .integer(3))
    #expect(try await store.value(key(Self.count - 1)) == .integer(Int64(Self.count - 1)))
  }
}

/// Array elements that later changes may have moved.
struct MovedElementTests {
  private let bench: JournalBench
  private let store: Store

  init() async throws {
    bench = try JournalBench()
    let elements = (0..<3_000).map { "\($0)" }.joined(separator: ", ")
    let path = try bench.folder.write(
      Array("{\"a\": [\(elements)], \"b\": [\(elements)]}".utf8), to: "test.json")
    store = try await bench.open(path)
  }

  private func delete(_ list: String, _ index: Int) async throws {
    let key = EntryKey(path: [.name(list), .index(index)])
    try await store.source.delete(EntryQuery(key)).get()
  }

  @Test func `A deletion in one array can be undone after a deletion in another`() async throws {
    try await delete("a", 5)
    try await delete("b", 5)
    try await bench.undo(store, step: 1)
    #expect(try await store.value(EntryKey(path: [.name("a"), .index(2_999)])) == .integer(2_999))
    #expect(try await store.value(EntryKey(path: [.name("b"), .index(2_998)])) == .integer(2_999))
  }

  @Test func `A deletion cannot be undone before later ones that moved its elements`()
    async throws
  {
    try await delete("a", 5)
    try await delete("a", 2)
    try await delete("a", 8)
    try await delete("b", 1)
    let text = try bench.folder.bytes("test.json")
    let error = await #expect(throws: StoreError.self) { try await bench.undo(store, step: 1) }
    #expect(error?.message.contains("was moved by change 3, which must be undone before") == true)
    #expect(try bench.folder.bytes("test.json") == text)
    for step in [Int64(3), 2, 1] { try await bench.undo(store, step: step) }
    #expect(try await store.value(EntryKey(path: [.name("a"), .index(2_999)])) == .integer(2_999))
  }
}
