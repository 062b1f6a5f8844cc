import LarderBrowser
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// The list of changes by other programs, driven through the terminal.
@Suite @MainActor struct ChangesRobotTests {
  private let folder: TestFolder
  private let browser: Robot

  init() async throws {
    folder = try await .sample()
    browser = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: .init(width: 100, height: 20))
    await browser.settle()
  }

  private func watch() async {
    await browser.press("w").settle()
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
  }

  /// Changes the database from outside, and waits until the browser notices.
  private func others(_ sql: String) async throws {
    let before = browser.state.keys?.watch
    try await folder.database(sql)
    await turnWhile {
      guard browser.state.keys?.watch == before else { return false }
      if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
      return true
    }
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
  }

  private let script =
    "UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'; "
    + "INSERT INTO settings VALUES ('aaa', 1); DELETE FROM settings WHERE key = 'json'"

  @Test(arguments: [(140, 40), (80, 24), (40, 10)])
  func screens(_ width: Int, _ height: Int) async throws {
    await watch()
    try await others(script)
    await browser.resize(width, height).settle().press("L").settle()
    try browser.expect(snapshot: "changes-\(width)x\(height)")
  }

  @Test func `The status line counts, and the list grows while it is open`() async throws {
    await watch()
    await browser.press("L").settle().expect("no changes by other programs yet")
    try await others(script)
    await browser.expect("+1 ~1 −1").expect("likes tea → likes coffee").press("<Esc>").settle()
      .expect("watching +1 ~1 −1")
    #expect(browser.state.keys?.watch?.log.items.count == 3)
  }

  @Test func `Enter shows the value before and after, and o goes to the entry`() async throws {
    await watch()
    try await others("UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'")
    await browser.press("L<Enter>").settle().expect("likes tea").expect("likes coffee")
      .press("<Esc>").settle().expect("Changes").press("o").settle()
      .expect(selected: .text("bob"))
    #expect(browser.state.overlay == nil)
  }

  @Test func `n and N go from one changed entry to the next, and around`() async throws {
    await browser.press("n").settle().expect("first filter")
    await watch()
    try await others(
      "UPDATE settings SET value = 'x' WHERE key IN ('bob', 'json'); "
        + "DELETE FROM settings WHERE key = 'raw'")
    await browser.press("n").settle().expect(selected: .text("bob")).press("n").settle()
      .expect(selected: .text("json")).press("n").settle().expect(selected: .text("bob"))
      .expect("continued").press("N").settle().expect(selected: .text("json"))
  }

  @Test func `Only the latest changes are remembered, and all are counted`() {
    var log = ChangeLog()
    for number in 0..<3 {
      var report = WatchReport(at: Robot.start)
      report.differences = (0..<800).map { place in
        EntryDifference(.added, .integer(Int64(place + number * 800)))
      }
      report.counts = [.added: 800]
      log.take(report)
    }
    #expect(log.items.count == ChangeLog.capacity)
    #expect(log.items.last?.number == 2_400 && log.counts[.added] == 2_400)
  }
}
