import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Files whose mode makes them read-only.
struct WriteProtectionTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test func `A read-only file in a folder is not changed`() async throws {
    let path = try bench.folder.write(Array("old".utf8), to: "files/a")
    chmod(path, 0o444)
    let store = try await bench.open(bench.folder.file("files"))
    for key in ["a"] {
      let said = try #require(await refusal { try await store.set(.text("new"), .text(key)) })
      #expect(said.contains("mode 444"), "\(said)")
      #expect(said.contains("chmod u+w"), "\(said)")
    }
    #expect(try bench.folder.bytes("files/a") == Array("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.location.path) == ["a"])
    chmod(path, 0o644)
    try await store.set(.text("new"), .text("a"))
    #expect(try bench.folder.bytes("files/a") == Array("new".utf8))
  }

  /// Deleting a file needs permission for its folder and overwrites none of its bytes.
  ///
  /// The browser asks for confirmation, and undoing an import has to delete such files.
  @Test func `A read-only file can be deleted and restored`()
    async throws
  {
    let path = try bench.folder.write(Array("old".utf8), to: "files/a")
    chmod(path, 0o444)
    let store = try await bench.open(bench.folder.file("files"))
    try await store.source.delete(EntryQuery(.text("a"))).get()
    #expect(try await store.keys() == [])
    try await bench.undo(store)
    #expect(try bench.folder.bytes("files/a") == Array("old".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o444)
    try await bench.undo(store, redo: true)
    #expect(try await store.keys() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.location.path) == [])
  }

  @Test(arguments: [
    #"{"a": 1}"#, "<?xml version='1.0'?><map><int name=\"a\" value=\"1\" /></map>",
    "<plist version=\"1.0\"><dict><key>a</key><integer>1</integer></dict></plist>",
  ])
  func `A read-only document is opened as a read-only store`(text: String) async throws {
    let path = try bench.folder.write(Array(text.utf8), to: "document")
    let open = try await bench.open(path)
    chmod(path, 0o444)
    // This store was opened before the mode changed.
    let said = try #require(await refusal { try await open.set(.integer(2), .text("a")) })
    #expect(said.contains("mode 444"), "\(said)")
    let store = try await bench.open(path)
    #expect(!store.capabilities.contains(.writable))
    #expect(store.readOnlyReason?.contains("chmod u+w") == true)
    #expect(try bench.folder.bytes("document") == Array(text.utf8))
    chmod(path, 0o600)
    try await bench.open(path).set(.integer(2), .text("a"))
    #expect(try await bench.open(path).value(.text("a")) == .integer(2))
  }

  @Test func `A read-only database is opened as a read-only store`() async throws {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    chmod(path, 0o444)
    let store = try await bench.open(path, "t")
    #expect(!store.capabilities.contains(.writable))
    #expect(store.readOnlyReason?.contains("mode 444") == true)
    chmod(path, 0o600)
    try await bench.open(path, "t").set(.integer(2), .text("a"))
    #expect(try await bench.open(path, "t").value(.text("a")) == .integer(2))
  }

  @Test func `A file with a name of maximum length is edited, deleted and restored`()
    async throws
  {
    let name = String(repeating: "n", count: 255)
    _ = try bench.folder.write(Array("old".utf8), to: "files/" + name)
    let store = try await bench.open(bench.folder.file("files"))
    try await store.set(.text("new"), .text(name))
    try await store.source.delete(EntryQuery(.text(name))).get()
    for _ in 0..<2 { try await bench.undo(store) }
    #expect(try bench.folder.bytes("files/" + name) == Array("old".utf8))
    #expect(try await store.keys() == [.text(name)])
  }
}
