import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Folders whose files together are a database.
struct FolderDatabaseTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private static let kinds = [
    ("LevelDB", ["CURRENT", "MANIFEST-000001", "000003.log"]),
    ("RocksDB", ["CURRENT", "MANIFEST-000001", "IDENTITY"]),
    ("LMDB", ["data.mdb", "lock.mdb"]), ("WiredTiger", ["WiredTiger", "WiredTiger.wt"]),
  ]

  /// The contents of a file, which matter for those of LMDB.
  private static func content(_ file: String) -> [UInt8] {
    file == "data.mdb"
      ? [UInt8](repeating: 0, count: 16) + [0xde, 0xc0, 0xef, 0xbe, 1, 0, 0, 0] : [0x31]
  }

  @Test(arguments: kinds)
  func `A folder that is a database is recognized and read-only`(
    name: String, files: [String]
  ) async throws {
    for file in files { _ = try folder.write(Self.content(file), to: "root/" + file) }
    let open = try await Stores.open(StoreLocation(path: folder.file("root")))
    #expect(open.readOnlyReason?.contains(name) == true)
    #expect(open.facts.contains { $0.name == "database" && $0.text == name })
    let store = try await open.store(nil)
    #expect(!store.capabilities.contains(.writable))
    #expect(try await store.keys().count == files.count)
  }

  @Test(arguments: kinds)
  func `A database in a subfolder is read-only too`(
    name: String, files: [String]
  ) async throws {
    for file in files { _ = try folder.write(Self.content(file), to: "root/below/" + file) }
    _ = try folder.write([0x31], to: "root/a")
    _ = try folder.write([0x31], to: "root/below/journal/log")
    let store = try await Stores.store(folder.file("root"))
    let key = EntryKey.text("below/" + files[0])
    let fingerprint = try #require(try await store.source.get(EntryQuery(key)).get().fingerprint)
    func expectRefusal(_ work: () async throws -> Void) async {
      let error = await #expect(throws: StoreError.self) { try await work() }
      let isReadOnly = if case .readOnly? = error { true } else { false }
      #expect(isReadOnly, "\(String(describing: error))")
    }
    await expectRefusal { try await store.set(.text("garbage"), key) }
    await expectRefusal { try await store.set(.text("garbage"), .text("below/new")) }
    await expectRefusal { try await store.set(.text("garbage"), .text("below/journal/log")) }
    let inner = try await Stores.open(StoreLocation(path: folder.file("root/below/journal")))
    #expect(inner.readOnlyReason?.contains(name) == true)
    await expectRefusal { try await store.source.delete(EntryQuery(key)).get() }
    await expectRefusal { try await store.source.delete(PrefixQuery("")).get() }
    await expectRefusal {
      let rename = RenameQuery(key, to: .text("b"), expecting: fingerprint)
      try await store.source.put(nil, in: rename).get()
    }
    #expect(try folder.bytes("root/a") == [0x31])
    for file in files {
      #expect(try folder.bytes("root/below/" + file) == Self.content(file))
    }
    #expect(try folder.bytes("root/below/journal/log") == [0x31])
  }

  @Test func `A folder with only some of these names is not a database`() async throws {
    // As Access begins a data.mdb.
    _ = try folder.write([0, 1, 0, 0] + Array("Standard Jet DB".utf8), to: "root/data.mdb")
    for file in ["CURRENT", "WiredTiger"] { _ = try folder.write([0x31], to: "root/" + file) }
    let store = try await Stores.store(folder.file("root"))
    try await store.set(.text("2"), .text("CURRENT"))
    #expect(try folder.bytes("root/CURRENT") == [0x32])
  }
}
