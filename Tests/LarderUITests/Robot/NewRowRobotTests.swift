import Foundation
import Harmony
import LarderBrowser
import LarderJournal
import LarderModel
import LarderUI
import TerminalUI
import Testing

/// Typing a new row of a table column by column.
@Suite @MainActor struct NewRowRobotTests {
  private let folder: TestFolder
  private let drafts = InMemoryDataSource<Draft>()

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE buy(id INTEGER PRIMARY KEY, item TEXT NOT NULL, total REAL,
        state TEXT NOT NULL DEFAULT 'open', note TEXT, made DATE, label UNIQUE, photo BLOB,
        double AS (total * 2));
      INSERT INTO buy(id, item, label) VALUES (3, 'pen', 'a');
      CREATE TABLE often(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, size INT);
      INSERT INTO often VALUES (9, 'x', 1);
      DELETE FROM often;
      CREATE TABLE place(country TEXT, zip INTEGER NOT NULL, name TEXT, x INT,
        PRIMARY KEY(country, zip));
      CREATE TABLE cache(key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER);
      INSERT INTO cache VALUES ('a', x'74', 1790000100), ('b', x'75', 1790000200),
        ('c', x'76', NULL);
      CREATE TABLE pair(key TEXT PRIMARY KEY, value TEXT);
      """)
  }

  private func browser(
    _ table: String = "buy", width: Int = 80, height: Int = 24, session: String? = nil
  ) async throws -> Robot {
    let keeper = session.map { session in
      DraftStorage(
        session: session, source: AnyDataSource(drafts), isRunning: { $0 == session })
    }
    return try await Robot(
      ["app.db#\(table)"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: width, height: height), drafts: keeper
    ).settle()
  }

  private func text(_ sql: String) async throws -> String? { try await folder.text(sql) }

  private func form(_ browser: Robot) throws -> NewRowModel {
    guard case .newRow(let row) = browser.state.overlay else {
      throw StoreError.failed("no form is open: \(browser.report)")
    }
    return row
  }

  @Test func `Only typed columns are written, with their types`() async throws {
    let browser = try await browser()
    await browser.pressEach("a").expectRow("id", "next number").expectRow("item *")
      .expectRow("state", "open")
    #expect(try !form(browser).lines.map(\.name).contains("double"))
    await browser.press("<Tab>pen<Tab>2.50<Ctrl-S>").settle()
    #expect(browser.state.overlay == nil)
    browser.expect(selected: .integer(4))
    #expect(
      try await text(
        "SELECT item || typeof(total) || total || state || (note IS NULL) FROM buy WHERE id = 4")
        == "penreal2.5open1")
    await browser.press("u").settle()
    #expect(try await text("SELECT count(*) || '' FROM buy") == "1")
  }

  @Test(arguments: ["<Down><Down>", "<Tab><Tab>", "<Enter><Enter>"])
  func `Keys move from line to line and back`(keys: String) async throws {
    let browser = try await browser()
    await browser.pressEach("a" + keys + "1<Up>cup<Shift-Tab>7<Ctrl-S>")
    #expect(try await text("SELECT item || total FROM buy WHERE id = 7") == "cup1.0")
  }

  @Test func `Enter on the last line writes`() async throws {
    let browser = try await browser("often")
    await browser.press("a<Enter>Ann<Enter>12<Enter>").settle()
    #expect(browser.state.overlay == nil)
    // AUTOINCREMENT never reuses an id.
    #expect(try await text("SELECT id || name || typeof(size) FROM often") == "10Anninteger")
  }

  @Test func `An invalid line says why and is focused`() async throws {
    let browser = try await browser()
    await browser.press("a<Tab><Tab>many").settle()
    #expect(try form(browser).line.problem != nil)
    await browser.press("<Ctrl-S>").settle()
    #expect(try form(browser).line.name == "item", "it is required")
    await browser.press("pen<Tab><Ctrl-U>1<Ctrl-S>").settle()
    #expect(try await text("SELECT count(*) || '' FROM buy") == "2")
  }

  @Test func `A database error is shown at its column`() async throws {
    let browser = try await browser()
    await browser.press("a<Tab>pen<Tab><Tab><Tab><Tab><Tab>a<Ctrl-S>").settle()
    #expect(try form(browser).line.name == "label")
    #expect(try form(browser).line.problem?.contains("UNIQUE") == true)
    await browser.press("b<Ctrl-S>").settle()
    #expect(try await text("SELECT label FROM buy WHERE id = 4") == "ab")
  }

  @Test func `A taken key is reported while typing`() async throws {
    let browser = try await browser()
    await browser.pressEach("a3")
    #expect(try form(browser).line.problem != nil)
    await browser.pressEach("1")
    #expect(try form(browser).line.problem == nil)
    await browser.pressEach("<Backspace><Tab>x<Ctrl-S>")
    #expect(try form(browser).line.name == "id")
    await browser.pressEach("0<Ctrl-S>")
    #expect(try await text("SELECT item FROM buy WHERE id = 30") == "x")
  }

  @Test func `Each part of a key has its line`() async throws {
    let browser = try await browser("place")
    await browser.press("a<Enter><Ctrl-S>").settle()
    #expect(try form(browser).line.name == "country")
    await browser.press("CH<Enter>zip").settle()
    #expect(try form(browser).line.problem?.contains("INTEGER") == true)
    await browser.press("<Ctrl-U>8001<Enter>Zürich<Ctrl-S>").settle()
    #expect(
      try await text("SELECT country || typeof(zip) || name FROM place") == "CHintegerZürich")
  }

  @Test func `A table of a cache asks for the key, the value and the expiry`() async throws {
    let browser = try await browser("cache")
    await browser.pressEach("a").expectRow("key *").expectRow("value").expectRow("expires", "never")
    await browser.pressEach("new<Enter>true<Enter>soon")
    #expect(try form(browser).line.problem != nil)
    await browser.pressEach("<Ctrl-U>2h<Enter>")
    #expect(
      try await text("SELECT hex(value) || expires_at FROM cache WHERE key = 'new'")
        == "747275651790007200")
    await browser.press("aold<Enter>x<Enter><Enter>").settle()
    #expect(
      try await text("SELECT typeof(value) || (expires_at IS NULL) FROM cache WHERE key = 'old'")
        == "blob1")
  }

  @Test func `NULL, empty text and the default are distinguished`() async throws {
    let browser = try await browser()
    await browser.pressEach("a<Tab>pen<Tab><Tab><Ctrl-N>")
    browser.expect("cannot be null")
    await browser.pressEach("x<Backspace>")
    await browser.pressEach("<Tab>x<Backspace>").expectRow("note", "empty text")
    await browser.pressEach("<Tab><Ctrl-N>").expectRow("made", "NULL")
    await browser.pressEach("<Ctrl-S>")
    #expect(
      try await text(
        "SELECT '<' || state || '>' || quote(note) || typeof(made) FROM buy WHERE id = 4")
        == "<>''null")
    await browser.pressEach("a<Tab>pen<Tab><Tab>x<Backspace><Backspace><Ctrl-S>")
    #expect(try await text("SELECT state FROM buy WHERE id = 5") == "open")
  }

  @Test func `A column without a type keeps text as it is spelled, and Ctrl-T chooses`()
    async throws
  {
    let browser = try await browser()
    let label = "a<Tab>pen<Tab><Tab><Tab><Tab><Tab>"
    await browser.press(label + "007<Ctrl-S>").settle()
    await browser.press(label + "7<Ctrl-S>").settle()
    await browser.press(label + "8<Ctrl-T><Ctrl-S>").settle()
    #expect(
      try await text(
        "SELECT group_concat(typeof(label) || label) FROM (SELECT * FROM buy WHERE id > 3)")
        == "text007,integer7,text8")
    await browser.press("a<Tab>pen<Tab><Tab><Tab><Tab><Tab><Tab>héllo<Ctrl-S>").settle()
    #expect(try await text("SELECT hex(photo) FROM buy WHERE id = 7") == "68C3A96C6C6F")
  }

  @Test func `Leaving after typing asks first, and adds nothing`() async throws {
    let browser = try await browser()
    await browser.pressEach("a<Esc>")
    #expect(browser.state.overlay == nil)
    browser.expect("nothing was added")
    await browser.pressEach("a<Tab>pen<Esc>")
    #expect(try form(browser).isChanged)
    await browser.pressEach("<Esc>")
    #expect(browser.state.overlay == nil)
    browser.expect("nothing was added")
    #expect(try await text("SELECT count(*) || '' FROM buy") == "1")
  }

  @Test func `A table of keys and values still takes a value of several lines`() async throws {
    let browser = try await browser("pair")
    await browser.press("ak<Enter>").settle()
    await browser.press("one<Alt-Enter>two<Ctrl-S>").settle()
    #expect(try await text("SELECT value FROM pair") == "one\ntwo")
  }

  @Test func `Typed text is stored as a draft for a later run`() async throws {
    let browser = try await browser(session: "1")
    await browser.press("a<Tab>pen<Tab><Tab><Tab><Ctrl-N>").settle()
    let program = browser.program
    let ended = Task { await program.run(opening: []) }
    await Task.yield()
    browser.terminal.send(.closed(.hangUp))
    await ended.value
    let again = try await self.browser(session: "2")
    again.expect("a new row")
    await again.press("<Ctrl-E>").settle().expectRow("item *", "pen").expectRow("note", "NULL")
    await again.press("<Ctrl-S>").settle()
    #expect(try await text("SELECT item FROM buy WHERE id = 4") == "pen")
    #expect(try await drafts.getAll(AllObjectsQuery()).get().isEmpty)
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 6), (1, 1)])
  func `The line being typed is on screen`(width: Int, height: Int) async throws {
    let browser = try await browser(width: width, height: height)
    await browser.pressEach("a")
    for _ in 0..<8 {
      await browser.pressEach("<Tab>7")
      if width >= 20 { #expect(browser.screen.cursor != nil) }
    }
  }
}
