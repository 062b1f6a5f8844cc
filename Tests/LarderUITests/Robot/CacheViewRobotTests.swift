import LarderBrowser
import LarderModel
import LarderUI
import TerminalUI
import Testing

/// The cache view, driven through the terminal.
@Suite @MainActor struct CacheViewRobotTests {
  private let folder: TestFolder
  private let browser: Robot

  init() async throws {
    folder = try await .sample()
    browser = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: .init(width: 140, height: 20))
    await browser.settle()
    await browser.press("<Down>:read-through<Enter>").settle()
  }

  @Test func nothingIsCachedAtFirst() {
    browser.expect("nothing cached").expect(row: 3, contains: "–").expect("not in the cache; Enter")
      .expectNot("likes tea")
  }

  @Test func `Enter reads through the cache, and the TTL counts down`() async {
    await browser.press("<Enter>").settle().expect("likes tea")
      .expectRow("bob", "fresh", "1m 40s").expect("1 cached: 1 fresh, 0 expired")
    await browser.wait(.seconds(1)).expectRow("bob", "fresh", "1m 39s")
    await browser.wait(.seconds(98)).expectRow("bob", "soon", " 1s")
    await browser.wait(.seconds(1)).expectRow("bob", "expired", " 0s")
      .expect("1 cached: 0 fresh, 1 expired").expect("likes tea")
    #expect(!browser.clock.hasSleeper, "nothing changes with time any more")
  }

  @Test func `A cached value stays old until it is refreshed`() async throws {
    await browser.press("<Enter><Esc>").settle()
    try await folder.database("UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'")
    await browser.press("<Up>").settle()
    await browser.press("<Down>").settle().expect("likes tea")
    await browser.wait(.seconds(50)).expectRow("bob", "fresh", "50s")
    await browser.press("R").settle().expect("likes coffee").expectRow("bob", "fresh", "1m 40s")
  }

  @Test func `Evicting removes an entry from the cache only`() async {
    await browser.press("<Enter><Esc>").settle()
    await browser.press("P").settle().expect("evicted; still in the store").expect("nothing cached")
      .expectNot("likes tea")
    await browser.press("P").settle().expect("bob is not cached")
    await browser.press(":read-through<Enter>").settle().expect("likes tea")
      .expectNot("nothing cached")
  }

  @Test func hitsAreCounted() async {
    await browser.press("<Enter><Esc>").settle()
    await browser.press("<Enter><Esc><Enter>").settle()
    #expect(browser.state.cache?.statuses[.text("bob")]?.hits == 2)
  }

  @Test func `Without the cache view its commands give advice`() async {
    await browser.press(":read-through<Enter>").settle()
    await browser.press("R").settle().expect(":read-through turns on")
  }
}
