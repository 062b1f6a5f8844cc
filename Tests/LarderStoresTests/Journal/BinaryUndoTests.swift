import LarderJournal
import Harmony
import LarderModel
import LarderStores
import Testing

/// Undo by value in a binary property list that another program has changed.
struct BinaryUndoTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private static func text(_ text: String) -> [UInt8] {
    [0x50 | UInt8(text.utf8.count)] + text.utf8
  }

  /// Returns a `bplist00` property list of the given objects, starting with the root, with one-byte
  /// references.
  private static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let start = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [objects.count, 0, start] { bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(number)] }
    return bytes
  }

  private static let single: [UInt8] = [0x22, 0x3F, 0x8C, 0xCC, 0xCD]  // 1.1

  private func store() async throws -> Store {
    let bytes = Self.list([
      [0xD5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      Self.text("set"), Self.text("small"), Self.text("deep"), Self.text("list"),
      Self.text("other"), [0xC2, 11, 12], Self.single, [0xA2, 6, 13], [0xA3, 14, 14, 15],
      Self.text("x"), [0x10, 1], [0x10, 2], [0xD1, 16, 7], Self.single, [0x22, 0x40, 0, 0, 0],
      Self.text("a/b"),
    ])
    return try await bench.open(try bench.folder.write(bytes, to: "file.plist"))
  }

  private func forms(_ store: Store) async throws -> [EntryKey: String] {
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    return Dictionary(
      uniqueKeysWithValues: entries.compactMap { entry in
        entry.form.map { (entry.key, $0) }
      })
  }

  @Test(arguments: ["set", "small", "deep", "list"])
  func `Sets and 32-bit reals are restored as such`(name: String) async throws {
    let store = try await store()
    let before = try await bench.contents(store)
    let forms = try await forms(store)
    #expect(
      forms == [
        .text("set"): "set", .text("small"): "real32",
        .text("deep"): "set /0; real32 /1/a~1b", .text("list"): "real32 /0; real32 /1; real32 /2",
      ])
    try await store.source.delete(EntryQuery(.text(name))).get()
    // The bytes no longer match those that the change left.
    try await store.set(.text("y"), .text("other"))
    try await bench.undo(store, step: 1)
    #expect(try await self.forms(store) == forms)
    try await bench.undo(store, step: 2)
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A null is restored, and no other value can become one`() async throws {
    let bytes = Self.list([
      [0xD3, 1, 2, 3, 4, 5, 6], Self.text("none"), Self.text("many"), Self.text("other"), [0x00],
      [0xA2, 4, 7], [0x10, 1], [0x10, 2],
    ])
    let store = try await bench.open(try bench.folder.write(bytes, to: "file.plist"))
    let before = try await bench.contents(store)
    #expect(try await forms(store) == [.text("none"): "null", .text("many"): "null /0"])
    for name in ["none", "many"] {
      try await store.source.delete(EntryQuery(.text(name))).get()
    }
    // The bytes no longer match those that the change left.
    try await store.set(.integer(3), .text("other"))
    try await bench.undo(store, step: 1)
    try await bench.undo(store, step: 2)
    try await bench.undo(store, step: 3)
    #expect(try await bench.contents(store) == before)
    await #expect(throws: StoreError.self) { try await store.set(.null, .text("other")) }
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A 32-bit element is restored at the end of its array`() async throws {
    let store = try await store()
    let forms = try await forms(store)
    try await store.source.delete(EntryQuery(.composite([.text("list"), .integer(0)]))).get()
    try await store.set(.text("y"), .text("other"))
    try await bench.undo(store, step: 1)
    #expect(try await self.forms(store) == forms)
  }

  @Test func `A real stays 32-bit if it can represent the value`() async throws {
    let store = try await store()
    let written = try await store.set(.real(2.7), .text("small"))
    #expect(written.form == "real32")
    #expect(written.value == .real(Double(Float(2.7))))
    #expect(try await store.set(.real(0.123456789012), .text("small")).form == nil)
    #expect(try await store.value(.text("small")) == .real(0.123456789012))
    try await store.set(.text("y"), .text("other"))
    try await bench.undo(store, step: 2)
    #expect(try await store.source.get(EntryQuery(.text("small"))).get().form == "real32")
  }

  @Test func `A value written with a form keeps it`() async throws {
    let store = try await store()
    let set = StoredValue.array([.text("p"), .text("q")])
    let key = EntryKey.text("new")
    let query = ChangesQuery([EntryChange(key, value: set, expecting: nil, form: "set")])
    let written = try await store.source.putAll([], in: query).get()
    #expect(written.map(\.form) == ["set"])
    #expect(written.map(\.value) == [set])
  }

  @Test func `A name that cannot be written again is not deleted`() async throws {
    let bytes = Self.list([
      [0xD2, 1, 2, 3, 4], [0x62, 0xD8, 0x00, 0x00, 0x6B], Self.text("in"), [0x10, 1],
      [0xD1, 1, 3],
    ])
    let store = try await bench.open(try bench.folder.write(bytes, to: "file.plist"))
    for key in try await store.keys() {
      await #expect {
        try await store.source.delete(EntryQuery(key)).get()
      } throws: { error in
        StoreError(error).message.contains("which cannot be written; nothing was written")
      }
    }
    #expect(try bench.folder.bytes("file.plist") == bytes)
  }
}
