import LarderBrowser
import LarderModel
import Foundation
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Late replies and keys typed ahead in one tab must not act on another.
@Suite @MainActor struct TabOrderTests {
  private let source = HeldSource([
    "alice": "one", "bob": "two", "carol": "three", "dave": "four",
  ])

  private func slow() async throws -> Robot {
    try await Robot(["slow"], stores: .held(source), size: Size(width: 80, height: 12)).settle()
  }

  private func browser(_ sql: String = "") async throws -> Robot {
    let folder = try await TestFolder.sample()
    if !sql.isEmpty { try await folder.database(sql) }
    return try await Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: Size(width: 80, height: 24)
    ).settle()
  }

  // MARK: Comparisons

  @Test func `A comparison that arrives leaves an editor open`() async throws {
    let browser = try await slow()
    source.hold()
    browser.press(":compare bob<Enter>")
    await source.waits(for: 1)
    browser.press(":edit<Enter> and more")
    source.release()
    await browser.settle().expect("one and more").expect("the comparison is ready")
    await browser.pressEach("<Ctrl-S>").expect("saved alice")
    #expect(source.value("alice") == .text("one and more"))
  }

  @Test func `A comparison is not shown over another tab`() async throws {
    let browser = try await slow()
    await browser.pressEach("<Ctrl-T>")
    source.hold()
    browser.press(":compare bob<Enter>")
    await source.waits(for: 1)
    browser.press(":tab 1<Enter>")
    source.release()
    await browser.settle()
    #expect(browser.state.overlay == nil && browser.state.tabs.shown == 1)
  }

  // MARK: Keys typed ahead

  @Test func `A click on another tab drops pending keys`() async throws {
    let browser = try await slow()
    await browser.pressEach("<Ctrl-T>")
    source.hold()
    browser.press("<Down>dy")
    await source.waits(for: 1)
    browser.mouse(.press(.left), x: 2, y: 0)
    source.release()
    await browser.settle()
    #expect(browser.state.tabs.shown == 1 && browser.state.overlay == nil)
    #expect(source.value("alice") == .text("one") && source.value("bob") == .text("two"))
    await browser.pressEach("dy").expect("deleted alice")
  }

  @Test func `A click on another row drops pending keys`() async throws {
    let browser = try await slow()
    source.hold()
    browser.press("<Down>dy")
    await source.waits(for: 1)
    let row = try #require(browser.screen.rows.firstIndex { $0.contains("dave") })
    browser.mouse(.press(.left), x: 2, y: row)
    source.release()
    await browser.settle().expect(selected: .text("dave"))
    #expect(source.value("dave") == .text("four") && source.value("bob") == .text("two"))
  }

  @Test func `A command typed for a tab that cannot be opened is dropped`() async throws {
    let browser = try await browser()
    browser.press(":new-tab nowhere.db<Enter>:undo")
    #expect(browser.state.tabs.count == 2)
    await browser.settle().expect("its tab was closed")
    #expect(browser.state.overlay == nil && browser.state.tabs.count == 1)
  }

  // MARK: State of tabs

  @Test func `Unread marks are read when the tab is shown again`() async throws {
    let browser = try await slow()
    await browser.pressEach("<Ctrl-T>V<Down><Down>")
    source.hold()
    browser.press("V")
    await source.waits(for: 1)
    browser.press(":tab 1<Enter>")
    source.release()
    await browser.settle()
    await browser.pressEach("<Space>:tab 2<Enter>")
    let keys = try #require(browser.state.keys)
    #expect(keys.marked.count == 3 && Set(keys.fingerprints.keys) == keys.marked)
  }

  @Test func `A large value is released, and read again at the same position`() async throws {
    let browser = try await browser(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 119999)
        INSERT INTO settings SELECT 'big', group_concat('line ' || i, char(10)) FROM n;
      """)
    await browser.pressEach("<Ctrl-G>big<Enter><Tab>").press("<PgDn><PgDn><PgDn>").settle()
      .expect("line 62")
    let top = browser.state.value?.cursor.top
    await browser.pressEach("<Ctrl-T>").expect("line 62")
    let parked = try #require(browser.state.tabs.before.first?.value)
    #expect(parked.rowCount == 0 && parked.entry == .running)
    await browser.pressEach("<Ctrl-W>").expect("line 62")
    #expect(browser.state.value?.cursor.top == top && top != 0)
  }

  @Test func `Watching reports changes made while the tab was hidden`() async throws {
    let browser = try await browser()
    await browser.pressEach("w<Ctrl-T>{").expect("changes made while the tab was hidden")
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "0", "-1", "3", "x"])
  func `A tab number that does not exist is refused`(_ number: String) async throws {
    let browser = try await browser()
    await browser.pressEach("<Ctrl-T>").press(":close-tab \(number)<Enter>").settle()
      .expect("there is no tab “\(number)”; the last one is 2")
    #expect(browser.state.tabs.count == 2)
  }
}
