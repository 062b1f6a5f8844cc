import LarderBrowser
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Searching all open stores, and stepping through what was found.
@Suite @MainActor struct FindEverywhereRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    let table = "CREATE TABLE t(key TEXT PRIMARY KEY, value TEXT); INSERT INTO t VALUES "
    try await folder.database(
      table + "('apple', 'a fruit'), ('drink', 'green tea'), ('tea:1', 'x')", name: "one.db")
    try await folder.database(
      table + "('cup', 'for Tea'), ('plate', 'for cake'), ('steam', 'y')", name: "two.db")
  }

  private func browser() async throws -> Robot {
    try await Robot(
      ["one.db", "two.db"], stores: .sqlite(folder), size: Size(width: 100, height: 20)
    ).settle()
  }

  @Test func `All open stores are searched, and Enter goes to the entry`() async throws {
    let browser = try await browser()
    await browser.pressEach(":find-everywhere tea<Enter>").expect("4 found").expect("green tea")
    let found = browser.state.findings?.findings
    #expect(
      found?.map(\.key) == [.text("tea:1"), .text("drink"), .text("steam"), .text("cup")])
    #expect(found?.map { $0.excerpt == nil } == [true, false, true, false])
    await browser.pressEach("G<Enter>")
    #expect(browser.state.overlay == nil)
    #expect(browser.state.keys?.selected?.key == .text("cup"))
    #expect(browser.state.keys?.store.location.title().contains("two.db") == true)
    // As after a link, the user can go back.
    await browser.pressEach("[")
    #expect(browser.state.keys?.store.location.title().contains("one.db") == true)
  }

  @Test func `The findings are filtered, and Esc clears the filter first`() async throws {
    let browser = try await browser()
    await browser.pressEach(":find-everywhere tea<Enter>/two.db")
    #expect(browser.state.findings?.findings.map(\.key) == [.text("steam"), .text("cup")])
    #expect(browser.state.findings?.count == 4)
    await browser.pressEach("<Enter><Esc>")
    #expect(browser.state.findings?.rowCount == 4)
    await browser.pressEach("/green<Enter><Enter>")
    #expect(browser.state.overlay == nil)
    #expect(browser.state.keys?.selected?.key == .text("drink"))
  }

  @Test func `Bytes are shown as text around the match`() async throws {
    try await folder.database(
      "INSERT INTO t VALUES ('blob', CAST('herbal Tea' AS BLOB)), ('mixed', x'FF626C61636B20746561')",
      name: "one.db")
    let browser = try await browser()
    await browser.pressEach(":find-everywhere tea<Enter>")
    let excerpts = browser.state.findings?.findings.compactMap(\.excerpt) ?? []
    #expect(excerpts.contains { $0.contains("herbal Tea") })
    #expect(!excerpts.contains { $0.contains("base64") }, "\(excerpts)")
  }

  @Test func `Nothing found is said, and Esc closes the list`() async throws {
    let browser = try await browser()
    await browser.pressEach(":find-everywhere xyzzy<Enter>").expect("nothing found")
      .pressEach("<Enter><Esc>")
    #expect(browser.state.overlay == nil)
  }

  @Test func `n and N step through matches and marked entries`() async throws {
    let browser = try await browser()
    await browser.pressEach("gn").expect("first filter")
    await browser.pressEach("/e<Enter>gn")
    #expect(browser.state.keys?.selected?.key == .text("tea:1"))
    await browser.pressEach("N")
    #expect(browser.state.keys?.selected?.key == .text("apple"))
    await browser.pressEach("<Esc>g<Space>G<Space>gn")
    #expect(browser.state.keys?.selected?.key == .text("tea:1"))
    await browser.pressEach("n").expect("continued from the first marked entry")
    #expect(browser.state.keys?.selected?.key == .text("apple"))
    await browser.pressEach("/e<Enter>gn")
    #expect(browser.state.keys?.filterText == "e", "the filter stays")
    #expect(browser.state.keys?.selected?.key == .text("tea:1"))
  }
}
