import LarderBrowser
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Columns too large for their line in a row, opened on their own.
@Suite @MainActor struct ColumnRobotTests {
  private let folder: TestFolder
  private let browser: Robot

  private static let stored = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, doc TEXT, photo BLOB, note TEXT);
    INSERT INTO people VALUES (1, 'Ada', '{"born":1815,"tags":["math"]}', x'00ff00f153',
      'first line' || char(10) || 'second line'), (2, 'Bob', NULL, NULL, 'short');
    """

  init() async throws {
    folder = try TestFolder()
    try await folder.database(Self.stored)
    browser = try Robot(
      ["app.db#people"], stores: .sqlite(folder), size: Size(width: 110, height: 16))
    await browser.settle()
    await browser.pressEach("<Enter>")
  }

  /// Selects the column at an index of the row, starting from the first one shown.
  private func go(to column: Int) async {
    await browser.pressEach(String(repeating: "j", count: column))
  }

  @Test func bytesAreOpenedAndEscGoesBackToTheRow() async {
    await go(to: 2)
    browser.expect("Enter open")
    await browser.pressEach("<Enter>").expect("1 › photo").expect("00 ff 00 f1 53")
      .expect("data · 5 B · hex").expect("Esc all columns")
    #expect(!browser.valueText.contains("Ada"))
    await browser.pressEach("<Esc>").expectNot("photo ·")
    #expect(browser.valueText.contains("Ada"))
    #expect(browser.state.focus == .value)
    #expect(browser.state.value?.selectedField == 2, "where it was left")
    await browser.pressEach("<Esc>")
    #expect(browser.state.focus == .keys)
  }

  @Test func `Left also goes back`() async {
    await go(to: 2)
    await browser.pressEach("<Enter>h").expect("Ada")
    #expect(browser.state.focus == .value)
  }

  @Test func `Structured columns are a tree that can be folded`() async {
    await go(to: 1)
    await browser.pressEach("<Enter>").expect("\"born\": 1815").expect("Enter fold")
    await browser.pressEach("<Enter>").expect("{…}").expect("Enter unfold")
    await browser.pressEach("f").expect("1 › doc").expectNot("{…}")
    await browser.pressEach(":format record<Enter>").expect("Ada")
  }

  @Test func aMemberOfAnOpenedColumnIsEditedAlone() async throws {
    try await folder.database(
      "UPDATE people SET doc = '{ \"born\":1815.0,\"tags\" : [\"math\" ,{\"a\":null}] }' "
        + "WHERE id = 1")
    await browser.press("<F5>").settle()
    await go(to: 1)
    await browser.pressEach("<Enter>jjje").expect("Edit 1 · doc · tags[0] (text)")
    await browser.pressEach("<Ctrl-U>\"poetry<Enter>").expect("saved tags[0] in doc of 1")
      .expect("1 › doc")
    let stored = try await folder.text("SELECT doc FROM people WHERE id = 1")
    #expect(stored == #"{ "born":1815.0,"tags" : ["\"poetry" ,{"a":null}] }"#)
    // Editing the root edits the whole column, and leaving it unedited writes nothing.
    await browser.pressEach("kkke").expect("Edit 1 · doc (text)").pressEach("<Enter>")
      .expect("is unchanged")
  }

  @Test func `A member can overwrite a change of the column by another program`() async throws {
    await go(to: 1)
    await browser.pressEach("<Enter>je").expect("Edit 1 · doc · born (integer)")
    await browser.pressEach("9")
    try await folder.database(
      "UPDATE people SET doc = '{\"born\":7,  \"x\":[]}', name = 'A' WHERE id = 1")
    await browser.pressEach("<Ctrl-S>").expect("Changed by another program")
    await browser.pressEach("m").expect("saved born in doc of 1")
    let stored = try await folder.text("SELECT name || doc FROM people WHERE id = 1")
    #expect(stored == #"A{"born":18159,  "x":[]}"#)
  }

  @Test func `Text that stopped being valid JSON is saved after confirmation`() async throws {
    await go(to: 1)
    await browser.pressEach("<Enter>e<Backspace><Enter>")
      .expect("doc of 1 is no longer valid JSON; Enter saves it anyway")
    #expect(try await folder.text("SELECT doc FROM people")?.hasSuffix("}") == true)
    // What is typed after that is looked at again.
    await browser.pressEach(",<Enter>").expect("no longer valid JSON")
    await browser.pressEach("<Enter>").expect("saved doc of 1")
    #expect(try await folder.text("SELECT doc FROM people")?.hasSuffix("],") == true)
    // Text that was not valid JSON before is saved without a warning.
    await browser.pressEach("e!<Enter>").expect("saved doc of 1")
  }

  @Test func textOfSeveralLinesIsOpenedAndEdited() async throws {
    await go(to: 3)
    await browser.pressEach("<Enter>").expect("second line")
    await browser.pressEach("e").expect("second line").press("!").press("<Ctrl-S>").settle()
    let stored = try await folder.text("SELECT note FROM people WHERE id = 1")
    #expect(stored?.hasPrefix("first line\nsecond line") == true && stored?.contains("!") == true)
    // The column is still the one shown.
    browser.expect("1 › note").expect("!")
    await browser.pressEach("<Esc>").expect("Ada")
  }

  @Test func `Short columns are edited directly and the footer says so`() async throws {
    browser.expect("Enter edit")
    await browser.pressEach("<Enter>x<Enter>")
    #expect(try await folder.text("SELECT name FROM people WHERE id = 1") == "Adax")
  }

  @Test func `Selecting another entry shows its row`() async {
    await go(to: 2)
    await browser.pressEach("<Enter><Tab><Tab>")
    await browser.pressEach(":go 2<Enter>").expect("Bob").expect("short")
  }

  @Test func `A column that cannot be edited is opened`() async throws {
    let browser = try await Robot(
      ["app.db#people"], stores: .sqlite(folder), size: Size(width: 110, height: 16),
      isReadOnly: true
    ).settle()
    await browser.pressEach("<Enter>").expect("Enter open")
    await browser.pressEach("<Enter>").expect("1 › name")
  }

  @Test func aRowSaysHowToSeeTheBytesOfAColumn() async {
    await browser.pressEach(":format hex<Enter>").expect("Enter on a").expect(
      "column opens that")
  }
}
