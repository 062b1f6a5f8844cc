import Foundation
import Harmony
import LarderBrowser
import LarderJournal
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// The details of an entry: its expiry, the source of that expiry, and the backing store's value.
@Suite @MainActor struct DetailsRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER);
      INSERT INTO cache VALUES ('a', 'one', 1790000249), ('b', 'two', 1789992800),
        ('c', 'three', NULL);
      CREATE TABLE plain (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO plain VALUES ('a', 'one');
      """)
  }

  private func browser(_ table: String, size: Size = Size(width: 110, height: 24)) async throws
    -> Robot
  {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot(
      ["app.db#\(table)"], stores: .sqlite(folder, journal: journal), size: size
    ).settle()
  }

  private func fact(_ name: String, _ browser: Robot) -> EntryDetails.Fact? {
    browser.state.details?.facts.first { $0.name == name }
  }

  @Test func `The details show the source of the expiry`() async throws {
    let browser = try await browser("cache")
    await browser.press("i").settle()
    #expect(browser.state.details?.expires == Date(timeIntervalSince1970: 1_790_000_249))
    #expect(fact("stored", browser)?.text.hasPrefix("expires_at 1790000249,") == true)
    #expect(fact("recognized", browser) != nil)
    await browser.press("<Esc>").settle()
    #expect(browser.state.overlay == nil)
    await browser.press("jji").settle()
    #expect(browser.state.details?.expires == nil)
    #expect(fact("stored", browser)?.text.hasPrefix("expires_at NULL,") == true)
  }

  @Test func `Entries of stores without expiry have details too`() async throws {
    let browser = try await browser("plain")
    await browser.press("i").settle()
    #expect(fact("value", browser)?.text == "3 B of text")
    #expect(fact("recognized", browser) == nil)
    await browser.press("i").settle()
    #expect(browser.state.overlay == nil)
  }

  @Test func `A command run from the details applies to the entry`() async throws {
    let browser = try await browser("cache")
    await browser.press("jix").settle().press("10m<Enter>").settle()
    #expect(
      try await folder.text("SELECT CAST(expires_at AS TEXT) FROM cache WHERE key = 'b'")
        == "1790000600")
    await browser.press("id").settle().press("y").settle()
    #expect(try await folder.text("SELECT CAST(count(*) AS TEXT) FROM cache") == "2")
  }

  @Test func `The details of a cached entry show the current stored value`() async throws {
    let browser = try await browser("plain")
    await browser.press(":read-through<Enter><Enter><Esc>i").settle()
    #expect(browser.state.details?.backing == .same)
    try await folder.database("UPDATE plain SET value = 'new'")
    await browser.press("<Esc>i").settle()
    #expect(browser.state.details?.backing == .other)
    await browser.press("v").settle().expect("one").expect("new")
    try await folder.database("DELETE FROM plain")
    await browser.press("<Esc>i").settle()
    #expect(browser.state.details?.backing == .nothing)
  }

  @Test func `Long facts can be scrolled on small screens`() async throws {
    let browser = try await browser("cache", size: Size(width: 40, height: 10))
    await browser.press("i").settle().expect("expires").expectNot("3 B of text")
    await browser.press("G").settle().expect("3 B of text")
  }
}
