@testable import LarderBrowser
import LarderModel
import Foundation
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Marks, and deleting marked entries while the store changes.
@Suite @MainActor struct MarkRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(_ location: String) async throws -> Robot {
    try await Robot([location], stores: .sqlite(folder)).settle()
  }

  private var bob: String? {
    get async throws { try await folder.text("SELECT value FROM settings WHERE key = 'bob'") }
  }

  @Test func `A mark does not move to the entry that takes the position`() async throws {
    let items = (0...12).map { "\"e\($0)\"" }.joined(separator: ", ")
    let path = folder.path + "/list.json"
    try "[\(items)]".write(toFile: path, atomically: true, encoding: .utf8)
    let browser = try await browser("list.json")
    await browser.press("jjjjjjjjj<Space>").settle().expect("1 marked")
    await browser.press("D<Ctrl-U>0<Enter>").settle().press("1<Enter>").settle()
      .expect("deleted 1 entry").expectNot("1 marked")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("e9") && text.contains("e10") && !text.contains("e0"))
  }

  @Test func `With too many keys, the first ones listed are marked`() async throws {
    try await folder.database(
      """
      CREATE TABLE many (key INTEGER PRIMARY KEY, value);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10300)
      INSERT INTO many SELECT i, hex(zeroblob(i / 100)) FROM n;
      """)
    let browser = try await browser("app.db#many")
    await browser.pressEach(":sort size down<Enter>A").expect("marked the first 10,000 entries")
    let marked = try #require(browser.state.keys?.marked)
    #expect(marked.contains(.integer(10_300)) && !marked.contains(.integer(1)))
    #expect(marked.count == 10_000)
  }

  @Test(arguments: [("V", "mark range"), ("A", "mark all")])
  func `With the focus on the value, a mark says where it works`(
    key: String, title: String
  ) async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Enter>").settle().press(key).settle()
      .expect(Messages.worksElsewhere(title, [Messages.inKeys], focus: "h"))
    await browser.press("h").settle().press(key).settle()
      .expectNot("goes there")
  }

  @Test func `With the focus on the stores, entry commands say where they work`()
    async throws
  {
    let browser = try await browser("app.db#settings")
    await browser.press("h").settle()
    for (key, title) in [("d", "delete"), ("e", "edit"), ("f", "format")] {
      await browser.press(key).settle().expect("\(title): ").expect(Messages.inKeys)
        .expect("; Tab goes there")
      #expect(browser.state.overlay == nil)
    }
  }

  @Test func `An entry changed since it was marked stays`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>").settle().press("<Space>").settle().expect("1 marked")
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("dy").settle()
      .expect("bob was changed by another program since it was marked; nothing was deleted")
    #expect(try await bob == "coffee")
  }

  @Test func `An entry changed since the question stays`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("V<Down>V").settle().press("d").settle()
      .expect("Delete 2 marked entries")
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("y").settle()
      .expect("nothing was deleted: bob was changed by another program just now")
      .expect("of 7 entries")
    #expect(try await bob == "coffee")
  }
}
