import LarderModel
import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Help, palette, themes and the mouse, driven through the terminal.
@Suite @MainActor struct OverlayTests {
  private let browser: Robot

  init() async throws {
    browser = try Robot(["app.db#settings"], stores: .sqlite(try await .sample()))
    await browser.settle()
  }

  @Test func theHelpListsEveryKeyAndScrolls() async {
    await browser.press("?").settle().expect(row: 1, contains: "Finding and showing")
      .expect(row: 2, contains: "filter")
    await browser.press("<Down>").settle().expect(row: 1, contains: "filter")
    var seen = ""
    for _ in 0..<300 {
      seen += browser.screen.rows.joined()
      await browser.press("<Down>").settle()
    }
    for command in Command.all { #expect(seen.contains(command.help.prefix(20)), "\(command.id)") }
    for _ in 0..<10 { await browser.press("<PgDn>").settle() }
    browser.expect("Leave without saving")
    let end = browser.screen
    await browser.press("<Up>").settle()
    #expect(browser.screen != end, "going back begins at the end")
    await browser.press("<Esc>").settle().expect("Double.pi")
  }

  @Test func thePaletteCompletesAndRuns() async {
    await browser.press(":th").settle().expect("theme NAME")
    await browser.press("<Tab>").settle().expect(row: 1, contains: ":theme")
    await browser.press(" larder-light<Enter>").settle()
    #expect(browser.state.themes.shown == "larder-light")
    await browser.press(":fomrat hex<Enter>").settle()
      .expect("there is no command “fomrat”; did you mean format?")
    await browser.press("<Esc>:fly<Enter>").settle().expect("No command matches “fly”")
    #expect(browser.state.overlay != nil, "the rest is not a key")
    await browser.press("<Esc>").settle().press(":<Backspace>").settle()
    #expect(browser.state.overlay == nil)
    await browser.press(":<Backspace>").settle()
    #expect(browser.state.overlay == nil)
    await browser.press(":<Down><Down><Up><Enter>").settle().expect("theme:")
  }

  @Test func `Up in the palette recalls the previous command`() async throws {
    let browser = try await Robot(["app.db#settings"], stores: .sqlite(.sample())).settle()
    await browser.pressEach(":<Up><Enter>")
    #expect(!browser.state.isFinished)
    await browser.pressEach("<Esc>:sort key down<Enter>").expect("Z to A")
    await browser.pressEach(":mark<Enter>:<Up><Up>").expect(":sort key down")
    await browser.pressEach("<Down>").expect(":mark").pressEach("<Esc>")
    #expect(!browser.state.isFinished)
  }

  @Test func theStatesOfACacheAreOffered() async throws {
    let browser = try await Robot(["app.db#settings"], stores: .sqlite(.sample())).settle()
    await browser.pressEach(":show <Tab>").expect(":show fresh").expect("expired").expect("all")
    await browser.pressEach("<Esc>:show e<Tab>").expect(":show expired")
  }

  @Test func `The help scrolls to its end`() async throws {
    let browser = try await Robot(["app.db#settings"], stores: .sqlite(.sample())).settle()
    await browser.pressEach("?G").expect("Leave without saving")
    await browser.pressEach("g").expect("Finding and showing")
  }

  @Test func `The help is searched while typing`() async throws {
    let browser = try await Robot(["app.db#settings"], stores: .sqlite(.sample())).settle()
    await browser.pressEach("?/expir").expect("match 1 of ").expect("/expir")
    let first = browser.screen
    await browser.pressEach("<Enter>n").expect("match 2 of ")
    await browser.pressEach("N").expect("match 1 of ")
    #expect(browser.screen.row(1) == first.row(1))
    await browser.pressEach("/no such thing").expect("no match")
    await browser.pressEach("<Esc>").expectNot("no match").pressEach("<Esc>")
    #expect(browser.state.overlay == nil)
    await browser.pressEach("??")
    #expect(browser.state.overlay == nil)
  }

  @Test func `The help starts with the current view, in two columns if they fit`() async throws {
    let browser = try await Robot(["app.db#settings"], stores: .sqlite(.sample())).settle()
    await browser.pressEach("<Enter>?").expect(row: 1, contains: "Inside a value")
    await browser.resize(120, 24).settle().expect(row: 1, contains: "Inside a value")
    #expect(browser.screen.row(1).dropFirst(60).contains { $0.isLetter })
    await browser.pressEach("<Esc><Esc><Space>?").expect(row: 1, contains: "Changing")
  }

  @Test func aClickOnAHintRunsIt() async throws {
    let browser = try await Robot(["app.db#settings"], stores: .sqlite(.sample())).settle()
    try await click("? help", in: browser)
    browser.expect("Keys and commands")
    try await click("q close", in: browser)
    #expect(browser.state.overlay == nil)
    await browser.resize(140, 24).settle().pressEach("<Space>").expect("1 marked:")
    try await click(":copy-to", in: browser)
    browser.expect("Copy to")
  }

  private func click(_ text: String, in browser: Robot) async throws {
    let rows = browser.screen.rows
    let y = try #require(rows.lastIndex { $0.contains(text) }, "\(browser.report)")
    let place = try #require(rows[y].firstRange(of: text))
    let x = TextWidth.of(rows[y][..<place.lowerBound])
    await browser.mouse(.press(.left), x: x, y: y).settle()
  }

  @Test func `Hints show the commands for the listed entries`() async throws {
    let browser = try await Robot(
      ["app.db#settings"], stores: .sqlite(.sample()), size: Size(width: 120, height: 24)
    ).settle()
    await browser.pressEach("/o<Enter>").expectRow("Esc all entries", "A mark these ")
    await browser.pressEach("A<Down>").expectRow(" marked:", "d delete", "y copy", "Esc unmark")
      .expectRow("? help", "q quit")
    await browser.pressEach("<Esc><Esc>").expectNot("all entries")
    await browser.pressEach("w<Down>").expect("stop watching")
  }

  @Test func `Keys are completed and earlier lines recalled`() async {
    await browser.press("<Ctrl-G>Dou<Tab>").settle().expect(row: 23, contains: "go to: Double.")
    await browser.press("<Enter>").settle()
    let first = browser.state.keys?.selected?.key
    await browser.press("<Home>").settle().press("<Ctrl-G><Up><Enter>").settle()
    #expect(first != nil && browser.state.keys?.selected?.key == first)
  }

  @Test func `Earlier messages can be read again`() async {
    await browser.press(":fly<Enter>").settle().press("<Esc>").settle().press("jk").settle()
    #expect(browser.state.message == nil)
    await browser.press("M").settle().expect("there is no command “fly”")
    await browser.press("q").settle()
    #expect(browser.state.overlay == nil)
  }

  @Test func `Themes are cycled forwards and backwards`() async {
    let first = browser.program.theme
    let known = ThemeLoader().available()
    #expect(known.count > 10)
    await browser.press("t").settle().expect("theme:").expect("catppuccin-mocha")
    var names: [String] = []
    for _ in known {
      await browser.press("<Down>").settle()
      names.append(browser.program.theme.name)
    }
    #expect(names == known, "the screen shows each that one comes by")
    await browser.press("<Esc>").settle()
    #expect(browser.state.themes.shown == "larder-dark")
    #expect(browser.program.theme == first)
    await browser.press("tgruvl<Enter>").settle()
    #expect(browser.program.theme.name == "gruvbox-light")
    await browser.press("tnothing<Enter>").settle().expect("there is no theme “nothing”")
    #expect(browser.program.theme.name == "gruvbox-light")
    await browser.press(":theme larder-dark<Enter>").settle()
    await browser.press(":theme nothing<Enter>").settle().expect(
      "there is no theme “nothing”; t lists them")
    await browser.press(":theme nort<Enter>").settle().expect(
      "there is no theme “nort”; did you mean nord?")
    #expect(!browser.state.messages.items.contains { $0.message.text.contains("nort\" in the") })
    #expect(browser.program.theme == first)
  }

  @Test func `The theme suits the terminal until another is chosen`() async {
    let white = RGB(red: 255, green: 255, blue: 255)
    browser.terminal.send(.background(white))
    await browser.settle()
    #expect(browser.state.themes.shown == "larder-light")
    #expect(browser.program.theme.name == "larder-light")
    await browser.press(":theme nord<Enter>").settle()
    browser.terminal.send(.background(white))
    await browser.settle()
    #expect(browser.state.themes.shown == "nord", "the chosen theme stays")
  }

  @Test func `A click selects and focuses the pane`() async {
    await browser.mouse(.press(.left), x: 25, y: 4).settle().expect(selected: .text("json"))
    await browser.mouse(.press(.left), x: 60, y: 5).settle()
    #expect(browser.state.focus == .value)
    await browser.mouse(.press(.left), x: 5, y: 4).settle().expect(row: 0, contains: "people")
    #expect(browser.state.focus == .stores)
    await browser.mouse(.press(.left), x: 25, y: 20).settle().expect(selected: .integer(4))
    await browser.mouse(.press(.right), x: 25, y: 2).settle().expect(selected: .integer(4))
    await browser.mouse(.press(.left), x: 25, y: 0).settle().expect(selected: .integer(4))
  }

  @Test func theWheelScrollsThePaneUnderIt() async {
    await browser.resize(80, 8).settle()
    await browser.mouse(.wheelDown, x: 25, y: 3).settle().expect(row: 2, contains: "long")
      .expectNot("Double.pi")
    await browser.mouse(.wheelUp, x: 25, y: 3).settle().expect(row: 2, contains: "Double.pi")
    await browser.mouse(.wheelDown, x: 25, y: 7).settle().expect(row: 2, contains: "Double.pi")
  }

  @Test func theDividersAreDragged() async throws {
    let before = try #require(browser.program.layout.dividers[.value])
    browser.mouse(.press(.left), x: before, y: 5)
    browser.mouse(.drag(.left), x: before - 1, y: 5)
    browser.mouse(.drag(.left), x: before + 6, y: 9)
    await browser.mouse(.release(.left), x: before + 6, y: 9).settle()
    #expect(browser.program.layout.dividers[.value] == before + 6)
    browser.mouse(.drag(.left), x: 60, y: 5)
    await browser.settle()
    #expect(browser.program.layout.dividers[.value] == before + 6, "the button is up")
    let stores = try #require(browser.program.layout.dividers[.keys])
    browser.mouse(.press(.left), x: stores, y: 5)
    await browser.mouse(.drag(.left), x: -50, y: 5).settle()
    #expect((browser.program.layout.dividers[.keys] ?? 0) >= 18)
    await browser.mouse(.drag(.left), x: 500, y: 5).settle()
    #expect((browser.program.layout.panes[.value]?.width ?? 0) >= 18)
  }

  @Test func `Formats are cycled and remembered`() async {
    await browser.resize(100, 24).press("/json<Enter><Esc>").settle()
    await browser.press("<Down><Down>").settle().expect("· json")
    await browser.press("f").settle().expect("{\"name\":\"Ada\"")
    await browser.press("f").settle().expect("7b 22 6e")
    await browser.press("f").settle().expect("\"name\": \"Ada\"")
  }

  @Test func `A wrapped text is shown in full`() async {
    await browser.press("/long<Enter>").settle()
    let pane = browser.program.layout.body(.value)
    let shown = browser.screen.rows[pane.y..<pane.maxY]
      .map { String($0.dropFirst(pane.x + 1)) }.joined()
    let text =
      "A long line of text that has to be wrapped, as it is wider than the pane that"
      + " shows it: 0123456789 0123456789 0123456789."
    #expect(shown.filter { $0 != " " } == text.filter { $0 != " " })
  }
}
