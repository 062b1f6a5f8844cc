import LarderBrowser
import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Showing and changing when entries expire, driven through the terminal.
@Suite @MainActor struct ExpiryRobotTests {
  private let folder: TestFolder
  private let browser: Robot

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);
      INSERT INTO cache VALUES ('a', 'one', 1790000249), ('b', 'two', 1789992800),
        ('c', 'three', NULL), ('d', 'four', 1790090000);
      CREATE TABLE plain (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO plain VALUES ('a', 'one');
      """)
    let journal = Journal(path: folder.path + "/state/journal.db")
    browser = try Robot(
      ["app.db#cache"], stores: .sqlite(folder, journal: journal),
      size: Size(width: 130, height: 16))
    await browser.settle()
  }

  private func expires(_ key: String) async throws -> String? {
    try await folder.text(
      "SELECT coalesce(CAST(expires AS TEXT), 'never') FROM cache WHERE key = '\(key)'")
  }

  /// Returns the text in the LEFT column of an entry's row, and its color.
  private func left(of key: String) -> (text: String, style: Color?) {
    guard
      let y = browser.screen.rows.indices.dropFirst(2)
        .first(where: { browser.screen.row($0).contains("│ \(key) ") })
    else {
      return ("", nil)
    }
    let name = browser.screen.row(1)
    guard let end = name.firstRange(of: "LEFT")?.upperBound else { return ("", nil) }
    let x = TextWidth.of(name[..<end]) - 1
    let cells = (x - 7...x).map { browser.screen[Point(x: $0, y: y)] }
    return (
      cells.map { $0?.text ?? "" }.joined().trimmingCharacters(in: .whitespaces),
      cells.last??.style.foreground
    )
  }

  /// Advances the clock, and waits until the browser shows the new time.
  private func wait(_ seconds: Double) async {
    await turnWhile { !browser.clock.hasSleeper }
    browser.clock.advance(by: .seconds(seconds))
    let date = Robot.start.addingTimeInterval(browser.clock.now.inSeconds)
    await turnWhile { browser.state.clock.time != date }
    await browser.settle()
  }

  @Test func `Only expired entries are marked, however fast the keys arrive`() async throws {
    await browser.press(":show expired<Enter>Ad").settle()
    #expect(browser.state.keys?.marked == [.text("b")])
    await browser.press("y").settle()
    #expect(try await folder.text("SELECT group_concat(key, '') FROM cache") == "acd")
    await browser.press("<Esc>").settle()
    #expect(browser.state.keys?.times?.only == nil)
    #expect(browser.state.keys?.window.entries.count == 3)
  }

  @Test func `A branch has entries that an expiry state hides, and the questions say so`()
    async throws
  {
    try await folder.database(
      "INSERT INTO cache VALUES ('x:a', 'one', 1789992800), ('x:b', 'two', NULL)")
    let hidden = "including entries that are not listed"
    await browser.press("<F5>T:show expired<Enter>").settle().press("G").settle()
    await browser.press("d").settle().expect("Delete 2 entries").expect(hidden)
    await browser.press("<Esc>").settle().press("r").settle()
      .expect("Enter renames 2 entries, \(hidden): x:a")
    await browser.press("<Esc>:show all<Enter>").settle().press("G").settle()
      .press("d").settle().expect("Delete 2 entries").expectNot(hidden)
  }

  @Test func whatIsTypedBeforeARefusalIsSeenRunsNothing() async throws {
    await browser.press(":show tomorrow<Enter>dyjjx").paste("d").settle()
    #expect(browser.state.overlay == nil)
    browser.expect(selected: .text("a"))
    #expect(try await folder.text("SELECT group_concat(key, '') FROM cache") == "abcd")
    await browser.press("j").settle().expect(selected: .text("b"))
  }

  @Test func `The remaining time counts down`() async {
    browser.expect("expires in 4m 09s")
    await wait(1)
    browser.expect("expires in 4m 08s")
    await wait(247)
    browser.expect("expires in 1s")
    await wait(1)
    browser.expect("just expired")
    await wait(60)
    browser.expect("expired 1m 00s ago")
  }

  @Test func `Rows with business dates are not expired or deleted silently`() async throws {
    try await folder.database(
      """
      CREATE TABLE creditcards (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER);
      INSERT INTO creditcards VALUES (1, 'x', 1500000123), (2, 'y', 1590000123),
        (3, 'z', 1890000123);
      """, name: "cards.db")
    let browser = try Robot(
      ["cards.db"], stores: .sqlite(folder), size: Size(width: 200, height: 24))
    let doubt = "may be a business date"
    await browser.settle()
    await browser.press("c").settle().expect(doubt)
    await browser.pressEach(":show expired<Enter>").settle().expect("2 entries").expect(doubt)
    await browser.press("A").settle()
    await browser.press("d").settle().expect("Delete 2 marked entries").expect(doubt)
    await browser.press("n").settle()
    await browser.pressEach("x").settle().expect(doubt)
    await browser.press("<Esc>").settle()
    await browser.pressEach(":expiry 10m<Enter>").settle().expect(doubt)
    let ends = try await folder.text(
      "SELECT CAST(sum(expires) AS TEXT) FROM creditcards", name: "cards.db")
    #expect(ends == "4980000369")
    await browser.press("<Esc>").settle()
    await browser.press("<Esc>").settle()
    await browser.pressEach("x").settle().expect("expires:").expect(doubt)
  }

  @Test func `All remaining times are listed and count down`() async {
    browser.expect("2 fresh, 1 expired, 1 never")
      .expectRow("│ a ", " 4m 09s", "one").expectRow("│ b ", " −2h 00m", "two")
      .expectRow("│ c ", " ∞ ", "three")
    // Selecting another row keeps the selection's colors out of the rows compared below.
    await browser.press("G").settle()
    let before = browser.screen.rows
    await wait(1)
    browser.expectRow("│ a ", " 4m 08s")
    let changed = zip(before, browser.screen.rows).enumerated().filter { $0.1.0 != $0.1.1 }
      .map(\.offset)
    #expect(Set(changed).isSubset(of: [0, 2, 3, 5]), "\(changed)")
    #expect(left(of: "a").style == browser.program.theme[.cacheFresh].foreground)
    await wait(188)
    #expect(left(of: "a").text == "1m 00s")
    #expect(left(of: "a").style == browser.program.theme[.cacheSoon].foreground)
    await wait(60)
    #expect(left(of: "a").text == "0s")
    #expect(left(of: "a").style == browser.program.theme[.cacheExpired].foreground)
    browser.expect("1 fresh, 2 expired, 1 never")
    await browser.press("c").settle().expectNot("LEFT").expectNot("expired, 1 never")
      .expect("4 entries")
    await browser.press("c").settle().expect("LEFT").expect("1 fresh, 2 expired, 1 never")
  }

  @Test func `Only entries of the chosen state are listed`() async {
    await browser.press(":show expired<Enter>").settle().expect("1 of 1 entry").expect(
      "only expired")
    await browser.press(":show never<Enter>").settle().expect("1 of 1 entry").expect("only never")
      .expect(selected: .text("c"))
    await browser.press(":show soon<Enter>").settle().expect("No entry here expires soon")
    await browser.press(":show all<Enter>").settle().expect("of 4 entries")
    await browser.press(":show nothing<Enter>").settle().expect(":show expired, soon")
    // The views of larder's own cache are separate.
    await browser.press(":read-through<Enter>").settle().expect("nothing cached").expect("STATE")
    await browser.press("c").settle().expectNot("STATE").expect("LEFT")
    await browser.press("c").settle().expectNot("LEFT")
  }

  @Test func `The list of a state is updated on reload and on marking`() async throws {
    await browser.press(":show expired<Enter>").settle().expect("1 of 1 entry")
    await wait(260)
    browser.expect("1 fresh, 2 expired, 1 never")
    await browser.press("<F5>").settle().expect("of 2 entries")
    await wait(90_000)
    await browser.press("A").settle().expect("marked 3 entries")
    await browser.press(":expiry 1h<Enter>").settle().expect("No entry here has expired")
    #expect(try await expires("d") == "\(1_790_000_000 + 260 + 90_000 + 3_600)")
    await wait(4_000)
    await browser.press("u").settle().expect("of 3 entries")
  }

  @Test func `Lists by state are right once every entry has expired`() async {
    await wait(100_000)
    browser.expect("0 fresh, 3 expired, 1 never").expectRow("│ a ", " −1d 03h")
    await browser.press(":show expired<Enter>").settle().expect("of 3 entries")
    await browser.press(":show fresh<Enter>").settle().expectNot("of 3 entries").expect(
      "only fresh")
  }

  @Test func `Saving an entry keeps its expiry`() async {
    browser.expectRow("│ a ", " 3 B ", " 4m 09s", "one ")
    await browser.press("e!<Enter>").settle().expect("saved a")
      .expectRow("│ a ", " 4 B ", " 4m 09s", "one! ").expect(selected: .text("a"))
  }

  @Test func `The expiry is extended by the typed duration`() async throws {
    await browser.press("x+10m<Enter>").settle().expect("expires 10m 00s later")
    #expect(try await expires("a") == "1790000849")
    await browser.press("u").settle()
    #expect(try await expires("a") == "1790000249")
    // An expired entry is extended from now, and one that never expires is left alone.
    await browser.pressEach("<Space><Space><Space>x+1m<Enter>")
    #expect(try await expires("a") == "1790000309")
    #expect(try await expires("b") == "1790000060")
    #expect(try await expires("c") == "never")
  }

  @Test func `Only the remaining time is redrawn`() async {
    let before = browser.screen.rows
    await wait(1)
    let after = browser.screen.rows
    let changed = zip(before, after).enumerated().filter { $0.1.0 != $0.1.1 }.map(\.offset)
    #expect(Set(changed).isSubset(of: [0, 2, 3, 5]) && !changed.isEmpty, "\(changed)")
  }

  @Test func `Expired and never-expiring entries are labelled`() async throws {
    await browser.press("<Down>").settle().expect("expired 2h 00m ago")
    await browser.press("<Down>").settle().expect("text · ").expectNot("expires in")
    let pane = try #require(browser.program.layout.panes[.value])
    #expect(!browser.screen.row(0).dropFirst(pane.x).contains("expired"))
  }

  @Test func `x sets the expiry of the selected entry`() async throws {
    await browser.press("x").settle().expect("expires:").expect("in 2 hours, tomorrow")
    await browser.press("2h30m").settle().expect("a expires in 2h 30m, at 2026-09-21T16:43:20Z")
    await browser.press("<Enter>").settle().expect("a: expires in 2h 30m")
      .expect(selected: .text("a"))
    #expect(try await expires("a") == "1790009000")
    await browser.press("u").settle().expect("undone").expect("expires in 4m 09s")
    #expect(try await expires("a") == "1790000249")
  }

  @Test(arguments: [
    ("now", "1790000000"), ("2030-01-31 12:00", "1896091200"), ("1d", "1790086400"),
    ("never", "never"), ("forever", "never"), ("tomorrow", "1790086400"),
    ("in 2h", "1790007200"), ("5 minutes", "1790000300"), ("2 hours 30 min", "1790009000"),
    ("90 seconds from now", "1790000090"),
  ])
  func anyEndCanBeTyped(_ text: String, _ stored: String) async throws {
    await browser.press("x" + text.replacing(" ", with: "<Space>") + "<Enter>").settle()
    #expect(try await expires("a") == stored)
    #expect(browser.state.overlay == nil)
  }

  @Test func `All expired entries are deleted in one change after confirmation`() async throws {
    await browser.press("X").settle().expect("Delete 1 expired entry (").expect("b")
    await browser.press("n").settle()
    #expect(try await expires("b") == "1789992800")
    await browser.press("X").settle().press("y").settle().expect("deleted 1 entry")
    #expect(try await expires("b") == nil)
    #expect(try await expires("a") == "1790000249")
    await browser.press("X").settle().expect("nothing was deleted")
    await browser.press("u").settle()
    #expect(try await expires("b") == "1789992800")
  }

  @Test(arguments: ["n", "q", "<Esc>"])
  func `A question that is closed says that nothing was deleted`(_ key: String) async throws {
    for question in ["X", "d"] {
      await browser.press(question).settle()
      #expect(browser.state.overlay != nil)
      await browser.press(key).settle()
      #expect(browser.state.overlay == nil && browser.state.message != nil)
    }
    #expect(try await expires("a") != nil)
    #expect(try await expires("b") != nil)
  }

  @Test func `A yes typed before the question deletes nothing`() async throws {
    await browser.press("Xy").settle().expect("Delete 1 expired entry (")
    #expect(try await expires("b") == "1789992800")
  }

  @Test func `Entries hidden by a filter are not affected`() async throws {
    try await folder.database("INSERT INTO cache VALUES ('x', 'old', 1789992800)")
    await browser.press("/x<Enter>").settle().press("X").settle()
      .expect("Delete 1 expired entry (")
    await browser.press("y").settle()
    #expect(try await expires("x") == nil)
    #expect(try await expires("b") == "1789992800")
  }

  @Test func `An entry refreshed by its program before the confirmation stays`() async throws {
    await browser.press("X").settle()
    try await folder.database("UPDATE cache SET expires = 1790099999 WHERE key = 'b'")
    await browser.press("y").settle().expect("nothing was deleted")
    #expect(try await expires("b") == "1790099999")
  }

  @Test func `All marked entries get the expiry`() async throws {
    await browser.press("<Space><Space><Space>").settle()
    await browser.press("x").settle().expect("3 marked entries")
    await browser.press("10m<Enter>").settle().expect("3 marked entries: expires in 10m 00s")
      .expectNot("3 marked,")
    for key in ["a", "b", "c"] { #expect(try await expires(key) == "1790000600") }
    #expect(try await expires("d") == "1790090000")
    await browser.press("u").settle()
    #expect(try await expires("a") == "1790000249")
    #expect(try await expires("c") == "never")
  }

  @Test func `Entries that never expire are not extended`() async throws {
    await browser.press("<Space><Space><Space>").settle()
    await browser.press("x+10m<Enter>").settle().expect("c never expires")
    #expect(browser.state.overlay == nil)
    #expect(try await expires("a") == "1790000849")
    #expect(try await expires("c") == "never")
    await browser.press("gjjx+10m<Enter>").settle().expect("nothing was written")
    #expect(browser.state.overlay != nil)
    #expect(try await expires("c") == "never")
  }

  @Test func `An invalid expiry is reported and stays in the field`() async throws {
    await browser.press("xsoon<Enter>").settle().expect("type 10m").expect("expires: soon")
    await browser.press("<Esc>").settle().expect("nothing was written")
    #expect(try await expires("a") == "1790000249")
  }

  @Test func `An entry changed by another program is not touched`() async throws {
    await browser.press("x1h").settle()
    try await folder.database("UPDATE cache SET value = 'new' WHERE key = 'a'")
    await browser.press("<Enter>").settle().expect("a was changed by another program")
    #expect(try await expires("a") == "1790000249")
  }

  @Test func `The expiry of a whole branch is set`() async throws {
    try await folder.database(
      """
      CREATE TABLE branches (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);
      INSERT INTO branches VALUES ('s:1', 'x', 1790000300), ('s:2', 'y', NULL), ('t:1', 'z', 1790000005);
      """)
    let browser = try Robot(
      ["app.db#branches"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/branches.db")),
      size: Size(width: 100, height: 16))
    await browser.settle()
    func expires(_ key: String) async throws -> String? {
      try await folder.text(
        "SELECT coalesce(CAST(expires AS TEXT), 'never') FROM branches WHERE key = '\(key)'")
    }
    await browser.press("T").settle()
    await browser.press("g").settle().expect("2 keys in this branch")
    await browser.press("x").settle().expect("When do all of “s:” expire? ")
    await browser.press("10m<Enter>").settle().expect("all of “s:”: expires in 10m 00s")
    #expect(try await expires("s:1") == "1790000600")
    #expect(try await expires("s:2") == "1790000600")
    #expect(try await expires("t:1") == "1790000005")
    await browser.press("u").settle()
    #expect(try await expires("s:1") == "1790000300")
    #expect(try await expires("s:2") == "never")
  }

  @Test(arguments: ["expires", "left", "state"])
  func `Entries are sorted by expiry`(_ name: String) async {
    await browser.press(":sort<Space>\(name)<Enter>").settle()
    #expect(
      browser.state.keys?.window.entries.map(\.key)
        == ["b", "a", "d", "c"].map { EntryKey.text($0) })
  }

  @Test func `Other tables have no expiry`() async throws {
    let browser = try Robot(["app.db#plain"], stores: .sqlite(folder))
    await browser.settle()
    await browser.press("x").settle().expect("has no expiry")
  }
}
