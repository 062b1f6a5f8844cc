import LarderBrowser
import LarderModel
import Foundation
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Obstacles met by first-time users.
@Suite @MainActor struct FirstUseRobotTests {
  private func browser(
    _ locations: [String] = ["app.db#settings"], _ script: String = "", name: String = "app.db",
    width: Int = 110, height: Int = 24, protected: [String] = []
  ) async throws -> (Robot, TestFolder) {
    let folder = try await TestFolder.sample()
    if !script.isEmpty { try await folder.database(script, name: name) }
    let robot = try Robot(
      locations, stores: .sqlite(folder), size: Size(width: width, height: height),
      protected: protected)
    return (await robot.settle(), folder)
  }

  @Test func `A copy to a protected store asks first, and names it`() async throws {
    let (robot, folder) = try await browser(
      ["app.db#settings", "live.db"], "CREATE TABLE t(key TEXT PRIMARY KEY, value)",
      name: "live.db", protected: ["*live.db"])
    await robot.pressEach("<Down>:copy-to live.db<Enter>")
    robot.expect("which is PROTECTED").expectNot("copied")
    #expect(try await folder.text("SELECT CAST(count(*) AS TEXT) FROM t", name: "live.db") == "0")
    await robot.pressEach("<Enter>").expect("copied 1 entry to live.db#t")
    #expect(try await folder.text("SELECT CAST(count(*) AS TEXT) FROM t", name: "live.db") == "1")
  }

  @Test func `Keys that consist of blanks are visible`() async throws {
    let (robot, _) = try await browser(
      ["odd.db"],
      """
      CREATE TABLE t(key TEXT PRIMARY KEY, value);
      INSERT INTO t VALUES ('', 'none'), ('  ', 'two'), ('a:', 'x'), ('a: ', 'y'), ('a:b', 'z');
      """, name: "odd.db")
    robot.expect(row: 2, contains: "\"\"").expect(row: 3, contains: "\"  \"")
    await robot.pressEach("T:open-here a:<Enter>").expect("\" \"")
  }

  @Test func `:q quits, as in other programs`() async throws {
    let (robot, _) = try await browser()
    await robot.pressEach("y:q!<Enter>")
    #expect(robot.state.isFinished)
  }

  @Test func `Text too long for a line wraps`() async throws {
    let (robot, _) = try await browser(width: 40, height: 12)
    robot.program.send(.notice("said in more than forty columns, and it goes on to its end"))
    await robot.draw().expect("to its end")
  }

  @Test func `A click on a tab says why it does not work while text is typed`() async throws {
    let (robot, _) = try await browser()
    await robot.pressEach("<Ctrl-T><Down>e!")
    robot.mouse(.press(.left), x: 3, y: 0)
    await robot.settle().expect("cannot switch tabs")
    #expect(robot.state.tabs.shown == 2)
    #expect(robot.state.isTyping)
  }

  @Test func `A click on an answer is that answer`() async throws {
    for (answer, isGone) in [("keep", false), ("delete", true)] {
      let (robot, folder) = try await browser()
      await robot.pressEach("<Down>d")
      let row = try #require(robot.screen.rows.lastIndex { $0.contains("y delete") })
      let line = robot.screen.row(row)
      let place = try #require(line.ranges(of: answer).last)
      robot.mouse(.press(.left), x: TextWidth.of(line[..<place.lowerBound]) + 1, y: row)
      await robot.settle()
      #expect(robot.state.overlay == nil)
      let count = try await folder.text(
        "SELECT CAST(count(*) AS TEXT) FROM settings WHERE key = 'bob'")
      #expect(count == (isGone ? "0" : "1"), "\(robot.report)")
    }
  }

