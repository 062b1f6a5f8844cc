import LarderBrowser
import LarderModel
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Renaming keys and deleting prefixes, driven through the terminal.
@Suite @MainActor struct RenamingRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(
    _ location: String, size: Size = Size(width: 80, height: 24)
  ) async throws -> Robot {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot([location], stores: .sqlite(folder, journal: journal), size: size)
      .settle()
  }

  @Test func `A key is renamed, and undo restores the old one`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>r").settle().expect("rename: bob")
    await browser.press("by<Enter>").settle().expect(
      "renamed bob to bobby; u undoes the store's last change"
    )
    .expect(selected: .text("bobby")).expect("likes tea").expect("2 of 7 entries")
    await browser.press("u").settle().expect("undone: the renaming of bob")
      .expect(selected: .text("bob")).expectNot("bobby")
  }

  @Test func `Text after a closing quote is refused`() async throws {
    try await folder.database("INSERT INTO settings VALUES ('a' || char(27), 1)")
    let browser = try await browser("app.db#settings", size: Size(width: 120, height: 24))
    await browser.pressEach("<Ctrl-G>a<Enter>r").expect("rename: \"a\\u001b\"")
    await browser.pressEach("X").expect("must end with one")
    await browser.pressEach("<Enter>").expect("must end with one")
      .pressEach("<Backspace><Left>Y<Enter>").expect("renamed")
    #expect(
      try await folder.text("SELECT count(*) FROM settings WHERE key = 'a' || char(27) || 'Y'")
        == "integer(1)")
    await browser.pressEach("a\"b\"c<Enter>").expect("must end with one")
    await browser.pressEach("<Backspace><Enter>v<Ctrl-S>").expect("saved b")
  }

  @Test func `A very long key is cut between characters`() async throws {
    try await folder.database(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
        INSERT INTO settings SELECT 'aa' || group_concat('漢', ''), 1 FROM n;
      """)
    let browser = try await browser("app.db#settings", size: Size(width: 4_000, height: 10))
    await browser.pressEach("<Down>").expect("aa漢漢").expectNot("\\x")
  }

  @Test func `A renamed key moves to its position with the selection`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("r<Ctrl-U>key:3000a<Enter>").settle().expect(selected: .text("key:3000a"))
    await browser.press("<Up>").settle().expect(selected: .text("key:3000"))
  }

  @Test func `A taken key is reported while typing and the text stays`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>r<Ctrl-U>json").settle()
      .expect(row: 22, contains: "an entry with this key already exists")
    await browser.press("<Enter>").settle().expect("nothing was renamed").expect("rename: json")
    await browser.press("2<Enter>").settle().expect("renamed bob to json2")
  }

  @Test func `Renaming an entry that has changed asks again`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>rx").settle()
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("<Enter>").settle().expect("bob was changed by another program")
      .expect("rename: bobx").expect("coffee")
    await browser.press("<Enter>").settle().expect("renamed bob to bobx").expect("coffee")
  }

  @Test func `A key the table refuses keeps the typed text`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("r<Ctrl-U>one<Enter>").settle().expect("rename: one")
    #expect(browser.state.overlay != nil)
    await browser.press("<Ctrl-U>9<Enter>").settle().expect(selected: .integer(9)).expect("Ada")
  }

  @Test func `A refused rename is not recorded for undo`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>dyr<Ctrl-U>raw<Enter>").settle().expect("nothing was renamed")
    await browser.press("<Esc>").settle().press("u").settle().expect("undone: the deletion of bob")
  }

  @Test func `Keys typed ahead of a rename apply after it`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>r2<Enter>dy").settle().expect("deleted bob2")
      .expect(selected: .text("json"))
  }

  @Test func `Keys typed ahead of a refused rename are dropped`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>r<Ctrl-U>json<Enter>dy").settle().expect("rename: json ")
      .expect("nothing was renamed")
  }

  @Test func `A prefix is deleted by typing its count and restored in one change`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("/key:12<Enter>D").settle().expect("delete prefix: key:12")
      .expect("Enter asks to delete 100 entries: key:1200, key:1201, key:1202, …")
    await browser.press("<Enter>y<Enter>").settle().expect("nothing was deleted: type 100")
    await browser.press("<Ctrl-U>100<Enter>").settle()
      .expect("deleted 100 entries with the prefix “key:12”; u undoes")
      .expect("No key")
    await browser.press("<Esc>").settle().expect("of 4,900 entries")
    await browser.press("u").settle().expect("undone: the deletion of key:1200 and 99 more")
      .expect(selected: .text("key:1200")).expect("5,000 entries")
  }

  @Test func `Entries added during the question are not deleted silently`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press(":delete-prefix key:49<Enter>").settle().expect("Delete 100 entries")
    try await folder.database("INSERT INTO numbers VALUES ('key:49new', 1)")
    await browser.press("100<Enter>").settle().expect("101 entries now").expect("number:")
    await browser.press("<Esc>").settle().expect("nothing was deleted")
    #expect(try await folder.text("SELECT count(*) FROM numbers") == "integer(5001)")
  }

  @Test(arguments: [(20, 6), (20, 3), (1, 1)])
  func `A prefix is deleted on small screens too`(_ width: Int, _ height: Int) async throws {
    let size = Size(width: width, height: height)
    let browser = try await browser("app.db#numbers", size: size)
    await browser.press("D<Ctrl-U>key:00<Enter>").settle()
    if width == 20, height == 6 { browser.expect("Delete 100").expect("number:") }
    await browser.press("100<Enter>").settle()
    #expect(browser.state.message?.text.hasPrefix("deleted 100 entries") == true)
  }
}
