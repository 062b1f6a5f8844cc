import LarderBrowser
import LarderModel
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Undo and redo, driven through the terminal.
@Suite @MainActor struct UndoRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(_ location: String, isReadOnly: Bool = false) async throws -> Robot {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot(
      [location], stores: .sqlite(folder, journal: journal), isReadOnly: isReadOnly
    ).settle()
  }

  @Test func `A deletion is undone and redone`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>dy").settle().expect("deleted bob; u undoes the store's last change")
    await browser.press("G").settle().press("u").settle()
      .expect("undone: the deletion of bob; Ctrl-R redoes it")
      .expect(selected: .text("bob")).expect("likes tea").expect("2 of 7 entries")
    await browser.press("<Ctrl-R>").settle().expect(
      "redone: the deletion of bob; u undoes the store's last change"
    )
    .expect(selected: .text("json")).expect("2 of 6 entries").expectNot("bob  ")
  }

  @Test func `An edit is undone`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e and cake<Enter>").settle().expect("likes tea and cake")
    await browser.press("u").settle().expect("undone: the change to bob").expectNot("and cake")
      .expect("likes tea").expect(selected: .text("bob")).expect("2 of 7 entries")
  }

  @Test func `The column changed by an edit is named`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Enter><Down>e6<Enter>").settle().expect("saved born of 1;")
    await browser.press("u").settle().expect("undone: the change to born of 1;")
    await browser.press(":redo ").settle().expect("wrote born of 1").press("<Esc>")
    await browser.press("<Ctrl-R>").settle().expect("redone: the change to born of 1;")
  }

  @Test func `An added entry is undone`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("acarol<Enter>hello<Enter>").settle().expect("3 of 8 entries")
    await browser.press("u").settle().expect("undone: the change to carol").expectNot("hello")
      .expect(selected: .text("json")).expect("of 7 entries")
  }

  @Test func `Changes are undone one by one until none is left`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("dydydyuuu").settle().expect("undone: the deletion of Double.pi")
      .expect(selected: .text("Double.pi")).expect("1 of 7 entries")
    await browser.press("u").settle().expect("nothing to undo in this store")
    await browser.pressEach("<Ctrl-R><Ctrl-R><Ctrl-R><Ctrl-R>")
      .expect("nothing to redo in this store").expect("of 4 entries")
  }

  @Test func `A later run undoes the changes of an earlier one`() async throws {
    await (try await browser("app.db#settings")).press("<Down>dy").settle()
    let later = try await browser("app.db#settings")
    await later.press("u").settle().expect("undone: the deletion of bob")
      .expect(selected: .text("bob"))
  }

  @Test func `An entry changed by another program since is not undone`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e and cake<Enter>").settle()
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("u").settle().expect("Changed by another program")
      .expect("bob changed after change 1").expect("tea and cake").expect("coffee")
    await browser.press("t").settle()
      .expect("nothing was undone: bob was changed by another program since then").expect("coffee")
    let connection = try await folder.text("SELECT value FROM settings WHERE key = 'bob'")
    #expect(connection == "coffee")
  }

  @Test func `The box shows both values, also on small screens`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e and cake<Enter>").settle()
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("u").settle().expect("as you left it").expect("as undo makes it")
      .expect("leave it").expect("undo it").expectNot("theirs").expectNot("mine")
    await browser.resize(40, 14).settle().expect("l as left, n now, u as undone")
      .expect("t leave").expect("m undo").expectNot("theirs").expectNot("mine")
  }

  @Test func `Undo can overwrite a change by another program`() async throws {
    func value() async throws -> String? {
      try await folder.text("SELECT value FROM settings WHERE key = 'bob'")
    }
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>e and cake<Enter>").settle()
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("u").settle().expect("Changed by another program")
    // The entry changes again while the box is open.
    try await folder.database("UPDATE settings SET value = 'water' WHERE key = 'bob'")
    await browser.press("m").settle().expect("Changed by another program").expect("water")
    #expect(try await value() == "water")
    await browser.press("m").settle().expect("restored bob to its value before change 1")
    #expect(try await value() == "likes tea")
    // Overwriting is itself a change; undoing it restores their value.
    await browser.press("u").settle().expect("undone: the change to bob")
    #expect(try await value() == "water")
  }

  @Test func `Undo restores only the columns that the change wrote`() async throws {
    try await folder.database(
      "CREATE TABLE three(id INTEGER PRIMARY KEY, one TEXT, two TEXT, three TEXT);"
        + "INSERT INTO three VALUES(1, 'a', 'b', 'c')")
    let browser = try await browser("app.db#three")
    await browser.press("<Tab>").settle().press("<Down>e").settle().press("X<Enter>").settle()
    try await folder.database("UPDATE three SET two = 'theirs', three = 'theirs too'")
    await browser.press("u").settle().expect("Changed by another program").press("m").settle()
    let row = try await folder.text("SELECT one || ', ' || two || ', ' || three FROM three")
    #expect(row == "a, b, theirs too")
  }

  @Test func `Undoing an addition can delete another program's version`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("acarol<Enter>hello<Enter>").settle()
    try await folder.database("UPDATE settings SET value = 'hi' WHERE key = 'carol'")
    // The entry did not exist before, so undoing deletes it.
    await browser.press("u").settle().expect("Changed by another program").press("m").settle()
      .expect("deleted carol, which change 1 had added").expect("u undoes")
    try await folder.database("INSERT INTO settings(key, value) VALUES('carol', 'again')")
    await browser.press("u").settle().expect("again").expect("hi").press("<Esc>").settle()
      .expect("nothing was undone")
    #expect(try await folder.text("SELECT value FROM settings WHERE key = 'carol'") == "again")
  }

  @Test func `Changes before a refused one are listed and undone`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down><Down>e first<Enter><Enter>").settle().expect("saved json")
    await browser.press("<Up>e and cake<Enter>").settle().expect("saved bob")
    await browser.press("e and tea<Enter>").settle().expect("saved bob")
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("u").settle().press("t").settle()
    let said = try #require(browser.state.message?.text)
    // Change 2 would be refused for the same reason.
    #expect(said.contains("(change 3)") && said.contains(":undo 1)"), "\(said)")
    await browser.pressEach(":undo ").expect("wrote bob").expect("wrote json")
    await browser.pressEach("<Tab><Tab><Tab>").expect(":undo 1")
    await browser.pressEach("<Enter>").expect("undone: the change to json").expectNot("first")
    #expect(try await folder.text("SELECT value FROM settings WHERE key = 'bob'") == "coffee")
    await browser.pressEach(":redo ").expect("wrote json")
    await browser.pressEach("1<Enter>").expect("redone: the change to json")
  }

  @Test func `A read-only browser undoes nothing`() async throws {
    let browser = try await browser("app.db#settings", isReadOnly: true)
    await browser.press("u").settle().expect("larder was started with --read-only")
  }

  @Test func `The filter stays`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("/42<Enter>dy").settle().expect("deleted key:0042")
    await browser.press("u").settle().expect(selected: .text("key:0042")).expect("/42")
  }

  @Test func aKeyFarAwayIsFound() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("/4321<Enter>dy").settle().press("<Esc>").settle()
      .expect(selected: .text("key:0000"))
    await browser.press("u").settle().expect(selected: .text("key:4321")).expect("30247")
    await browser.press("<Up>").settle().expect(selected: .text("key:4320"))
  }

  @Test func `Marked entries are deleted and undone in one change`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Space><Down><Space>V<Down>V").settle().expect("4 marked")
      .expect(row: 2, contains: "*Double.pi").expect(row: 4, contains: "*json")
    try await folder.database("DELETE FROM settings WHERE key = 'json'")
    await browser.press("d").settle().expect("Delete 3 marked entries from app.db#settings?")
      .expect("Double.pi, long, nothing")
    await browser.press("y").settle().expect("deleted 3 entries; u undoes the store's last change")
      .expect("of 3 entries").expectNot("marked")
    await browser.press("u").settle().expect("undone: the deletion of Double.pi and 2 more")
      .expect("of 6 entries")
  }
}
