import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Directories with several stores.
struct ContainerTests {
  private static let map = Array("<map>\n    <int name=\"n\" value=\"1\" />\n</map>\n".utf8)
  private static let plist = Array(
    "<plist version=\"1.0\"><dict><key>k</key><string>v</string></dict></plist>".utf8)
  private static let table = "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1);"

  /// Creates an Android app's data folder, including files that must be ignored.
  private static func android() async throws -> TestFolder {
    let folder = try TestFolder()
    _ = try folder.write(map, to: "shared_prefs/app.xml")
    _ = try folder.write(Array("text".utf8), to: "files/note.txt")
    _ = try folder.write(Array("{\"a\": 1}".utf8), to: "files/state")
    _ = try folder.write([], to: "databases/empty")
    _ = try await folder.database(table + "CREATE TABLE u(x, y)", name: "databases/app.db")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("files/link.xml"), withDestinationPath: "../shared_prefs/app.xml")
    #expect(mkfifo(folder.file("files/pipe"), 0o600) == 0)
    return folder
  }

  @Test func `The stores inside are listed as collections`() async throws {
    let folder = try await Self.android()
    let open = try await Stores.open(folder.path)
    #expect(open.kind.name == "container")
    #expect(open.evidence.contains("shared_prefs"))
    #expect(
      open.collections.map(\.name) == [
        "databases/app.db#t", "databases/app.db#u", "files/state", "shared_prefs/app.xml", ".",
      ])
    #expect(
      open.collections.map(\.form) == ["table", "table", "json", "preferences", "folder"])
    let table = try await open.store("databases/app.db#t")
    #expect(try await table.value(.text("a")) == .integer(1))
    #expect(table.kind.name == "sqlite")
    let preferences = try await open.store("shared_prefs/app.xml")
    try await preferences.set(.integer(2), .text("n"))
    #expect(try await preferences.value(.text("n")) == .integer(2))
    let files = try await open.store(".")
    #expect(try await files.value(.text("files/note.txt")) == .text("text"))
    await #expect(throws: StoreError.self) { try await open.store(nil) }
    await #expect(throws: StoreError.self) { try await open.store("files/note.txt") }
    await #expect(throws: StoreError.self) { try await open.store("../x") }
  }

  @Test
  func `A cache with its values in files opens as its entries, but other files make it a folder`()
    async throws
  {
    let folder = try TestFolder()
    _ = try await folder.database(
      "CREATE TABLE Settings(key TEXT NOT NULL UNIQUE, value); CREATE TABLE Cache(key, v);"
        + "INSERT INTO Cache VALUES('a', 1)", name: "cache.db")
    _ = try folder.write(
      Array("{\"a\": 1}".utf8), to: "ab/cd/\(String(repeating: "e", count: 28)).val")
    let open = try await Stores.open(folder.path)
    #expect(open.collections.map(\.name) == ["cache.db#Cache", "cache.db#Settings", "."])
    let store = try await open.store(nil)
    #expect(store.location == StoreLocation(path: folder.file("cache.db"), collection: "Cache"))
    #expect(try await open.store(".").keys().count == 2)
    for name in ["ab/notes.txt", "cache.db-old", "ab/cd/short.val"] {
      let file = try folder.write(Array("text".utf8), to: name)
      #expect(try await Stores.open(folder.path).kind.name == "folder", "\(name)")
      try FileManager.default.removeItem(atPath: file)
    }
    #expect(try await Stores.open(folder.path).kind.name == "container")
  }

  @Test func `A file whose name contains a hash sign is not taken for a collection`() async throws {
    let folder = try await Self.android()
    for name in ["a", "a#b.json", "a#b.json#c"] {
      _ = try folder.write(Array("{\"name\": \"\(name)\"}".utf8), to: name)
    }
    for name in ["a", "a#b.json", "a#b.json#c"] {
      let location = try Stores.location(fromText: "\(folder.path)#\(name)")
      #expect(location.collection == name)
      let store = try await Stores.open(location).store(name)
      #expect(try await store.value(.text("name")) == .text(name))
    }
    _ = try await folder.database(Self.table, name: "x#y.db")
    _ = try await folder.database(Self.table + "CREATE TABLE \"y.db\"(k)", name: "x")
    let open = try await Stores.open(folder.path)
    #expect(try await open.store("x#y.db").location.collection == "t")
    #expect(try await open.store("x#t").location.path.hasSuffix("/x"))
    await #expect(throws: StoreError.self) { try await open.store("a#nothing") }
  }

  @Test func `A store in a container shares the journal of the same store opened directly`()
    async throws
  {
    let folder = try await Self.android()
    let journal = Journal(path: folder.file("journal"))
    let inside = try await Stores.open(
      Stores.location(fromText: folder.path + "#databases/app.db#t"), journal: journal
    ).store("databases/app.db#t")
    try await inside.set(.integer(2), .text("a"))
    let path = folder.file("databases/app.db")
    let alone = try await Stores.open(StoreLocation(path: path), journal: journal).store("t")
    try await alone.replay(ReplayRequest())
    #expect(try await inside.value(.text("a")) == .integer(1))
  }

  @Test func `Folders of plain files stay folders`() async throws {
    let caches = try TestFolder()
    for number in 0..<20 {
      _ = try caches.write(Array("{\"n\": \(number)}".utf8), to: "c/\(number)")
      _ = try caches.write(Self.plist, to: "p/\(number)")
    }
    #expect(try await Stores.open(caches.path).kind.name == "folder")
    _ = try await caches.database(Self.table)
    #expect(try await Stores.open(caches.path).kind.name == "folder")
    let asked = try await Stores.open(caches.path + "#test.db")
    #expect(asked.kind.name == "container")
    #expect(try await asked.store("test.db").keys() == [.text("a")])
    _ = try await caches.database(Self.table, name: "second.db")
    #expect(try await Stores.open(caches.path).kind.name == "container")
    let files = try await Stores.open(caches.path + "#.")
    #expect(files.kind.name == "folder")
    #expect(try await files.store(".").keys(pages: 100).count == 42)
  }

  @Test func `An iPhone app sandbox is a container`() async throws {
    let folder = try TestFolder()
    _ = try folder.write(Self.plist, to: "Library/Preferences/com.example.app.plist")
    let open = try await Stores.open(folder.path)
    #expect(open.kind.name == "container")
    #expect(try await open.store(nil).value(.text("k")) == .text("v"))
  }

  @Test func `A corrupt store is listed`() async throws {
    let folder = try TestFolder()
    _ = try folder.write(Self.map, to: "shared_prefs/app.xml")
    _ = try folder.write(
      Array("SQLite format 3\0".utf8) + [UInt8](repeating: 1, count: 4_080), to: "databases/x")
    let open = try await Stores.open(folder.path)
    #expect(open.collections.first?.form == "sqlite, cannot be opened now")
    await #expect(throws: StoreError.self) { try await open.store("databases/x") }
  }

  @Test func `The search for stores is bounded`() async throws {
    let folder = try TestFolder()
    let deep = (0..<12).map { "d\($0)" }.joined(separator: "/")
    _ = try folder.write(Self.map, to: deep + "/shared_prefs/app.xml")
    for number in 0..<3_000 { _ = try folder.write([0], to: "many/\(number)") }
    #expect(try await Stores.open(folder.path).kind.name == "folder")
  }
}
