import LarderBrowser
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Watching changes that other programs make to a store, driven through the terminal.
@Suite @MainActor struct WatchingTests {
  private let folder: TestFolder
  private let browser: Robot

  init() async throws {
    folder = try await .sample()
    browser = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: .init(width: 80, height: 20))
    await browser.settle()
    await browser.press("<Down>").settle()
  }

  /// Starts watching, and returns once the browser waits for changes.
  private func watch() async {
    await browser.press("w").settle().expect("watching")
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
  }

  @Test(arguments: [(80, 20), (40, 12), (20, 6)])
  func theScreenOfAWatch(_ width: Int, _ height: Int) async throws {
    await watch()
    try await others(
      "UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'; "
        + "INSERT INTO settings VALUES ('aaa', 1); DELETE FROM settings WHERE key = 'json'")
    await browser.resize(width, height).settle()
    try browser.expect(snapshot: "watch-changed-\(width)x\(height)")
    await browser.press("<Down>").settle()
    if width < 40 { await browser.press("<Enter>").settle() }
    try browser.expect(snapshot: "watch-removed-\(width)x\(height)")
  }

  @Test func theScreenOfAWatchWithoutColors() async throws {
    let browser = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: .init(width: 80, height: 20),
      theme: "monochrome")
    await browser.settle().press("<Down>").settle().press("w").settle()
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
    try await others(
      "UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'; "
        + "DELETE FROM settings WHERE key = 'json'", seenBy: browser)
    try browser.expect(snapshot: "watch-monochrome")
  }

  /// Changes the database from outside, and waits until the browser notices.
  private func others(_ sql: String, seenBy other: Robot? = nil) async throws {
    let browser = other ?? browser
    let before = browser.state.keys?.watch
    try await folder.database(sql)
    // The first event may arrive before the change is visible; the next poll is a second later.
    await turnWhile {
      guard browser.state.keys?.watch == before else { return false }
      if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
      return true
    }
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
  }

  @Test func `A changed value is shown beside the old one`() async throws {
    await watch()
    try await others("UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'")
    browser.expect(row: 3, contains: "~bob", isSelected: true).expect("1 changed by other programs")
      .expect("likes coffee").expect("before").expect("likes tea")
    await browser.press("<Up>").settle().expect(row: 3, contains: "~bob").expectNot("before")
    await browser.press("w").settle().expectNot("~bob").expect("stopped watching")
  }

  @Test func `Collapsed branches show that their keys have changed`() async throws {
    try await folder.database(
      "INSERT INTO settings VALUES ('user:1', 'Ada'), ('user:2', 'Grace'), ('theme:a', 1)")
    await browser.press("<F5>:tree :<Enter>").settle().expect("▸ user:")
    await watch()
    try await others("UPDATE settings SET value = 'Bob' WHERE key = 'user:2'")
    browser.expect("~▸ user:").expectNot("~▸ theme:")
    await browser.press("G").settle()
    await browser.pressEach("<Enter>").expectNot("~▾ user:").expect("~    2")
  }

  @Test func `Entries changed by other programs move in a sorted list`() async throws {
    await browser.press(":sort size<Enter>").settle().expect(selected: .text("long"))
    await watch()
    try await others("UPDATE settings SET value = zeroblob(5000) WHERE key = 'raw'")
    browser.expect(selected: .text("long")).expect("1 changed by other programs")
    #expect(browser.state.keys?.window.entries.first?.key == .text("raw"))
    try await others("DELETE FROM settings WHERE key = 'raw'")
    #expect(browser.state.keys?.window.entries.first?.key == .text("long"))
  }

  @Test func `New keys are inserted in order and the selection stays`() async throws {
    await watch()
    try await others("INSERT INTO settings VALUES ('aaa', 1), ('zzz', 2)")
    browser.expect("2 added by other programs").expect(selected: .text("bob"))
      .expect(row: 3, contains: "+aaa").expect(row: 4, contains: "bob", isSelected: true)
      .expect(row: 10, contains: "+zzz").expect("9 entries")
  }

  @Test func `Changes made before watching are shown unmarked`() async throws {
    try await folder.database(
      "UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'; "
        + "INSERT INTO settings VALUES ('aaa', 1); DELETE FROM settings WHERE key = 'json'")
    await watch()
    browser.expect("aaa").expectNot("json").expect("likes coffee")
      .expect(selected: .text("bob")).expect("3 of 7 entries")
    #expect(browser.state.keys?.watch?.changes.isEmpty == true)
    try await others("INSERT INTO settings VALUES ('aab', 2)")
    browser.expect(row: 4, contains: "+aab").expect("4 of 8 entries")
  }

  @Test func `Removed entries are shown with their values until the next command`() async throws {
    await watch()
    try await others("DELETE FROM settings WHERE key IN ('Double.pi', 'json')")
    browser.expect("2 removed by other programs").expect(selected: .text("bob"))
      .expect(row: 2, contains: "−Double.pi").expect(row: 4, contains: "−json").expect(
        "of 5 entries")
    await browser.press("<Down>").settle().expect(selected: .text("json"))
      .expect("── removed ──").expect("math")
    await browser.press("<Up><Up>").settle().expect("── removed ──").expect("3.14159265359")
    await browser.press("/").settle()
      .expectNot("Double.pi").expectNot("json").expect(selected: .text("bob")).expect("5 entries")
  }

  @Test func `A command on a removed entry does not apply to the next one`() async throws {
    await watch()
    try await others("DELETE FROM settings WHERE key = 'bob'")
    browser.expect("── removed ──").expect("likes tea")
    await browser.press("d").settle().expect("bob was deleted by another program")
      .expectNot("Delete").expect(selected: .text("json"))
    await browser.press("d").settle().expect("Delete json")
  }

  @Test func `With too many entries only the fact of a change is reported`() async throws {
    try await folder.database(
      """
      CREATE TABLE many (key INTEGER PRIMARY KEY, value);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO many SELECT i, i FROM n;
      """)
    let browser = try Robot(["app.db#many"], stores: .sqlite(folder))
    await browser.settle().press("w")
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
      .expect("with more than 100,000 entries")
    try await folder.database("UPDATE many SET value = 'new' WHERE key = 0")
    browser.clock.advance(by: .seconds(1))
    await turnWhile { browser.state.message?.text.contains("another program") != true }
    await browser.settle().expect("too many entries").expect("new")
    await browser.press("L").settle().expect("another program changed this store")
  }

  @Test func `A filtered list is read again`() async throws {
    await browser.press("/b<Enter>").settle()
    await watch()
    try await others("INSERT INTO settings VALUES ('xyz', 1), ('bcd', 2)")
    browser.expect("bcd").expectNot("xyz").expect("2 added by other programs")
  }

  @Test func `The browser's own changes are not reported`() async throws {
    await watch()
    await browser.press("d").settle()
    await browser.press("y").settle().expect("deleted bob")
    try await others("INSERT INTO settings VALUES ('zzz', 2)")
    browser.expect("1 added by other programs").expectNot("removed").expect("+zzz")
  }

  @Test func `Opening another store stops watching`() async throws {
    await watch()
    await browser.press("h").settle()
    await browser.press("<Up><Enter>").settle()
    #expect(browser.state.keys?.store.reference.collection == "people")
    #expect(browser.state.keys?.watch == nil)
  }
}
