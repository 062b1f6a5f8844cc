import LarderBrowser
import LarderJournal
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// The differences of two stores, driven through the terminal.
@Suite @MainActor struct StoreDifferencesRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    let table = "CREATE TABLE t(key TEXT PRIMARY KEY, value TEXT); INSERT INTO t VALUES "
    try await folder.database(
      table + "('equal', 'x'), ('gone', 'old'), ('user:1', 'tea'), (char(27) || 'evil', 'z')",
      name: "one.db")
    try await folder.database(
      table + "('equal', 'x'), ('fresh', 'new'), ('user:1', 'coffee')", name: "two.db")
  }

  private func browser(
    _ size: Size = Size(width: 100, height: 20), stores: [String] = ["one.db", "two.db"],
    protected: [String] = []
  ) async throws -> Robot {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot(
      stores, stores: .sqlite(folder, journal: journal), size: size,
      protected: protected
    ).settle()
  }

  private func value(_ key: String, in name: String) async throws -> String? {
    try await folder.text("SELECT value FROM t WHERE key = '\(key)'", name: name)
  }

  private func counts(_ browser: Robot) -> [Int?] {
    let counts = browser.state.storeDifferences?.counts
    return [.added, .removed, .changed].map { counts?.changes[$0] ?? 0 } + [counts?.same]
  }

  @Test(arguments: [(140, 40), (80, 24), (40, 10)])
  func screens(_ width: Int, _ height: Int) async throws {
    try await browser(Size(width: width, height: height))
      .pressEach(":compare-stores two.db<Enter><Down>")
      .expect(snapshot: "differences-\(width)x\(height)")
  }

  @Test func `Two marked stores are compared, and the header counts`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Esc><Esc><Shift-Tab>")
    #expect(browser.state.focus == .stores)
    await browser.pressEach("g<Down><Space><Down><Down><Space>")
    #expect(browser.state.stores.marked.count == 2)
    await browser.expect("v compare").pressEach("v").expect("+1 −2 ~1  1 equal").expect("+ fresh")
      .expect("tea → coffee")
    #expect(counts(browser) == [1, 2, 1, 1])
    await browser.pressEach("<Esc>")
    #expect(browser.state.overlay == nil)
    #expect(browser.state.stores.marked.isEmpty, "the comparison has used them")
    browser.expectNot("v compare")
  }

  @Test func `Enter shows both values, also of an entry missing in one store, and Esc goes back`()
    async throws
  {
    let browser = try await browser()
    await browser.pressEach(":compare-stores two.db<Enter>/user<Enter><Enter>")
      .expect("coffee").expect("tea").pressEach("<Esc>")
    #expect(browser.state.storeDifferences?.rowCount == 1)
    await browser.pressEach("<Esc>")
    #expect(browser.state.storeDifferences?.rowCount == 4)
    await browser.pressEach("/fresh<Enter><Enter>").expect("no entry").expect("+ new")
  }

  @Test func `An entry is copied to either side, and undone`() async throws {
    let browser = try await browser()
    await browser.pressEach(":compare-stores two.db<Enter>/user<Enter>>")
    #expect(try await value("user:1", in: "two.db") == "tea")
    #expect(counts(browser) == [1, 2, 0, 2])
    await browser.pressEach("u").expect("~1").expect("tea → coffee")
    #expect(try await value("user:1", in: "two.db") == "coffee")
    await browser.pressEach("<Ctrl-R>")
    #expect(try await value("user:1", in: "two.db") == "tea")
    #expect(counts(browser) == [1, 2, 0, 2])
    await browser.pressEach("u").expect("~1").pressEach("<Esc>/fresh<Enter>>")
      .expect("there is nothing to copy").pressEach("<lt>")
    #expect(try await value("fresh", in: "one.db") == "new")
    browser.expect("of 5 entries")
  }

  @Test func `Undo reverts the copy, not a later change in that store`() async throws {
    let browser = try await browser()
    await browser.pressEach(":compare-stores two.db<Enter>/user<Enter>>")
    let other = try await self.browser(stores: ["two.db"])
    await other.pressEach("/fresh<Enter>dy")
    #expect(try await value("fresh", in: "two.db") == nil)
    await browser.pressEach("u")
    #expect(try await value("user:1", in: "two.db") == "coffee")
    #expect(try await value("fresh", in: "two.db") == nil)
  }

  @Test func `A protected store is named and confirmed before a copy`() async throws {
    let browser = try await browser(protected: ["*two.db"])
    await browser.pressEach(":compare-stores two.db<Enter>/user<Enter>>").expect("PROTECTED")
    #expect(try await value("user:1", in: "two.db") == "coffee")
    await browser.pressEach("<Esc>").expect("~1").pressEach("><Enter>")
    #expect(try await value("user:1", in: "two.db") == "tea")
    #expect(counts(browser) == [1, 2, 0, 2])
  }

  @Test func `Keys typed during a copy wait until it ends`() async throws {
    let browser = try await browser()
    await browser.pressEach(":compare-stores two.db<Enter><Home>")
    await browser.press(">u").settle()
    #expect(try await value("fresh", in: "two.db") == "new")
    await browser.pressEach("<Down>").press(">u").settle()
    #expect(try await value("gone", in: "two.db") == nil)
  }

  @Test func `A copy does not overwrite an entry changed since the comparison`() async throws {
    let browser = try await browser()
    await browser.pressEach(":compare-stores two.db<Enter>/user<Enter>")
    try await folder.database("UPDATE t SET value = 'water' WHERE key = 'user:1'", name: "two.db")
    await browser.pressEach(">").expect("changed since the stores were compared")
    #expect(try await value("user:1", in: "two.db") == "water")
    await browser.pressEach("<F5>").expect("tea → water").pressEach(">")
    #expect(try await value("user:1", in: "two.db") == "tea")
    // An entry that was missing at the comparison must not be overwritten either.
    try await folder.database("INSERT INTO t VALUES ('gone', 'theirs')", name: "two.db")
    await browser.pressEach("<Esc>/gone<Enter>>").expect("changed since")
    #expect(try await value("gone", in: "two.db") == "theirs")
  }

  @Test func `A list that was scrolled is drawn while it is compared again`() async throws {
    try await folder.database(
      """
      WITH RECURSIVE n(i) AS (VALUES(100) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT 'more:' || i, 'x' FROM n
      """, name: "one.db")
    let browser = try await browser()
    await browser.pressEach(":compare-stores two.db<Enter>G<F5>").expect("−103")
  }

  @Test func `Esc stops a comparison and keeps its results`() async throws {
    let browser = try await browser()
    // The palette runs its command and Esc arrives before the comparison starts.
    await browser.press(":compare-stores two.db<Enter><Esc>").settle().expect("stopped")
    #expect(browser.state.storeDifferences?.failure == .cancelled)
    await browser.pressEach("<F5>").expect("+1 −2 ~1").pressEach("<Esc>")
    #expect(browser.state.overlay == nil)
  }

  @Test func `Without a second store it says how to choose one`() async throws {
    let browser = try await browser()
    await browser.pressEach(":compare-stores<Enter>").expect("mark two stores")
      .pressEach(":compare-stores nowhere<Enter>").expect("no open store is called")
      .pressEach(":compare-stores one.db<Enter>").expect("choose another")
    #expect(browser.state.overlay == nil)
  }
}
