import Foundation
import Harmony
import LarderBrowser
import LarderJournal
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// The grid of a table's columns, driven through the terminal.
@Suite @MainActor struct GridRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
      INSERT INTO customer VALUES(1, 'Ann', 'Rome'), (2, 'Bob', 'Oslo');
      CREATE TABLE buy(id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer(id),
        item TEXT NOT NULL, total REAL, note TEXT);
      INSERT INTO buy VALUES (1, 2, 'pen', 1.5, NULL), (2, 1, 'book', 12.25, 'gift'),
        (3, 2, 'cup', 7, ''), (4, 1, 'pen', 3, 'in a hurry');
      CREATE TABLE wide(id INTEGER PRIMARY KEY, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11);
      INSERT INTO wide(id, c0, c11) VALUES (1, 'first value', 'last value');
      """)
  }

  private func browser(
    _ table: String = "buy", width: Int = 80, height: Int = 16
  ) async throws -> Robot {
    try await Robot(
      ["app.db#\(table)"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: width, height: height)
    ).settle()
  }

  private func keys(_ browser: Robot) -> [EntryKey] {
    browser.state.keys?.window.entries.map(\.key) ?? []
  }

  /// Returns the texts below the name of a column.
  private func cells(_ column: String, _ browser: Robot) throws -> [String] {
    let rows = browser.screen.rows
    let header = try #require(rows.first { $0.contains(" \(column)") })
    let start = try #require(header.range(of: column)?.lowerBound)
    let x = header.distance(from: header.startIndex, to: start)
    return rows[2..<(2 + keys(browser).count)].map { row in
      String(row.dropFirst(x).prefix { $0 != " " })
    }
  }

  @Test func `Every column is shown beside the key`() async throws {
    let browser = try await browser()
    browser.expect("id▴").expect("customer").expect("item").expect("total").expect("note")
    #expect(try cells("item", browser) == ["pen", "book", "cup", "pen"])
    #expect(try cells("note", browser) == ["∅", "gift", "", "in"])
    browser.expect("4 entries")
  }

  @Test func `Numbers are right-aligned as keys, too`() async throws {
    try await folder.database("INSERT INTO buy VALUES (10, 1, 'ink', 5, NULL)")
    let browser = try await browser()
    browser.expect(" id▴").expect("   4 ").expect("  10 ")
  }

  @Test func `A number before h and l is a count of columns`() async throws {
    let browser = try await browser()
    await browser.press("3l").settle()
    #expect(browser.state.keys?.grid?.selected == "total")
    await browser.press("9l").settle()
    #expect(browser.state.keys?.grid?.selected == "note")
    await browser.press("2h").settle()
    #expect(browser.state.keys?.grid?.selected == "item")
    await browser.press("50h").settle()
    #expect(browser.state.keys?.grid?.selected == nil)
    #expect(browser.state.focus == .keys)
  }

  @Test func `The stores are shown beside a grid if there is room for both`() async throws {
    let browser = try await Robot(
      ["app.db"], stores: .sqlite(folder), size: Size(width: 140, height: 16)
    ).settle()
    browser.expectRow("Stores", "2 entries").expectRow("customer", "Rome")
    await browser.press("<Enter>").settle()
    #expect(browser.program.layout.panes.count == 3)
    await browser.press("<Esc>").settle()
    #expect(Set(browser.program.layout.panes.keys) == [.stores, .keys])
    await browser.resize(139, 16).settle().expectNot("Stores")
    // One table was asked for.
    let one = try await self.browser("customer", width: 140)
    one.expectNot("Stores")
  }

  @Test func `Numbers are right-aligned`() async throws {
    let browser = try await browser()
    let rows = browser.screen.rows[1...5]
    let ends = rows.compactMap { row in
      ["total", "1.5", "12.25", "7.0", "3.0"].compactMap { row.range(of: " \($0) ") }.first.map {
        row.distance(from: row.startIndex, to: $0.upperBound)
      }
    }
    #expect(Set(ends).count == 1)
    #expect(ends.count == 5)
  }

  @Test func columnsAreSelectedOneByOneAndTheKeyStaysOnScreen() async throws {
    let browser = try await browser("wide", width: 40)
    browser.expect("first value").expectNot("last value").expect("more →")
    await browser.pressEach(String(repeating: "l", count: 12))
    browser.expect("id▴").expect("last value").expectNot("first value")
    #expect(browser.state.keys?.grid?.selected == "c11")
    // `l` stops at the last column.
    await browser.pressEach("l")
    #expect(browser.state.keys?.grid?.selected == "c11")
    await browser.pressEach(String(repeating: "h", count: 12)).expect("first value")
    #expect(browser.state.keys?.grid?.selected == nil)
    #expect(browser.state.focus == .keys)
  }

  @Test func `The list is sorted by the selected column, in both directions`() async throws {
    let browser = try await browser()
    await browser.pressEach("llls").expect("▴total")
    #expect(keys(browser) == [1, 4, 3, 2].map { .integer($0) })
    await browser.pressEach("s").expect("▾total")
    #expect(keys(browser) == [2, 3, 4, 1].map { .integer($0) })
    await browser.pressEach(":sort note<Enter>")
    #expect(keys(browser) == [3, 2, 4, 1].map { .integer($0) })
  }

  @Test func `A click on a column name sorts, a click on a cell selects`() async throws {
    let browser = try await browser()
    let header = browser.screen.rows[1]
    let place = try #require(header.range(of: "total"))
    let x = header.distance(from: header.startIndex, to: place.lowerBound)
    await browser.mouse(.press(.left), x: x, y: 1).settle()
    #expect(keys(browser) == [1, 4, 3, 2].map { .integer($0) })
    await browser.mouse(.press(.left), x: x, y: 3).settle()
    #expect(browser.state.keys?.grid?.selected == "total")
    #expect(browser.state.keys?.selected?.key == .integer(4))
    await browser.mouse(.press(.left), x: 1, y: 4).settle()
    #expect(browser.state.keys?.grid?.selected == nil)
  }

  @Test func `The record follows references like the grid, without editing`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Enter>")
    #expect(browser.state.focus == .value)
    await browser.pressEach("<Enter>")
    #expect(browser.state.keys?.store.reference.collection == "customer")
    browser.expect(selected: .integer(2))
    await browser.pressEach("<Esc>")
    #expect(browser.state.keys?.store.reference.collection == "buy")
    await browser.pressEach("<Enter>jl")
    #expect(browser.state.overlay == nil)
    #expect(browser.state.message != nil)
    await browser.pressEach("<Enter>")
    #expect(browser.state.overlay != nil, "Enter edits a short column")
  }

  @Test func `The editor of a cell covers only its text`() async throws {
    let browser = try await browser()
    await browser.pressEach("llle").expectRow("1.5", "∅")
    await browser.pressEach("<Ctrl-U>123456789012345678").expectRow("123456789012345678")
    await browser.pressEach("<Esc><Esc>lje<Ctrl-N>")
    #expect(try await folder.text("SELECT typeof(note) FROM buy WHERE id = 2") == "null")
  }

  @Test func rowsAreFilteredByTheSelectedColumn() async throws {
    let browser = try await browser()
    await browser.pressEach("ll/")
    browser.expect("/item:")
    #expect(keys(browser).count == 4)
    await browser.pressEach("pe")
    #expect(keys(browser) == [1, 4].map { .integer($0) })
    await browser.pressEach("<Esc>")
    #expect(keys(browser).count == 4)
    await browser.pressEach("/<Ctrl-U>total>=3<Enter>")
    #expect(keys(browser) == [2, 3, 4].map { .integer($0) })
    await browser.pressEach("/ item:pen<Enter>")
    #expect(keys(browser) == [.integer(4)])
    await browser.pressEach("<Esc>")
    #expect(keys(browser).count == 4)
  }

  @Test func `A second slash searches all values instead of the selected column`() async throws {
    let browser = try await browser()
    await browser.pressEach("ll/").expect("/item:").expect("/ searches all values")
      .pressEach("/hurry<Enter>")
    #expect(browser.state.keys?.filterText == "/hurry")
    #expect(keys(browser) == [.integer(4)])
    // After the first character of an operand, a slash belongs to it.
    await browser.pressEach("<Esc>/p/x").expect("/item:p/x")
  }

  @Test func `UUIDs in bytes are shown and found with and without dashes`() async throws {
    let (one, two) = (
      "052c3afc-034c-48e0-8fad-6921faacc5d1", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"
    )
    let hex = [one, two].map { "x'\($0.replacing("-", with: ""))'" }
    try await folder.database(
      """
      CREATE TABLE thing(id BLOB PRIMARY KEY, name TEXT, owner BLOB);
      INSERT INTO thing VALUES(\(hex[0]), 'one', \(hex[1])), (\(hex[1]), 'two', \(hex[0]));
      """)
    let browser = try await browser("thing", width: 120)
    browser.expectRow("x'\(one)'", "one", two.uppercased().prefix(20).description)
    for typed in ["052c3afc-034c", "052c3afc034c"] {
      await browser.pressEach("/\(typed)<Enter>")
      #expect(browser.state.keys?.window.entries.count == 1)
      browser.expectRow("one")
      await browser.pressEach("<Esc>//\(typed)<Enter>")
      #expect(browser.state.keys?.window.entries.count == 1)
      browser.expectRow("two")
      await browser.pressEach("<Esc>")
    }
    await browser.pressEach("<Ctrl-G>\(one)<Enter>").expectRow("one")
    let selected = try #require(browser.state.keys?.selected?.key)
    #expect(selected == EntryKey(notation: hex[0], style: .typed))
    #expect(EntryKey(notation: "x'\(one)'", style: .typed) == selected)
  }

  @Test func `The parts of a key have columns of their own`() async throws {
    try await folder.database(
      """
      CREATE TABLE visit(country TEXT, day INTEGER, n INTEGER, PRIMARY KEY(country, day)) WITHOUT ROWID;
      INSERT INTO visit VALUES ('AT', 1, 13), ('AT', 12, 14), ('Åland', 7, 15);
      CREATE TABLE long(a TEXT, b TEXT, n INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID;
      INSERT INTO long VALUES ('a long part of the key', 'another one', 13);
      """)
    let browser = try await browser("visit")
    browser.expect("country▴  day   n ").expect("AT          1  13").expect("AT         12  14")
      .expect("Åland       7  15")
    try await self.browser("long").expect("a, b▴").expect("(a long par").expect(" 13 ")
  }

  @Test func `A column is selected by its name`() async throws {
    let browser = try await browser("wide")
    await browser.pressEach(":column c11<Enter>").expect("last value")
    #expect(browser.state.shownGrid?.selected == "c11")
    await browser.pressEach(":column C1<Enter>")
    #expect(browser.state.shownGrid?.selected == "c1")
    await browser.pressEach(":column d1<Enter>").expect("no column is called")
    #expect(browser.state.shownGrid?.selected == "c1")
  }

  @Test func onlyRowsWithTheValueOfTheCellAreListed() async throws {
    let browser = try await browser()
    await browser.pressEach("ll=")
    #expect(keys(browser) == [1, 4].map { .integer($0) })
    await browser.pressEach("jll=")
    #expect(browser.state.keys?.filterText == "item=pen note=\"in a hurry\"")
    #expect(keys(browser) == [.integer(4)])
    await browser.pressEach("<Esc>")
    await browser.pressEach("g=")
    #expect(keys(browser) == [.integer(1)], "the row with NULL")
  }

  @Test func `Hidden, moved and widened columns are remembered`() async throws {
    let browser = try await browser()
    await browser.pressEach("l,").expect("1 hidden")
    #expect(browser.state.keys?.grid?.columns == ["item", "total", "note"])
    #expect(browser.state.keys?.grid?.selected == "item")
    await browser.pressEach(")")
    #expect(browser.state.keys?.grid?.columns == ["total", "item", "note"])
    let before = browser.screen.rows[1]
    await browser.pressEach(">")
    #expect(browser.screen.rows[1] != before)
    let arrangement = browser.state.keys?.grid?.arrangement
    await browser.pressEach("hhh")
    #expect(browser.state.focus == .stores)
    await browser.pressEach("k").expect("Rome")
    await browser.pressEach("j<Tab>").expect("1 hidden")
    #expect(browser.state.keys?.grid?.arrangement == arrangement)
    let session = try #require(browser.state.session)
    #expect(session.places.last?.columns == arrangement)
    await browser.pressEach(":show-columns<Enter>").expect("customer")
  }

  @Test func `The arrangement of a table and its order are restored in the next run`() async throws
  {
    let drafts = DraftStorage(
      session: "1", source: AnyDataSource(InMemoryDataSource<Draft>()), isRunning: { _ in true })
    let grids = GridStorage(AnyDataSource(InMemoryDataSource<SavedGrid>()))
    func browser(_ table: String = "buy") async throws -> Robot {
      try await Robot(
        ["app.db#\(table)"], stores: .sqlite(folder), size: Size(width: 80, height: 16),
        drafts: drafts, grids: grids
      ).settle()
    }
    let first = try await browser()
    await first.pressEach("l,>)lls<Esc>:sort total down<Enter>")
    let arrangement = first.state.keys?.grid?.arrangement
    let next = try await browser()
    #expect(next.state.keys?.grid?.arrangement == arrangement)
    next.expect("1 hidden").expect("▾total")
    #expect(keys(next) == [2, 3, 4, 1].map { .integer($0) })
    try await browser("customer").expectNot("hidden")
    await next.pressEach(":show-columns<Enter>:sort key<Enter>:grid<Enter>")
    let last = try await browser()
    #expect(last.state.keys?.order == .key)
    #expect(last.state.shownGrid == nil)
  }

  @Test func `Hidden columns are named, and shown again by name`() async throws {
    let browser = try await browser()
    await browser.pressEach("l,,").expect("2 hidden: customer, item")
    await browser.press("i").settle().expectRow("hidden", "customer, item").press("<Esc>").settle()
    await browser.pressEach(":show-columns it<Tab><Enter>")
    #expect(browser.state.keys?.grid?.columns == ["item", "total", "note"])
    #expect(browser.state.keys?.grid?.selected == "item")
    await browser.pressEach(":show-columns<Enter>")
    #expect(browser.state.keys?.grid?.hidden == [])
  }

  @Test func `Details after following a foreign key are those of its row`() async throws {
    let browser = try await browser()
    await browser.pressEach("l").press("<Enter>").settle().press("i").settle()
    #expect(browser.state.details?.title == "2")
    #expect(browser.state.keys?.store.reference.collection == "customer")
  }

  @Test func `Times in columns are shown and compared as times`() async throws {
    try await folder.database(
      """
      CREATE TABLE visit(id INTEGER PRIMARY KEY, seen_at INTEGER, page TEXT, owner_id BLOB);
      INSERT INTO visit VALUES (1, 1790000000, 'a', x'00112233445566778899aabbccddeeff'),
        (2, unixepoch() + 100, 'b', NULL);
      """)
    let browser = try await browser("visit", width: 100)
    browser.expectRow("2026-09-21 14:13:20", "00112233-4455-6677-8899-AABBCCDDEEFF")
    await browser.pressEach("/seen_at>now<Enter>").expect(selected: .integer(2))
    await browser.pressEach("<Esc>gl=")
    #expect(browser.state.keys?.filterText == "seen_at=1790000000")
  }

  @Test func `The hints say how to switch between grid and list`() async throws {
    let browser = try await browser(width: 160)
    await browser.expect(":grid").press(":grid<Enter>").settle().expect(":grid")
  }

  @Test func `Enter follows a foreign key and Esc goes back`() async throws {
    let browser = try await browser()
    await browser.pressEach("jl").press("<Enter>").settle()
    #expect(browser.state.keys?.store.reference.collection == "customer")
    #expect(browser.state.keys?.selected?.key == .integer(1))
    await browser.press("<Esc>").settle()
    #expect(browser.state.keys?.store.reference.collection == "buy")
    #expect(browser.state.keys?.selected?.key == .integer(2))
    #expect(browser.state.keys?.grid?.selected == "customer")
  }

  @Test func `Enter on other columns shows the record at that column`() async throws {
    let browser = try await browser()
    await browser.pressEach("lll").press("<Enter>").settle()
    #expect(browser.state.focus == .value)
    #expect(browser.state.value?.selectedField == 2)
    browser.expect("item").expect("12.25")
    await browser.press("<Esc>").settle()
    #expect(browser.state.focus == .keys)
  }

  @Test func `A cell is edited in place`() async throws {
    let browser = try await browser()
    await browser.pressEach("jllle")
    // The other rows stay visible.
    browser.expect("pen").expect("cup")
    await browser.pressEach("x<Enter>").expect("not written")
    await browser.pressEach("<Backspace>5<Enter>").expect("12.255")
    let row = try await folder.text(
      "SELECT customer || item || total || note FROM buy WHERE id = 2")
    #expect(row == "1book12.255gift")
    await browser.pressEach("u").expect("12.25 ")
    #expect(browser.state.keys?.grid?.selected == "total")
  }

  @Test func `A changed row is shown with its new values`() async throws {
    let browser = try await browser()
    try await folder.database("UPDATE buy SET item = 'umbrella' WHERE id = 3")
    await browser.press("<F5>").settle().expect("umbrella")
  }

  @Test func `The grid can be shown as a list`() async throws {
    let browser = try await browser()
    await browser.pressEach(":grid<Enter>").expect("VALUE").expect("customer 2")
    await browser.pressEach(":grid<Enter>").expectNot("VALUE").expect("∅")
  }

  @Test func storesWithoutColumnsHaveNoGrid() async throws {
    try await folder.database(
      "CREATE TABLE kv(k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES('a', 1)")
    let browser = try await browser("kv")
    #expect(browser.state.keys?.grid == nil)
    await browser.pressEach(":grid<Enter><Esc>").expect("VALUE")
  }

  @Test(arguments: [1, 4, 10, 17, 18, 20, 30, 44, 72])
  func `No width traps with any selection`(width: Int) async throws {
    let browser = try await browser("wide", width: width, height: 6)
    await browser.pressEach("llllllllllllll>>>>e<Esc><Esc>ss,,,,hhhh")
    for height in [1, 2, 3, 4, 5] { browser.resize(width, height) }
    await browser.settle()
    #expect(browser.state.keys?.grid != nil)
  }

  @Test func `Rows can be filtered by an empty cell`() async throws {
    let browser = try await browser()
    await browser.pressEach("jjllll=")
    #expect(keys(browser) == [.integer(3)])
    await browser.pressEach("=")
    #expect(browser.state.keys?.filterText == "note=\"\"", "the same condition is not added twice")
  }

  @Test func `Key columns can be filtered, even when named like a sort order`() async throws {
    try await folder.database(
      """
      CREATE TABLE odd(id INTEGER PRIMARY KEY, key TEXT, "ramp up" INTEGER);
      INSERT INTO odd VALUES (1, 'b', 1), (2, 'a', 2), (3, 'c', 0);
      """)
    let browser = try await browser("odd")
    await browser.pressEach("/id>1<Enter>")
    #expect(keys(browser) == [2, 3].map { .integer($0) })
    await browser.pressEach("<Esc>ls")
    #expect(keys(browser) == [2, 1, 3].map { .integer($0) })
    await browser.pressEach("ls")
    #expect(keys(browser) == [3, 1, 2].map { .integer($0) })
    await browser.pressEach(":sort key<Enter>")
    #expect(keys(browser) == [1, 2, 3].map { .integer($0) })
  }

  @Test func aForeignKeyWithoutARowSaysSo() async throws {
    try await folder.database(
      "PRAGMA foreign_keys = OFF; INSERT INTO buy VALUES (5, 77, 'hat', 1, NULL)")
    let browser = try await browser()
    await browser.pressEach("Gl").press("<Enter>").settle()
    #expect(browser.state.message?.kind == .warning)
    #expect(browser.state.message?.text.contains("77") == true)
  }

  @Test func `The arrangement survives following a foreign key and the list view`() async throws {
    let browser = try await browser()
    await browser.pressEach("l").press("<Enter>").settle()
    await browser.pressEach("ll,").press("<Esc>").settle()
    await browser.press("<Enter>").settle()
    #expect(browser.state.keys?.grid?.columns == ["name"])
    await browser.pressEach(":grid<Enter>:grid<Enter>")
    #expect(browser.state.keys?.grid?.columns == ["name"])
    await browser.pressEach("l,")
    #expect(browser.state.keys?.grid?.columns == ["name"], "one column always stays")
  }

  @Test func `A row with a large column shows its other columns`() async throws {
    try await folder.database(
      """
      CREATE TABLE photo(id INTEGER PRIMARY KEY, name TEXT, data BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO photo SELECT i, 'name ' || i, zeroblob(70000) FROM n;
      """)
    let browser = try await browser("photo")
    browser.expect("name 1 ").expect("…")
    await browser.pressEach("lsG").expect("name 99")
    await browser.pressEach("e")
    await browser.pressEach("x<Enter>").expect("name 99x")
  }

  @Test func `Paging continues when the last row was deleted or changed`() async throws {
    try await folder.database(
      """
      CREATE TABLE many(id INTEGER PRIMARY KEY, n INTEGER, z TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
        INSERT INTO many SELECT i, i, 'z' FROM n;
      """)
    let browser = try await browser("many")
    await browser.pressEach("ls")
    try await folder.database(
      "DELETE FROM many WHERE id BETWEEN 480 AND 500; UPDATE many SET n = -1 WHERE id = 479")
    for _ in 0..<110 { await browser.press("<PgDn>").settle() }
    let rows = keys(browser)
    #expect(rows.last == .integer(1_200))
    #expect(Set(rows).count == rows.count)
  }

  @Test func escFromARecordGoesBackToTheFilteredGrid() async throws {
    let browser = try await browser()
    await browser.pressEach("/item:pen<Enter>").press("<Enter>").settle()
    #expect(browser.state.focus == .value)
    await browser.pressEach("<Esc>")
    #expect(browser.state.focus == .keys)
    #expect(keys(browser) == [1, 4].map { .integer($0) })
    await browser.pressEach("<Esc>")
    #expect(keys(browser).count == 4)
  }

  @Test func aSmallColumnBesideALargeOneIsEdited() async throws {
    try await folder.database(
      """
      CREATE TABLE photo(id INTEGER PRIMARY KEY, name TEXT, data BLOB);
      INSERT INTO photo VALUES (1, 'a', zeroblob(2000000));
      """)
    let browser = try await browser("photo")
    await browser.pressEach("lex<Enter>").expect("ax")
    let row = try await folder.text("SELECT name || length(data) FROM photo")
    #expect(row == "ax2000000")
  }

  @Test func `A cache table is a list with remaining times`() async throws {
    try await folder.database(
      """
      CREATE TABLE cached(id INTEGER PRIMARY KEY, name TEXT, body TEXT, tag TEXT, expires_at INTEGER);
      INSERT INTO cached VALUES (1, 'a', 'x', NULL, unixepoch() + 7000),
        (2, 'b', 'y', NULL, unixepoch() + 100), (3, 'c', 'z', NULL, unixepoch() + 9000);
      """)
    let browser = try await browser("cached", width: 100)
    #expect(browser.state.keys?.times != nil)
    browser.expect("LEFT").expect("3 fresh")
    await browser.pressEach(":grid<Enter>").expect("expires_at").expect("tag").expectNot("LEFT")
    await browser.pressEach("cc").expect("LEFT")
  }
}
