import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Privacy of the journal, which contains values of stores and must be readable only by its owner.
struct JournalSecrecyTests {
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.file("state/journal.db")
    _ = try folder.write(Array("{\"a\": \"old secret\"}".utf8), to: "s.json")
  }

  private func write(_ text: String = "new") async throws {
    let store = try await Stores.open(
      StoreLocation(path: folder.file("s.json")), journal: Journal(path: path)
    ).store(nil)
    _ = try await store.set(.text(text), .text("a"))
  }

  private func mode(_ name: String) -> mode_t? {
    var status = stat()
    return stat(path + name, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func `A journal readable by others is made private before it is written`()
    async throws
  {
    try await write()
    #expect(mode("") == 0o600)
    #expect(chmod(path, 0o644) == 0)
    try await write("newer")
    for name in ["", "-wal", "-shm", "-journal"] { #expect((mode(name) ?? 0) & 0o077 == 0) }
    #expect(mode("") == 0o600)
  }

  @Test(arguments: ["", "/journal.db"], [mode_t(0o020), 0o002])
  func `A journal writable by others is neither read nor written`(
    name: String, others: mode_t
  ) async throws {
    try await write()
    let place = folder.file("state") + name
    if others == 0o020 {
      // Only root can give a file to a group it is not in.
      guard geteuid() == 0 else { return }
      #expect(chown(place, geteuid(), 54_321) == 0)
    }
    #expect(chmod(place, (name.isEmpty ? 0o700 : 0o600) | others) == 0)
    await #expect(throws: StoreError.self) { try await Journal(path: path).steps() }
    #expect(await refusal { try await write("newer") } != nil)
    #expect(!String(decoding: try folder.bytes("s.json"), as: UTF8.self).contains("newer"))
    #expect(chmod(place, name.isEmpty ? 0o700 : 0o600) == 0)
    try await write("newer")
    #expect(try await Journal(path: path).steps().count == 2)
  }

  @Test func `No journal is created through a dangling symbolic link`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("state"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.file("elsewhere.db"))
    let refusal = await refusal { try await write() }
    #expect(refusal?.contains("it is a link to a file that does not exist") == true)
    #expect(refusal?.contains("nothing was written") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere.db")))
    #expect(String(decoding: try folder.bytes("s.json"), as: UTF8.self).contains("old secret"))
  }
}
