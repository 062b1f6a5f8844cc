import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Property lists written by `NSKeyedArchiver`.
struct ArchiveStoreTests {
  private static func archive() throws -> [UInt8] {
    let object = NSDictionary(dictionary: [
      "name": NSString("Ada"), "tags": NSArray(array: [NSString("a"), NSNumber(value: 7)]),
    ])
    return [UInt8](
      try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false))
  }

  @Test func `An archive opens as its objects, and the raw list is available`() async throws {
    let folder = try TestFolder()
    let bytes = try Self.archive()
    let path = try folder.write(bytes, to: "state.archive")
    let open = try await Stores.open(path)
    #expect(open.kind.name == "plist")
    #expect(open.collections.map(\.name) == ["objects", "list"])
    #expect(open.facts.contains { $0.name == "archive" })
    let objects = try await open.store(nil)
    #expect(objects.location.collection == "objects")
    #expect(objects.readOnlyReason?.contains("archive") == true)
    #expect(try await objects.keys() == [.text("name"), .text("tags")])
    #expect(try await objects.value(.text("name")) == .text("Ada"))
    #expect(try await objects.value(.composite([.text("tags"), .integer(1)])) == .integer(7))
    await #expect(throws: StoreError.self) {
      try await objects.set(.text("Grace"), .text("name"))
    }
    #expect(try folder.bytes("state.archive") == bytes)

    let list = try await open.store("list")
    #expect(try await list.value(.text("$archiver")) == .text("NSKeyedArchiver"))
    guard case .array(let parts) = try await list.value(.text("$objects")) else {
      Issue.record("an archive has objects")
      return
    }
    let number = try #require(parts.firstIndex(of: .text("Ada")))
    let place = EntryKey.composite([.text("$objects"), .integer(Int64(number))])
    try await list.set(.text("Grace"), place)
    #expect(try await objects.value(.text("name")) == .text("Grace"))
    await #expect(throws: StoreError.self) { try await open.store("other") }
  }

  @Test func `A change that makes a list an archive, or no longer one, is undone`() async throws {
    let bench = try JournalBench()
    let bytes = try Self.archive()
    let path = try bench.folder.write(bytes, to: "state.archive")
    func list() async throws -> Store {
      try await Stores.open(
        StoreLocation(path: path, collection: "list"), journal: bench.journal
      ).store("list")
    }
    func replay(isRedo: Bool = false) async throws {
      let record = try #require(try await bench.journal.next(isRedo: isRedo))
      let store = try await Stores.store(
        of: record, options: OpenOptions(), journal: bench.journal)
      try await bench.undo(store, redo: isRedo)
    }
    try await bench.put(try await list(), .text("$archiver"), .text("q"))
    #expect(try await Stores.open(path).collections.isEmpty)
    #expect(try await list().value(.text("$archiver")) == .text("q"))
    try await replay()
    #expect(try await Stores.open(path).collections.count == 2)
    try await replay(isRedo: true)
    let plain = try await bench.open(path)
    try await bench.put(plain, .text("$archiver"), .text("NSKeyedArchiver"))
    #expect(try await Stores.open(path).collections.count == 2)
    try await replay()
    #expect(try await list().value(.text("$archiver")) == .text("q"))
    try await replay()
    #expect(try bench.folder.bytes("state.archive") == bytes)
  }

  @Test func `A single object is named root`() async throws {
    let folder = try TestFolder()
    let bytes = try NSKeyedArchiver.archivedData(
      withRootObject: NSString("alone"), requiringSecureCoding: false)
    let path = try folder.write([UInt8](bytes), to: "one")
    let store = try await Stores.open(path).store(nil)
    #expect(try await store.value(.text("root")) == .text("alone"))
  }

  @Test func `A list that only resembles an archive is a plain property list`() async throws {
    let folder = try TestFolder()
    let path = try folder.write(
      Array(
        "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string></dict></plist>".utf8),
      to: "fake.plist")
    let open = try await Stores.open(path)
    #expect(open.collections.isEmpty)
    #expect(try await open.store(nil).keys() == [.text("$archiver")])
  }
}
