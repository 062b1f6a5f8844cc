import LarderBrowser
import LarderModel
import Foundation
import LarderUI
import TerminalUI
import Testing

/// Messages and state when a store fails, or another program changes it, during an operation.
@Suite @MainActor struct OthersMeanwhileRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(_ location: String) async throws -> Robot {
    try await Robot([location], stores: .sqlite(folder)).settle()
  }

  @Test func `A list that could not be reloaded is read when the store is back`() async throws {
    let inner = folder.path + "/files"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    for name in ["a", "b", "c", "d"] {
      try name.write(toFile: "\(inner)/\(name)", atomically: true, encoding: .utf8)
    }
    let browser = try await browser("files")
    await browser.press("j").settle().expect("2 of 4 entries")
    try FileManager.default.moveItem(atPath: inner, toPath: inner + ".away")
    await browser.press("<F5>").settle()
    #expect(browser.state.message?.text.hasSuffix("no longer exists") == true)
    try FileManager.default.moveItem(atPath: inner + ".away", toPath: inner)
    await browser.press("<F5>").settle().expect("2 of 4 entries")
    #expect(browser.state.keys?.window.entries.count == 4)
  }

  @Test func `The total is never less than the number of listed entries`() async throws {
    let browser = try await browser("app.db#settings")
    browser.expect("1 of 7 entries")
    try await folder.database(
      "INSERT INTO settings VALUES ('c1', 1), ('c2', 2), ('c3', 3), ('c4', 4)")
    await browser.pressEach("jCbob2<Enter>").expect("bob2").expect("c4").expect("3 of 12 entries")
    await browser.press("G").settle().expect("12 of 12 entries")
  }

  private func value(_ key: String) async throws -> String? {
    try await folder.text("SELECT value FROM settings WHERE key = '\(key)'")
  }

  @Test func `Esc in a conflict writes nothing`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("je!").settle()
    try await folder.database("UPDATE settings SET value = 'theirs' WHERE key = 'bob'")
    await browser.press("<Ctrl-S>").settle().expect("Changed by another program")
    await browser.press("<Esc>").settle().expect("likes tea!").press("<Ctrl-S>").settle()
      .expect("Changed by another program")
    #expect(try await value("bob") == "theirs")
    await browser.press("e").settle().press("<Ctrl-S>").settle()
    #expect(try await value("bob") == "likes tea!")
  }

  @Test func `If one marked entry has changed, none is deleted and that is reported`()
    async throws
  {
    let browser = try await browser("app.db#settings")
    await browser.pressEach("<Space><Space><Space>").expect("3 marked")
    await browser.press("d").settle()
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("y").settle()
      .expect("nothing was deleted: bob was changed by another program just now")
      .expect("of 7 entries")
    #expect(try await value("Double.pi") != nil)
  }

  @Test func `A missing key after the last leaves the selection and is reported`()
    async throws
  {
    let browser = try await browser("app.db#numbers")
    await browser.pressEach(":open-here key:1<Enter><Ctrl-G>zz<Enter>")
      .expect(selected: .text("key:1000")).expect("there is no “key:1zz”")
  }
}
