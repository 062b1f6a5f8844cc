import Foundation
import Harmony
import LarderJournal
import LarderUI
import TerminalUI
import TestKinds
import Testing

/// The browser on a store of a kind it does not know.
@Suite @MainActor struct NewKindRobotTests {
  private let folder: TestFolder
  private let browser: Robot

  init() async throws {
    folder = try TestFolder()
    let path = folder.path + "/a.array"
    let open = try await SortedArrayKind.make(
      at: path, ["a:1": "one", "a:2": "two", "b": "three"])
    let journal = Journal(path: folder.path + "/state/journal.db")
    browser = try Robot(
      ["a.array"],
      stores: .opening(open.recording(in: journal), folder),
      size: Size(width: 100, height: 16))
    await browser.settle()
  }

  private func lines() throws -> [String] {
    try String(contentsOfFile: folder.path + "/a.array", encoding: .utf8).split(separator: "\n")
      .dropFirst().map(String.init)
  }

  private let start = ["a:1\tone\t", "a:2\ttwo\t", "b\tthree\t"]

  @Test(arguments: [
    ("e!<Enter>", ["a:1\tone!\t", "a:2\ttwo\t", "b\tthree\t"]),
    ("dy", ["a:2\ttwo\t", "b\tthree\t"]),
    ("r<Ctrl-U>c<Enter>", ["a:2\ttwo\t", "b\tthree\t", "c\tone\t"]),
    ("x2030-01-01T00:00:00Z<Enter>", ["a:1\tone\t1893456000.0", "a:2\ttwo\t", "b\tthree\t"]),
    ("<Space><Space>dy", ["b\tthree\t"]),
  ])
  func aChangeIsMadeTakenBackAndMadeAgain(_ script: String, _ after: [String]) async throws {
    await browser.pressEach(script)
    await browser.settle()
    #expect(try lines() == after)
    await browser.press("u").settle()
    #expect(try lines() == start)
    await browser.press("<Ctrl-R>").settle()
    #expect(try lines() == after)
  }
}
