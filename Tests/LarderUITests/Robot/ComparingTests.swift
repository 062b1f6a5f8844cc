import LarderBrowser
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Comparing two values side by side, driven through the terminal.
@Suite @MainActor struct ComparingTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
    let lines = (1...60).map { "line \($0)" }
    var others = lines
    others[9] = "LINE 10"
    others[49] = "LINE 50"
    try await folder.database(
      """
      INSERT INTO settings VALUES ('text 1', '\(lines.joined(separator: "\n"))'),
        ('text 2', '\(others.joined(separator: "\n"))'), ('evil', char(27) || '[31m' || char(7)),
        ('json 2', '{"name":"Ada","tags":["math"],"admin":true,"note":null}');
      """)
  }

  private func browser(
    _ location: String = "app.db#settings", _ width: Int = 80, _ height: Int = 24,
    theme: String = "larder-dark"
  ) async throws -> Robot {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot(
      [location], stores: .sqlite(folder, journal: journal),
      size: Size(width: width, height: height), theme: theme
    ).settle()
  }

  @Test(arguments: [(20, 6), (40, 10), (80, 24), (200, 50)])
  func screens(_ width: Int, _ height: Int) async throws {
    try await browser(width: width, height).pressEach(":compare json 2<Enter>")
      .expect(snapshot: "compare-\(width)x\(height)")
  }

  private func browser(width: Int, _ height: Int) async throws -> Robot {
    let browser = try await browser("app.db#settings", width, height)
    return await browser.pressEach("<Ctrl-G>json<Enter>")
  }

  @Test func withoutColors() async throws {
    try await browser("app.db#people", theme: "monochrome").pressEach("<Space><Space>v")
      .expect(snapshot: "compare-monochrome")
  }

  @Test func twoMarkedEntriesAreCompared() async throws {
    let browser = try await browser("app.db#people")
    await browser.pressEach("<Space><Space>v").expect("1 and 2").expect("Ada").expect("Grace")
    await browser.pressEach("q").expectNot("1 and 2")
    #expect(browser.state.overlay == nil)
    #expect(browser.state.keys?.marked.count == 2)
    await browser.pressEach("<Space>v").expect("3 entries are marked; mark two")
  }

  @Test func aMarkedEntryIsComparedWithTheSelectedOne() async throws {
    let browser = try await browser("app.db#people")
    await browser.pressEach("<Space><Down>v").expect("1 and 3")
  }

  @Test func `Without marks the other key is asked for, with completion`() async throws {
    let browser = try await browser("app.db#people")
    await browser.pressEach("v").expect("compare with: ").press("2<Enter>").settle()
      .expect("1 and 2")
    await browser.pressEach("<Esc>v9<Enter>").expect("there is no “9”")
    let settings = try await self.browser()
    await settings.pressEach("<Down>vjso<Tab>").expect("json 2")
    await settings.pressEach("<Enter>").expect("bob and json")
  }

  @Test func `A key of another store follows the store's name`() async throws {
    let browser = try await browser("app.db#people")
    await browser.pressEach(":compare app.db#settings json 2<Enter>")
      .expect("1 and app.db#settings json 2")
    await browser.pressEach("<Esc>:compare settings bob<Enter>").expect("app.db#settings bob")
  }

  @Test func `Keys move between differences, and equal lines are folded`() async throws {
    let browser = try await browser()
    await browser.resize(80, 22).settle()
    await browser.pressEach("<Ctrl-G>text 1<Enter>:compare text 2<Enter>")
      .expect("difference 1 of 2").expect("⋯ 6 lines are the same").expect("LINE 10")
    await browser.pressEach("n").expect("difference 2 of 2").expect("LINE 50")
    await browser.pressEach("n").expect("difference 1 of 2").expect("LINE 10")
    await browser.pressEach("=").expect("line 14").expectNot("⋯").expectNot("line 60")
    await browser.pressEach("nG").expect("line 60").pressEach("g").expect("line 1 ")
    browser.mouse(.wheelDown, x: 10, y: 10)
    await browser.settle().expectNot("line 3 ").expect("line 4 ")
    await browser.pressEach("y").expect("copied")
    #expect(browser.terminal.copies.last?.hasPrefix("--- text 1") == true)
    #expect(browser.terminal.copies.last?.contains("-line 50\n+LINE 50\n line 51") == true)
  }

  @Test func equalValuesSaySo() async throws {
    let browser = try await browser()
    await browser.pressEach(":compare Double.pi<Enter>").expect("the values are the same")
    await browser.pressEach("n").pressEach("y").expect("nothing was copied")
  }

  @Test func `Bytes are compared as hexadecimal digits`() async throws {
    let browser = try await browser()
    try await folder.database("INSERT INTO settings VALUES ('raw 2', x'000102ff')")
    await browser.pressEach("<Ctrl-G>raw<Enter>:compare raw 2<Enter>").expect("00 01 02 03")
      .expect("00 01 02 ff").expect("·")
  }

  @Test func `The value is compared with the version before a change`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down>:compare-before<Enter>").expect(
      "the journal has no change of bob")
    await browser.press("e and cake<Enter>").settle()
    await browser.pressEach("p")
      .expect("bob before its last change in the journal and now").expect("likes tea and cake")
      .expect("before 2")
    await browser.pressEach("<Esc>").press("a").press("new<Enter>x<Enter>").settle()
    await browser.pressEach(":compare-before<Enter>").expect("in the journal added new")
  }

  @Test func hostileTextStaysInItsRow() async throws {
    let browser = try await browser()
    await browser.pressEach("<Ctrl-G>evil<Enter>:compare bob<Enter>").expect("␛[31m␇")
    for (width, height) in [(20, 6), (40, 10), (200, 50)] {
      await browser.resize(width, height).settle().expect("␛")
    }
  }

  @Test func `Esc cancels a slow comparison`() async throws {
    let source = HeldSource(["alice": "one", "bob": "two"])
    let browser = try await Robot(["slow"], stores: .held(source)).settle()
    source.hold()
    browser.press(":compare bob<Enter>")
    await source.waits(for: 1)
    await browser.draw().expect("comparing…, Esc stops")
    browser.press("<Esc>")
    await browser.draw().expect("nothing was compared")
    source.release()
    await browser.settle()
    #expect(browser.state.overlay == nil)
    source.hold()
    browser.press(":compare bob<Enter>n")
    await source.waits(for: 1)
    source.release()
    await browser.settle().expect("alice and bob").expect("difference 1 of 1")
  }
}
