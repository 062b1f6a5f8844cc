import LarderCore
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Watching what others do to a store, as a person sees it.
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

  /// Begins to watch, and returns once changes are waited for.
  private func watch() async {
    await browser.press("w").settle().expect("watching")
    await turnWhile { !browser.clock.hasSleeper }
  }

  /// Lets others run a script, and waits until the browser knows.
  private func others(_ sql: String) async throws {
    let before = browser.state.keys?.watch
    try await folder.database(sql)
    // The first event may come before the change can be seen; the next look is a second later.
    await turnWhile {
      guard browser.state.keys?.watch == before else { return false }
      if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
      return true
    }
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
  }

  @Test func aChangedValueStandsBesideTheOld() async throws {
    await watch()
    try await others("UPDATE settings SET value = 'likes coffee' WHERE key = 'bob'")
    browser.expect(row: 2, contains: "~bob", isSelected: true).expect("1 changed by others")
      .expect("likes coffee").expect("before").expect("likes tea")
    await browser.press("<Up>").settle().expect(row: 2, contains: "~bob").expectNot("before")
    await browser.press("w").settle().expectNot("~bob").expect("not watching")
  }

  @Test func newKeysComeInWhereTheyBelongAndTheSelectionStays() async throws {
    await watch()
    try await others("INSERT INTO settings VALUES ('aaa', 1), ('zzz', 2)")
    browser.expect("2 added by others").expect(selected: .text("bob"))
      .expect(row: 2, contains: "+aaa").expect(row: 3, contains: "bob", isSelected: true)
      .expect(row: 9, contains: "+zzz").expect("9 keys")
  }

  @Test func whatIsGoneIsShownUntilTheNextKey() async throws {
    await watch()
    try await others("DELETE FROM settings WHERE key IN ('Double.pi', 'json')")
    browser.expect("2 removed by others").expect(selected: .text("bob"))
      .expect(row: 1, contains: "−Double.pi").expect(row: 3, contains: "−json").expect("of 5 keys")
    await browser.press("<Down>").settle()
      .expectNot("Double.pi").expectNot("json").expect(selected: .text("long")).expect("5 keys")
  }

  @Test func aListThatIsFilteredIsReadAgain() async throws {
    await browser.press("/b<Enter>").settle()
    await watch()
    try await others("INSERT INTO settings VALUES ('xyz', 1), ('bcd', 2)")
    browser.expect("bcd").expectNot("xyz").expect("2 added by others")
  }

  @Test func ownChangesAreNotThoseOfOthers() async throws {
    await watch()
    await browser.press("d").settle()
    await browser.press("y").settle().expect("deleted bob")
    try await others("INSERT INTO settings VALUES ('zzz', 2)")
    browser.expect("1 added by others").expectNot("removed").expect("+zzz")
  }

  @Test func anotherStoreEndsTheWatch() async throws {
    await watch()
    await browser.press("<Esc>").settle()
    await browser.press("<Up><Enter>").settle()
    #expect(browser.state.keys?.store.reference.collection == "people")
    #expect(browser.state.keys?.watch == nil)
  }
}
