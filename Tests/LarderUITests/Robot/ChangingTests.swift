import LarderBrowser
import LarderModel
import Foundation
import LarderUI
import TerminalUI
import Testing

/// Editing, adding and deleting entries, driven through the terminal.
@Suite @MainActor struct ChangingTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(
    _ location: String, isReadOnly: Bool = false
  ) async throws -> Robot {
    try await Robot(
      [location], stores: .sqlite(folder), size: Size(width: 100, height: 24),
      isReadOnly: isReadOnly
    ).settle()
  }

  @Test func aValueIsEditedAndSaved() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e").settle().expect("Edit bob (text)")
    await browser.press(" and cake<Enter>").settle().expect("saved bob")
      .expect("likes tea and cake").expect(selected: .text("bob"))
  }

  @Test func `Keys typed ahead of a read apply to the new entry`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e and cake<Enter>").settle().expect("likes tea and cake")
    await browser.press("/raw<Enter>dy").settle()
    await browser.press("<Esc><Esc>").settle().expect("Double.pi").expectNot("raw")
  }

  @Test func `A column is edited and its type validated`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter><Down>ex").settle().expect("not written: not a whole number")
    await browser.press("<Enter>").settle().expect("Edit 1 · born (integer)")
    await browser.press("<Backspace><Backspace>6<Enter>").settle().expect("saved born of 1")
      .expect("born   1816").expect("Ada")
  }

  @Test func `A new value, or one replacing NULL, has the type of its column`() async throws {
    try await folder.database(
      """
      CREATE TABLE sizes(key TEXT PRIMARY KEY, value INTEGER);
      INSERT INTO sizes VALUES('none', NULL);
      """)
    let browser = try await browser("app.db#sizes")
    await browser.press("afont<Enter>").settle().expect("New font (integer)")
    await browser.press("1x").settle().expect("not written: not a whole number")
    await browser.press("<Backspace>3<Enter>").settle().expect("saved font")
    await browser.press("G").settle().expect(selected: .text("none"))
    await browser.press("e").settle().expect("Edit none (integer)").press("7<Enter>").settle()
      .expect("saved none")
    #expect(
      try await folder.text("SELECT group_concat(typeof(value) || value) FROM sizes")
        == "integer7,integer13")
  }

  @Test func `A number in a JSON file keeps its typed digits`() async throws {
    let path = folder.path + "/file.json"
    try #"{"a": [1.5], "b": 1.5}"#.write(toFile: path, atomically: false, encoding: .utf8)
    let browser = try await Robot(["file.json"], stores: .real(folder)).settle()
    await browser.press("<Down>e<Ctrl-U>2.50<Enter>").settle().expect("saved b")
    await browser.pressEach("<Up><Enter><Down>e<Ctrl-U>1e20<Enter>").expect("saved [0] of a")
    await browser.pressEach("<Esc>ac<Enter>").expect("New c (text)")
    await browser.press("<Ctrl-T><Ctrl-T>0.70").settle().expect("New c (real)")
      .press("<Enter>").settle().expect("saved c")
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == #"{"a": [1e20], "b": 2.50, "c": 0.70}"#)
  }

  @Test func `A large text is validated without blocking keys`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter><Down>e").settle()
      .paste(String(repeating: "1", count: 10_000) + "x").settle()
      .expect("not written: not a whole number")
    await browser.press("<Backspace>").settle().expect("not written").expect("1111")
    await browser.press("<Ctrl-U>1816").settle().expectNot("not written")
    await browser.press("<Enter>").settle().expect("saved born of 1").expect("born   1816")
  }

  @Test func `Esc twice leaves an edit`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>ex").settle().press("<Esc>").settle().expect("not saved:")
    await browser.press("<Esc>").settle().expect("discarded your changes to bob")
      .expectNot("likes teax")
  }

  @Test func `Keys typed after a taken key are not commands`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.pressEach("abob<Enter>dyed wool<Enter>")
    await browser.press("<Esc>").settle().expect("1 of 7 entries").expectNot("deleted")
    await browser.press("<Down>").settle().expect("likes tea")
  }

  @Test func `Pasted text is inserted verbatim`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e<Ctrl-U>").paste("one\ntwo\u{1B}[31m\tthree").settle()
      .expect(row: 1, contains: "one").expect(row: 2, contains: "two␛[31m")
    await browser.press("<Ctrl-S>").settle().expect("saved bob")
    #expect(browser.state.value?.entry.value?.value == .text("one\ntwo\u{1B}[31m\tthree"))
  }

  @Test func `A paste outside a text field does nothing`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.paste("dyq").settle().expect("1 of 7 entries")
    #expect(browser.state.overlay == nil)
  }

  @Test func `An added entry appears in key order`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("acarol<Enter>").settle().expect("New carol (text)")
    await browser.press("hello<Enter>").settle().expect("saved carol")
      .expect(selected: .text("carol")).expect("hello")
      .expect(row: 4, contains: "carol", isSelected: true).expect(row: 5, contains: "json")
    await browser.press("<Up>").settle().expect(selected: .text("bob"))
  }

  @Test func anEntryIsAddedToAnEmptyStore() async throws {
    let browser = try await browser("app.db#empty")
    await browser.press("afirst<Enter>42<Enter>").settle().expect(selected: .text("first"))
      .expect("1 of 1 entry")
  }

  @Test func `A key that exists is reported while typing and selected`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("abob").settle().expect("an entry with this key already exists")
      .expect("new key: bob")
    await browser.press("<Enter>").settle().expect("new key: bob")
    await browser.press("<Tab>").settle().expect(selected: .text("bob")).expect("likes tea")
      .expect("nothing was added").expect("2 of 7 entries")
    #expect(browser.state.overlay == nil)
  }

  @Test func `Keys typed ahead for an existing key are not used`()
    async throws
  {
    let browser = try await browser("app.db#settings")
    await browser.press("abob<Enter>dy<Enter>").settle().expect("new key: bob")
      .expect("an entry with this key already exists")
    await browser.press("2<Enter>dy<Enter>").settle().expect("saved bob2").expect("dy")
  }

  @Test func `Adding a key hidden by the filter selects it`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("/json<Enter>abob<Enter>").settle().press("<Tab>").settle()
      .expect(selected: .text("bob"))
  }

  @Test func `A key added meanwhile by another program is a conflict`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("acarol<Enter>mine").settle()
    try await folder.database("INSERT INTO settings VALUES ('carol', 'theirs')")
    await browser.press("<Enter>").settle().expect("Changed by another program").expect("mine")
      .expect("theirs")
    await browser.press("t").settle().expect("nothing was written")
      .expect(selected: .text("carol")).expect("theirs")
  }

  @Test(arguments: ["t", "m"])
  func `After a conflict the list shows what others changed`(answer: String) async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter>e!").settle()
    try await folder.database(
      """
      UPDATE people SET born = 1816 WHERE id = 1; DELETE FROM people WHERE id = 3;
      INSERT INTO people VALUES (8, 'Alan', 1912, NULL), (9, 'Barbara', 1928, NULL);
      """)
    await browser.press("<Enter>").settle().press(answer).settle()
      .expect(selected: .integer(1)).expect("1 of 5 entries")
    #expect(browser.state.keys?.window.entries.map(\.key) == [1, 2, 4, 8, 9].map { .integer($0) })
  }

  @Test(arguments: ["t", "m", "<Esc>"])
  func `After a refused deletion the list shows what others added`(answer: String) async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>d").settle()
    try await folder.database(
      "UPDATE settings SET value = 'coffee' WHERE key = 'bob'; INSERT INTO settings VALUES ('a', 1)"
    )
    await browser.press("y").settle().press(answer).settle()
      .expect(row: 3, contains: "│ a ").expect(selected: .text(answer == "m" ? "json" : "bob"))
      .expect("3 of \(answer == "m" ? 7 : 8) entries")
  }

  @Test func aDeletionAsksAndNamesTheKey() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>d").settle().expect("Delete bob from app.db#settings?")
    await browser.press("n").settle().expect("bob was not deleted").expect("2 of 7 entries")
    await browser.press("d<Enter>").settle()
    #expect(browser.state.overlay != nil, "Enter does not answer")
    await browser.press("y").settle().expect("deleted bob").expect(selected: .text("json"))
      .expect("2 of 6 entries")
  }

  @Test func `A change by another process is not overwritten`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter>e!").settle()
    try await folder.database("UPDATE people SET born = 1816 WHERE id = 1")
    await browser.press("<Enter>").settle().expect("Changed by another program")
      .expect("1816").expect("1815")
    await browser.press("m").settle().expect("saved name of 1").expect("Ada!").expect("1816")
  }

  @Test func `Keeping their version shows it`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter>e!").settle()
    try await folder.database("UPDATE people SET name = 'Augusta' WHERE id = 1")
    await browser.press("<Enter>").settle()
    await browser.press("t").settle().expect("name   Augusta").expectNot("Ada!")
  }

  @Test func `A row deleted during an edit is inserted again whole`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter>e!").settle()
    try await folder.database("DELETE FROM people WHERE id = 1")
    await browser.press("<Enter>").settle().expect("(deleted)")
    await browser.press("m").settle().expect("saved name of 1").expect("Ada!").expect("1815")
  }

  @Test func `Deleting an entry that has changed asks again`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>d").settle()
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("y").settle().expect("Changed by another program").expect("coffee")
    await browser.press("m").settle().expect("deleted bob")
  }

  @Test func `An entry deleted by another program is gone`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>d").settle()
    try await folder.database("DELETE FROM settings WHERE key = 'bob'")
    await browser.press("y").settle().expect("bob was already deleted").expect("2 of 6 entries")
  }

  @Test func aReadOnlyBrowserSaysSoAndChangesNothing() async throws {
    let browser = try await browser("app.db#settings", isReadOnly: true)
    browser.expect("read-only")
    for key in ["e", "a", "d"] {
      await browser.press(key).settle().expect("larder was started with --read-only")
      #expect(browser.state.overlay == nil)
    }
  }

  @Test(arguments: [(80, 24), (30, 12), (20, 6)])
  func `A refusal is shown in full on the narrowest screen`(
    width: Int, height: Int
  ) async throws {
    let browser = try await browser("app.db#settings", isReadOnly: true)
    browser.resize(width, height)
    await browser.press("d").settle()
    let message = try #require(browser.state.message)
    let last = try #require(message.text.split(separator: " ").last)
    // On the smallest screen half of the rows still belong to the list.
    if height > 6 { browser.expect(String(last)) } else { browser.expect("…") }
  }

  @Test func aReloadShowsWhatAnotherProcessAdded() async throws {
    let browser = try await browser("app.db#settings")
    try await folder.database("INSERT INTO settings VALUES ('Aaa', 1)")
    await browser.press("<F5>").settle().expect(selected: .text("Double.pi")).expect("of 8 entries")
      .expect(row: 2, contains: "Aaa")
  }
}
