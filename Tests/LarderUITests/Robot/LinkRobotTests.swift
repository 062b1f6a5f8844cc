import LarderBrowser
import LarderModel
import Foundation
import Harmony
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Following a link of a Realm object, and coming back.
@Suite @MainActor struct LinkRobotTests {
  private let browser: Robot

  init() async throws {
    let folder = try TestFolder()
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "HarmonyRealmTests/Fixtures/r3.realm")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: folder.path + "/items.realm")
    browser = try await Robot(["items.realm#Item"], stores: .sqlite(folder)).settle()
  }

  @Test func `Enter on a link shows the entry, and Esc returns to the link`() async {
    await browser.pressEach("G").expect("http.100002")
    await browser.press("<Enter>").settle()
    let key = browser.state.keys?.selected?.key
    await browser.pressEach("/owner<Enter>").expect("#Owner/")
    await browser.press("<Enter>").settle()
    #expect(browser.state.keys?.store.reference.collection == "Owner")
    browser.expect("Owner 2")
    await browser.press("<Esc>").settle()
    #expect(browser.state.keys?.selected?.key == key)
    await browser.press("<Enter>").settle().expect("#Owner/")
  }
}
