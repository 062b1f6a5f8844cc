import LarderBrowser
import LarderModel
import Foundation
import HarmonyTesting
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Several stores in tabs, driven through the terminal.
@Suite @MainActor struct TabRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
    let files = folder.path + "/files"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    for name in ["a.txt", "b.txt", "c.txt"] {
      try Data("text of \(name)".utf8).write(to: URL(filePath: "\(files)/\(name)"))
    }
    try #"{"alpha": 1, "beta": {"gamma": [1, 2]}, "李小龍": "x"}"#
      .write(toFile: folder.path + "/list.json", atomically: true, encoding: .utf8)
  }

  private func browser(
    _ locations: [String] = ["app.db#settings"], width: Int = 80, height: Int = 24,
    journal: Journal? = nil
  ) async throws -> Robot {
    try await Robot(
      locations, stores: .sqlite(folder, journal: journal), size: Size(width: width, height: height)
    ).settle()
  }

  @Test func `One tab has no line; two have one with the shown tab highlighted`() async throws {
    let browser = try await browser()
    browser.expectNot(" 1 app.db#settings").expect(row: 0, contains: "Stores")
    await browser.pressEach("<Ctrl-T>").expect("the same store in tab 2")
    browser.expect(row: 0, contains: " 1 app.db#settings ", isSelected: false)
      .expect(row: 0, contains: " 2 app.db#settings ", isSelected: true)
      .expect(row: 1, contains: "▸app.db#settings")
    await browser.pressEach("{").expect(row: 0, contains: " 1 app.db#settings ", isSelected: true)
    await browser.pressEach("<Ctrl-W>").expect("closed the tab")
      .expect(row: 0, contains: "▸app.db#settings")
    await browser.pressEach("<Ctrl-W>").expect("this is the only tab")
  }

  @Test func `Each tab keeps its store, filter, tree, marks, focus and value`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down><Space><Down>")
    await browser.pressEach(":new-tab list.json<Enter>").expect("alpha").expect("beta")
    await browser.pressEach("jj<Enter>").expect("▸")
    await browser.pressEach(":new-tab files<Enter>").expect("a.txt").pressEach("/b<Enter>")
      .expectNot("a.txt")
    browser.expect(row: 0, contains: "1 app.db#settings • ")
      .expect(row: 0, contains: "2 list.json ").expect(row: 0, contains: "3 files ")
    await browser.pressEach("<Alt-1>").expect("1 marked").expect(selected: .text("long"))
    await browser.pressEach("<Alt-2>").expectNot("1 marked").expect(selected: .text("李小龍"))
    #expect(browser.state.focus == .value)
    await browser.pressEach("<Ctrl-PgDn>").expect("/b").expect(selected: .text("b.txt"))
      .expect("text of b.txt")
    await browser.pressEach("}").expect("1 marked")
    await browser.pressEach("{{").expect(selected: .text("李小龍"))
    await browser.pressEach(":tab 3<Enter>").expect(selected: .text("b.txt"))
    await browser.pressEach(":tab 9<Enter>").expect("there is no tab “9”; the last one is 3")
  }

  @Test func `A change in one tab is visible in another tab of the store`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down><Ctrl-T>e and cake<Enter>").expect("saved bob")
    await browser.pressEach("{").expect("likes tea and cake")
    await browser.pressEach("a").pressEach("new<Enter>x<Enter>").expect("saved new")
    await browser.pressEach("}").expect("new").expect("of 8 entries").expect(selected: .text("bob"))
    await browser.pressEach("dy").expect("deleted bob")
    await browser.pressEach("{").expectNot("bob").expect("of 7 entries")
  }

  @Test func `Changes by other programs are visible when a tab is shown again`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down>:new-tab list.json<Enter>")
    try await folder.database(
      "UPDATE settings SET value = 'likes coffee' WHERE key = 'bob';"
        + "INSERT INTO settings VALUES ('aaa', 1)")
    await browser.pressEach("{").expect("likes coffee").expect("aaa").expect("3 of 8 entries")
      .expect(selected: .text("bob"))
    try await folder.database("DELETE FROM settings WHERE key = 'bob'")
    await browser.pressEach("}{").expectNot("bob").expect(selected: .text("json"))
  }

  @Test func `The cache view belongs to one tab`() async throws {
    let browser = try await browser(width: 120)
    await browser.pressEach(":read-through<Enter><Enter>").expect("1 cached")
    await browser.pressEach("<Ctrl-T>:read-through<Enter>").expectNot("1 cached")
    await browser.pressEach("{").expect("1 cached")
  }

  @Test func `During a question no tab is changed`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Ctrl-T><Down>d").expect("Delete bob")
    await browser.pressEach("{<Alt-1>}<Ctrl-T><Ctrl-W>").expect("Delete bob")
    browser.mouse(.press(.left), x: 3, y: 0)
    await browser.settle().expect("Delete bob")
    #expect(browser.state.tabs.shown == 2 && browser.state.tabs.count == 2)
    await browser.pressEach("<Esc>e{}").expect("likes tea{}")
    #expect(browser.state.tabs.shown == 2)
  }

  // MARK: The mouse

  @Test func `A click shows a tab, and the middle button closes one`() async throws {
    let browser = try await browser()
    await browser.pressEach(":new-tab list.json<Enter>:new-tab files<Enter>")
    let x = try #require(browser.screen.row(0).firstRange(of: "list.json")).lowerBound
    let column = TextWidth.of(browser.screen.row(0)[..<x])
    browser.mouse(.press(.left), x: column, y: 0)
    await browser.settle().expect("alpha")
    #expect(browser.state.tabs.shown == 2)
    browser.mouse(.press(.middle), x: 2, y: 0)
    await browser.settle()
    #expect(browser.state.tabTitles.map(\.name) == ["list.json", "files"])
    browser.mouse(.press(.left), x: 79, y: 0)
    await browser.settle()
    #expect(browser.state.tabs.shown == 1, "nothing is there")
  }

  @Test func `A double click acts like Enter, and two slow clicks do not`() async throws {
    let browser = try await browser(["app.db#settings"], width: 100)
    func click(y: Int, after time: Duration = .zero) async {
      browser.clock.advance(by: time)
      browser.mouse(.press(.left), x: 40, y: y).mouse(.release(.left), x: 40, y: y)
      await browser.settle()
    }
    await click(y: 3)
    await click(y: 4, after: .milliseconds(100))
    #expect(browser.state.focus == .keys, "of two rows")
    await click(y: 4, after: .milliseconds(401))
    #expect(browser.state.focus == .keys, "too slow")
    await click(y: 4, after: .milliseconds(400))
    #expect(browser.state.focus == .value)
    browser.expect(selected: .text("json"))
    await click(y: 4, after: .milliseconds(100))
    #expect(browser.state.focus == .keys, "the third is the first of the next")
  }

  @Test func `A double click on a branch opens it once`() async throws {
    let browser = try await browser(["app.db#numbers"], width: 100)
    await browser.pressEach("T").expect("▸ key:")
    for _ in 0..<2 {
      browser.mouse(.press(.left), x: 40, y: 2).mouse(.release(.left), x: 40, y: 2)
      await browser.settle().expect("▾ key:")
    }
  }

  @Test func `The mouse hits panes below the tab line`() async throws {
    let browser = try await browser(["app.db#numbers"], width: 100)
    await browser.pressEach("<Ctrl-T>").expect(row: 3, contains: "key:0000")
    browser.mouse(.press(.left), x: 40, y: 5)
    await browser.settle().expect(selected: .text("key:0002"))
      .expect(row: 5, contains: "key:0002", isSelected: true)
    browser.mouse(.wheelDown, x: 40, y: 5)
    await browser.settle().expect(row: 3, contains: "key:0003")
    let divider = try #require(browser.program.layout.dividers[.value])
    browser.mouse(.press(.left), x: divider, y: 10).mouse(.drag(.left), x: divider + 9, y: 10)
      .mouse(.release(.left), x: divider + 9, y: 10)
    await browser.settle()
    #expect(browser.program.layout.dividers[.value] == divider + 9)
    // On the line of tabs a click in that column belongs to a tab.
    let column = try #require(browser.program.layout.dividers[.keys])
    browser.mouse(.press(.left), x: min(column, 5), y: 0).mouse(.drag(.left), x: 50, y: 0)
      .mouse(.release(.left), x: 50, y: 0)
    await browser.settle()
    #expect(browser.state.tabs.shown == 1)
    #expect(browser.program.layout.dividers[.keys] == column)
  }

  @Test func `More tabs than fit leave the shown one in view, also by the mouse`() async throws {
    let browser = try await browser(width: 50)
    for _ in 0..<6 { await browser.pressEach("<Ctrl-T>") }
    browser.expect(row: 0, contains: "‹").expect(row: 0, contains: " 7 ", isSelected: true)
    #expect(!browser.screen.row(0).contains("›"))
    await browser.pressEach("<Alt-1>").expect(row: 0, contains: " 1 ", isSelected: true)
      .expect(row: 0, contains: "›")
    browser.mouse(.press(.left), x: 49, y: 0)
    await browser.settle()
    #expect(browser.state.tabs.shown == 3, "the first one that is not in view")
    await browser.pressEach("<Alt-7>")
    browser.mouse(.press(.left), x: 0, y: 0)
    await browser.settle()
    #expect(browser.state.tabs.shown == 5)
  }

  @Test func `Hostile and wide names stay on the line`() async throws {
    let name = "a\u{1B}[2J\u{202E}李小龍李小龍李小龍李小龍.db"
    try await folder.database("CREATE TABLE t (key TEXT PRIMARY KEY, value)", name: name)
    let browser = try await browser([name], width: 40, height: 10)
    await browser.pressEach("<Ctrl-T><Ctrl-T>")
    #expect(!browser.screen.row(0).unicodeScalars.contains { $0.value == 0x1B })
    browser.expect(row: 0, contains: "李").expect(row: 0, contains: " 3 ")
    for width in 1..<40 { await browser.resize(width, 10).settle() }
    await browser.resize(40, 7).settle().expectNot(" 3 a")
    await browser.resize(40, 8).settle().expect(row: 0, contains: " 3 a")
  }

  // MARK: Restoring

  @Test func `Switching tabs in any order restores the same screen`() async throws {
    let browser = try await browser(["app.db#settings", "list.json", "files"], width: 100)
    let setUps = [
      "<Down><Space><Down>/o<Enter><Enter>",
      "<Esc>:open app.db#numbers<Enter>G" + String(repeating: "<PgUp>", count: 3),
      ":open list.json<Enter>j<Enter>jj",
      "<Esc>:open app.db#numbers<Enter>:tree :<Enter><Enter>:sort key<Enter>"
        + String(repeating: "<PgDn>", count: 20),
      ":open app.db#numbers<Enter>:sort type<Enter>c" + String(repeating: "<Down>", count: 18),
      ":open app.db#settings<Enter>/raw<Enter><Enter><Right><Right>",
      ":open app.db#numbers<Enter>" + String(repeating: "<Down>", count: 20),
    ]
    for _ in setUps.dropFirst() { await browser.pressEach("<Ctrl-T>") }
    // Only the panes right of the divider are compared: the store list and the tab line change.
    func own(_ screen: Screen) -> [Substring] {
      screen.rows.dropFirst().map { row in
        row.firstIndex(of: "│").map { row[row.index(after: $0)...] } ?? row[...]
      }
    }
    var before: [[Substring]] = []
    for (index, keys) in setUps.enumerated() {
      await browser.pressEach("<Alt-\(index + 1)>" + keys)
      before.append(own(browser.screen))
    }
    var screens: [Int: [String]] = [:]
    for number in 1...setUps.count {
      await browser.pressEach("<Alt-\(number)>")
      screens[number] = browser.screen.rows
      #expect(own(browser.screen) == before[number - 1], "\(browser.report)")
    }
    #expect(Set(screens.values.map { $0.joined() }).count == setUps.count)
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let numbers = setUps.indices.map { "<Alt-\($0 + 1)>" }
      let key = (["{", "}"] + numbers).randomElement(using: &random)
      // Some tabs are left before their first read finishes.
      browser.press(key ?? "}")
      guard Bool.random(using: &random) else { continue }
      await browser.settle()
      let screen = screens[browser.state.tabs.shown]
      #expect(browser.screen.rows == screen, "seed \(seed)\n\(browser.report)")
    }
  }
}