  @Test func `A location is closed with the tabs that show it`() async throws {
    let (robot, _) = try await browser(
      ["app.db#settings"],
      "CREATE TABLE t(key TEXT PRIMARY KEY, value); INSERT INTO t VALUES ('only', 1)",
      name: "other.db")
    await robot.pressEach("<Ctrl-T>:new-tab other.db<Enter>").expect("only")
    await robot.pressEach("1<Alt-1>")
    #expect(robot.state.tabs.count == 3)
    await robot.pressEach(":close-store<Enter>").expect("closed app.db").expect("and a tab with it")
      .expect("only")
    #expect(robot.state.tabs.count == 1)
    #expect(robot.state.stores.items.count == 1)
    await robot.pressEach("[").expect("there is nothing to go back to")
    await robot.pressEach(":close-store<Enter>").expect("closed other.db")
    #expect(robot.state.keys == nil && robot.state.stores.items.isEmpty)
    await robot.pressEach("jk<Enter><Tab>:close-store<Enter>").expect("no store is open")
    await robot.pressEach("<Esc>")
    await robot.pressEach("oapp.db#settings<Enter>").expect("bob")
  }

  @Test func `The name “close” closes the tab, and with one tab the store`() async throws {
    let (robot, _) = try await browser(["app.db#settings"], "", name: "other.db")
    await robot.pressEach("<Ctrl-T>")
    #expect(robot.state.tabs.count == 2)
    await robot.pressEach(":close<Enter>")
    #expect(robot.state.tabs.count == 1)
    #expect(robot.state.stores.items.count == 1)
    await robot.pressEach(":close<Enter>")
    #expect(robot.state.stores.items.isEmpty)
  }

  @Test func `Closing a store from the list keeps the focus there`() async throws {
    let (robot, _) = try await browser(
      ["app.db#settings"],
      "CREATE TABLE t(key TEXT PRIMARY KEY, value); INSERT INTO t VALUES ('only', 1)",
      name: "other.db")
    await robot.pressEach("oother.db<Enter>").expect("only")
    await robot.pressEach("h")
    #expect(robot.state.focus == .stores)
    await robot.pressEach(":close-store nothing.db<Enter>").expect("no open store is called")
    await robot.pressEach(":close-store other.db<Enter>").expect("closed other.db").expect("bob")
    #expect(robot.state.focus == .stores)
  }

  @Test func `Editing a member of a tree leaves the rest unchanged`() async throws {
    let text = #"{ "name" : "Ada",\#n\#t"tags":[1,  2.50], "name":"twice" }"#
    let (robot, folder) = try await browser(
      ["json.db"],
      """
      CREATE TABLE t(key TEXT PRIMARY KEY, value); INSERT INTO t VALUES ('a', '\(text)');
      """, name: "json.db")
    robot.expect("duplicate name")
    await robot.pressEach("<Enter><Down>e").expect("Edit a · name (text)")
    await robot.pressEach("<Ctrl-U>Grace<Enter>").expect("saved")
    let saved = try await folder.text("SELECT value FROM t", name: "json.db")
    #expect(saved == text.replacing("Ada", with: "Grace"))
    await robot.pressEach("<Down><Down>").expect("tags[0]")
    await robot.pressEach("e<Ctrl-U>x").expect("not a whole number")
    await robot.pressEach("<Backspace>17<Enter>").expect("saved")
    let again = try await folder.text("SELECT value FROM t", name: "json.db")
    #expect(again == saved?.replacing("[1,", with: "[17,"))
    // From the list of keys, `e` edits the whole value.
    await robot.pressEach("<Esc>e").expect("Edit a (text)")
  }

  @Test func `Choosing a theme says how to make it permanent`() async throws {
    let (robot, _) = try await browser()
    await robot.pressEach(":theme nord<Enter>").expect("\"theme\": \"nord\"")
  }

  @Test func `Marks survive an undo if their keys do`() async throws {
    let folder = try await TestFolder.sample()
    let journal = Journal(path: folder.path + "/state/journal.db")
    let robot = try Robot(
      ["app.db#settings"], stores: .sqlite(folder, journal: journal),
      size: Size(width: 110, height: 24))
    await robot.settle()
    await robot.pressEach("azz<Enter>1<Enter>").expect("saved")
    let keys = robot.state.keys?.window.entries.prefix(2).map(\.key) ?? []
    await robot.pressEach("g<Space><Space>:go zz<Enter><Space>").expect("3 marked")
    await robot.pressEach("u").expect("undone")
    #expect(robot.state.keys?.marked == Set(keys))
    robot.expect("2 marked")
  }
}
