import LarderModel
import LarderFiles
import Foundation
import LarderStores
import Testing

/// Completion of paths.
@Suite final class PathCompletionsTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "larder-paths-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

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
    await PathCompletions.paths(beginningWith: "\(folder)/\(text)", limit: limit, environment: [:])
      .map { String($0.dropFirst(folder.count + 1)) }
  }

  @Test func `Matching files and folders are offered in order`() async {
    #expect(await offers("da") == ["data/", "dates.db"])
  }

  @Test func `Hidden files are not offered without a leading dot`() async {
    #expect(await offers("") == ["a b.json", "data/", "dates.db"])
  }

  @Test func `A leading dot offers hidden files`() async {
    #expect(await offers(".") == [".hidden/"])
  }

  @Test func `The contents of a folder are offered after its slash`() async {
    #expect(await offers("data/") == ["data/inner/", "data/x"])
  }

  @Test func `The number of suggestions is limited`() async {
    #expect(await offers("", limit: 1) == ["a b.json"])
  }

  @Test func `An unreadable folder offers nothing`() async {
    #expect(await offers("nowhere/at/all") == [])
    #expect(
      await PathCompletions.paths(beginningWith: "dates.db/\0x", limit: 5, environment: [:]) == [])
  }

  @Test func `A tilde stands for the home folder, as in a shell`() async throws {
    let home = ["HOME": folder]
    #expect(
      await PathCompletions.paths(beginningWith: "~/da", limit: 10, environment: home)
        == ["~/data/", "~/dates.db"])
    #expect(HomePath.expanded("~/nothing/like/it", home) == folder + "/nothing/like/it")
    #expect(HomePath.expanded("~", home) == folder)
    #expect(HomePath.expanded("~other/x", home) == "~other/x")
    #expect(try Stores.location(fromText: "~/nothing/like/it").path.hasPrefix("/"))
  }

  @Test func `Larder's files are in the XDG folders or in the home folder`() {
    let home = ["HOME": "/h", "XDG_STATE_HOME": "relative", "XDG_CONFIG_HOME": ""]
    #expect(HomePath.larder(.state, home) == "/h/.local/state/larder")
    #expect(HomePath.larder(.configuration, home) == "/h/.config/larder")
    #expect(HomePath.larder(.state, ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/larder")
    for environment in [[:], ["HOME": ""]] {
      // Falls back to the user's home folder from the system, not to the root.
      #expect(
        HomePath.larder(.configuration, environment) == HomePath.folder([:]) + "/.config/larder")
      #expect(HomePath.folder(environment).hasPrefix("/") && HomePath.folder(environment) != "/")
    }
  }
}
