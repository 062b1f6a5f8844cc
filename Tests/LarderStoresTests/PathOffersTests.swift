import Foundation
import LarderCore
import LarderStores
import Testing

/// Paths that are offered while one is typed.
@Suite struct PathOffersTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "larder-paths-\(UUID().uuidString)").path

  init() throws {
    for name in ["data/inner", ".hidden"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["dates.db", "a b.json", "data/x"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
  }

  private func offers(_ text: String, limit: Int = 10) async -> [String] {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return await PathOffers.paths(beginningWith: "\(folder)/\(text)", limit: limit)
      .map { String($0.dropFirst(folder.count + 1)) }
  }

  @Test func `Files and folders that begin so are offered in order`() async {
    #expect(await offers("da") == ["data/", "dates.db"])
  }

  @Test func `Hidden ones are offered once their full stop is typed`() async {
    #expect(await offers("") == ["a b.json", "data/", "dates.db"])
  }

  @Test func `A full stop asks for the hidden ones`() async {
    #expect(await offers(".") == [".hidden/"])
  }

  @Test func `What is in a folder is offered after its slash`() async {
    #expect(await offers("data/") == ["data/inner/", "data/x"])
  }

  @Test func `No more are offered than can be shown`() async {
    #expect(await offers("", limit: 1) == ["a b.json"])
  }

  @Test func `What cannot be read offers nothing`() async {
    #expect(await offers("nowhere/at/all") == [])
    #expect(await PathOffers.paths(beginningWith: "dates.db/\0x", limit: 5) == [])
  }

  @Test func `The home folder may be written as a shell does`() async throws {
    let home = NSHomeDirectory()
    let names = await PathOffers.paths(beginningWith: "~/.", limit: 1_000)
    #expect(names.allSatisfy { $0.hasPrefix("~/.") })
    #expect(
      Set(names.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
        == Set(
          try FileManager.default.contentsOfDirectory(atPath: home)
            .filter { $0.hasPrefix(".") }.map { "~/" + $0 }))
    #expect(try Stores.location(fromText: "~/nothing/like/it").path == home + "/nothing/like/it")
  }
}
