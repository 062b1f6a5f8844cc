import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// The backup file of Android preferences, which the app restores when it starts.
struct RestoredPreferencesTests {
  private let folder: TestFolder
  private static let map = Array("<map>\n    <int name=\"n\" value=\"1\" />\n</map>\n".utf8)

  init() throws {
    folder = try TestFolder()
  }

  @Test func `A file that exists only as its backup is read from it`() async throws {
    _ = try folder.write(Self.map, to: "p.xml.bak")
    let open = try await Stores.open(folder.file("p.xml"))
    #expect(open.kind.name == "preferences")
    #expect(open.readOnlyReason == nil)
    let store = try await open.store(nil)
    #expect(try await store.value(.text("n")) == .integer(1))
    _ = try await store.set(.integer(2), .text("n"))
    let written = String(decoding: try folder.bytes("p.xml.bak"), as: UTF8.self)
    #expect(written.contains("value=\"2\""))
    // The app would take a second file for a complete write of its own.
    #expect(try folder.names() == ["p.xml.bak"])
  }

  @Test func `The copy of a link's target is beside the target`() async throws {
    _ = try folder.write([], to: "real/p.xml")
    _ = try folder.write(Self.map, to: "real/p.xml.bak")
    let other = String(decoding: Self.map, as: UTF8.self).replacing("\"1\"", with: "\"7\"")
    _ = try folder.write(Array(other.utf8), to: "link.xml.bak")
    let link = folder.file("link.xml")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.file("real/p.xml"))
    let open = try await Stores.open(link)
    #expect(open.evidence.contains("real/p.xml.bak"))
    let store = try await open.store(nil)
    #expect(try await store.value(.text("n")) == .integer(1))
    _ = try await store.set(.integer(2), .text("n"))
    let written = String(decoding: try folder.bytes("real/p.xml.bak"), as: UTF8.self)
    #expect(written.contains("value=\"2\""))
    #expect(try folder.bytes("link.xml.bak") == Array(other.utf8))
  }

  @Test func `In an app's data it has the name that its program knows`() async throws {
    _ = try folder.write(Self.map, to: "shared_prefs/a.xml.bak")
    _ = try folder.write(Self.map, to: "shared_prefs/b.xml")
    _ = try folder.write(Self.map, to: "shared_prefs/b.xml.bak")
    _ = try folder.write(Array("{\"a\": 1}".utf8), to: "files/state.bak")
    #expect(
      try await Stores.open(folder.path).collections.map(\.name) == [
        "files/state.bak", "shared_prefs/a.xml", "shared_prefs/b.xml", ".",
      ])
  }

  @Test(arguments: [("q.json", "{\"a\":1}", "json"), ("q.plist", "{ a = 1; }", "plist")])
  func `A file of another format is not preferences, even beside a backup`(
    name: String, text: String, kind: String
  ) async throws {
    let path = try folder.write(Array(text.utf8), to: name)
    _ = try folder.write(Self.map, to: name + ".bak")
    let open = try await Stores.open(path)
    #expect(open.kind.name == kind)
    #expect(try await open.store(nil).value(.text("a")) != nil)
  }

  @Test(arguments: ["", "<?xml version='1.0' enc", "<map>\n    <int na", "broken", "\u{FFFD}\0"])
  func `The backup is used if the file was only partly written`(_ torn: String) async throws {
    let path = try folder.write(Array(torn.utf8), to: "p.xml")
    _ = try folder.write(Self.map, to: "p.xml.bak")
    let store = try await Stores.open(path).store(nil)
    #expect(try await store.value(.text("n")) == .integer(1))
  }

  @Test func `A missing file with an invalid backup is not found`() async throws {
    _ = try folder.write(Array("text".utf8), to: "p.xml.bak")
    await #expect(throws: StoreError.self) { try await Stores.open(folder.file("p.xml")) }
  }
}
