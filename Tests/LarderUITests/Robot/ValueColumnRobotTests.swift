import Foundation
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Tables with one value column, which alone is shown and edited.
@Suite @MainActor struct ValueColumnRobotTests {
  private let folder: TestFolder
  private let browser: Robot

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value, expires INTEGER, hits INTEGER);
      INSERT INTO cache VALUES ('a', '{"user": {"name": "ada"}}', 1790000249, 1),
        ('b', 'plain', 1790000249, 2), ('c', x'0102', NULL, 3);
      """)
    let journal = Journal(path: folder.path + "/state/journal.db")
    browser = try Robot(
      ["app.db#cache"], stores: .sqlite(folder, journal: journal),
      size: Size(width: 160, height: 16))
    await browser.settle()
  }

  private func row(_ key: String) async throws -> String? {
    try await folder.text(
      "SELECT quote(value) || ' ' || coalesce(expires, '-') || ' ' || hits FROM cache "
        + "WHERE key = '\(key)'")
  }

  @Test func `The value and its expiry are shown`() async {
    browser.expect("text · 25 B · json · expires in 4m 09s").expect("\"name\": \"ada\"")
      .expectNot("hits")
    await browser.press("<Down>").settle().expect("plain").expect("text · 5 B · expires in")
    await browser.press("<Down>").settle().expect("data · 2 B")
  }

  @Test func `All columns are shown by a format`() async throws {
    await browser.press("<Down>ff").settle().expect("hits").expect("record")
    await browser.press("<Enter><Down><Down>e").settle()
    await browser.press("9<Enter>").settle()
    #expect(try await row("b") == "'plain' 1790000249 29")
  }

  @Test func aMemberOfTheValueIsEditedAlone() async throws {
    await browser.pressEach("<Enter>jje").expect("Edit a · value · user.name (text)")
    await browser.pressEach("<Ctrl-U>bob<Enter>").expect("saved user.name of a")
    #expect(try await row("a") == #"'{"user": {"name": "bob"}}' 1790000249 1"#)
    await browser.pressEach("u").expect("ada")
    #expect(try await row("a") == #"'{"user": {"name": "ada"}}' 1790000249 1"#)
  }

  @Test func `The value is edited and other columns stay`() async throws {
    await browser.press("<Down>e").settle()
    await browser.press("er<Enter>").settle().expect("saved b").expect("plainer")
    #expect(try await row("b") == "'plainer' 1790000249 2")
    await browser.press("u").settle()
    #expect(try await row("b") == "'plain' 1790000249 2")
  }
}
