@testable import LarderBrowser
import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Keys as a tree, and the keys of a single branch.
@Suite @MainActor struct TreeRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE sessions(key TEXT PRIMARY KEY NOT NULL, value);
      INSERT INTO sessions VALUES('session:1:name', 'Ada'), ('session:1:token', 'a1'),
        ('session:2:token', 'b2'), ('theme', 'dark'), ('user:', 'none'), ('user:7', 'Grace');
      CREATE TABLE numbers(id INTEGER PRIMARY KEY, v);
      CREATE TABLE flat(key TEXT PRIMARY KEY NOT NULL, v);
      INSERT INTO flat VALUES('one', 1), ('two', 2);
      """)
  }

  private func browser(
    _ table: String = "sessions", size: Size = Size(width: 80, height: 24)
  ) async throws -> Robot {
    try await Robot(
      ["app.db#\(table)"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")), size: size
    ).settle()
  }

  private func keys() async throws -> [String] {
    try await folder.text("SELECT group_concat(key, ' ') FROM sessions")?
      .split(separator: " ").map(String.init) ?? []
  }

  @Test func `Files form a tree of their folders, whatever their names`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/files/x", withIntermediateDirectories: true)
    for name in ["a.b.c", "x/a.b", "x/c.d.e"] {
      try Data("text".utf8).write(to: URL(filePath: folder.path + "/files/" + name))
    }
    let open = try await Stores.open(StoreLocation(path: folder.path + "/files"))
    let store = try await open.store(nil)
    let browser = try await Robot(["slow"], stores: .wrapping(store, store.source)).settle()
    await browser.pressEach("T").expect("grouped by “/”").expectRow("▸ x/", "8 B", "2 keys").expect(
      "a.b.c")
  }

  @Test func `Removing the prefix of a branch takes a second Enter`() async throws {
    let browser = try await browser()
    let before = try await keys()
    await browser.pressEach("Tr<Ctrl-U><Enter>")
    guard case .prompt(let prompt) = browser.state.overlay else {
      Issue.record("nothing is asked")
      return
    }
    #expect(prompt.notice?.isDangerous == true)
    #expect(prompt.notice?.text.contains("3 entries: session:1:name → 1:name") == true)
    #expect(try await keys() == before)
    // Typing takes the question back.
    await browser.pressEach("x<Backspace><Enter>")
    #expect(try await keys() == before)
    await browser.pressEach("<Enter>")
    #expect(browser.state.overlay == nil)
    #expect(try await keys().contains("1:name"))
  }

  @Test func sortingATreeShowsItsBranchesBySize() async throws {
    let browser = try await browser()
    await browser.pressEach("Ts").expect("by size")
    #expect(browser.state.overview?.selectedPrefix == "user:")
  }

  @Test func `Branches are measured while that is quick`() async throws {
    let browser = try await browser()
    await browser.pressEach("T").expectRow("▸ session:", " 7 B", "3 keys")
      .expectRow("▸ user:", " 9 B", "2 keys").expect("3 keys in this branch, 7")
    await browser.pressEach("<Enter>").expectRow("  ▸ 1:", " 5 B", "2 keys")
  }

  @Test func `A large branch is counted while it is shown`() async throws {
    let memory = try await Stores.open(StoreLocation(path: "memory:"))
    let store = try await memory.store(nil)
    for number in 0..<600 {
      let entry = Entry(key: .text("user:\(number)"), value: .text("x"))
      try await store.source.put(entry, in: ReplaceQuery(entry.key, expecting: nil)).get()
    }
    let source = SlowlyCounted(store.source)
    let browser = try await Robot(["slow"], stores: .wrapping(store, source)).settle()
    browser.press("T")
    await turnWhile {
      !browser.hasRow(["▸ user:", "12,345 keys…"])
    }
    await browser.draw().expect("At least 12,345 keys")
    source.releaseCounts()
    await turnWhile { !browser.hasRow(["▸ user:", "…", "600 keys"]) }
    await browser.draw().expect("600 keys in this branch.")
    source.release()
    await browser.settle().expectRow("▸ user:", "600 B", "600 keys")
      .expect("600 keys in this branch, 600 B of")
  }

  @Test func `A large branch of a live process is counted, not measured`() async throws {
    let memory = try await Stores.open(StoreLocation(path: "memory:"))
    let store = try await memory.store(nil)
    for number in 0..<600 {
      let entry = Entry(key: .text("user:\(number)"), value: .text("x"))
      try await store.source.put(entry, in: ReplaceQuery(entry.key, expecting: nil)).get()
    }
    let source = SlowlyCounted(store.source)
    let program = Store(
      kind: store.kind, location: store.location,
      capabilities: store.capabilities.union(.departs), keyStyle: store.keyStyle,
      source: AnyDataSource(source))
    let browser = try await Robot(["slow"], stores: .wrapping(program, source)).settle()
    browser.press("T")
    await turnWhile { !browser.hasRow(["▸ user:", "12,345 keys…"]) }
    source.releaseCounts()
    await turnWhile { !browser.hasRow(["▸ user:", "600 keys"]) }
    await browser.draw().expect("600 keys in this branch.").expectNot("600 B")
    source.release()
    await browser.draw().expectNot("600 B")
  }

  @Test func `A branch is opened, browsed and closed`() async throws {
    let browser = try await browser()
    await browser.pressEach("T").expectRow("▸ session:", " 3 keys").expectRow("▸ user:", " 2 keys")
      .expect("theme")
      .expect(selected: .branch("session:")).expect("3 keys in this branch")
    await browser.pressEach("<Enter>").expectRow("▾ session:", " 3 keys").expectRow(
      "  ▸ 1:", " 2 keys")
    await browser.pressEach("j<Enter>j").expect(selected: .text("session:1:name")).expect("Ada")
    await browser.pressEach("<Left>").expect(selected: .branch("session:1:"))
    await browser.pressEach("<Left>").expectRow("▸ 1:", " 2 keys")
    await browser.pressEach("<Left>").expect(selected: .branch("session:"))
    await browser.pressEach("<Left>").expectNot("▸ 1:").expectRow("▸ session:", " 3 keys")
    #expect(browser.state.focus == .keys)
    await browser.pressEach("<Left>")
    #expect(browser.state.focus == .stores)
  }

  @Test func `Right enters a branch and never closes it`() async throws {
    let browser = try await browser()
    await browser.pressEach("T<Right>").expect("▾ session:")
    await browser.pressEach("<Right>").expect(selected: .branch("session:1:"))
      .expect("▾ session:")
  }

  @Test func `The selected key stays when the tree is toggled`() async throws {
    let browser = try await browser()
    await browser.pressEach("jjT").expect(selected: .branch("session:"))
    await browser.pressEach("<Enter>j<Enter>jjT").expect(selected: .text("session:1:token"))
      .expect("2 of")
  }

  @Test func `The size of a branch is updated after an edit`() async throws {
    let browser = try await browser(size: Size(width: 120, height: 24))
    await browser.pressEach("TG<Enter>").expectRow("▾ user:", "2 keys")
    let before = try #require(browser.screen.rows.first { $0.contains("▾ user:") })
    await browser.pressEach("G").expect(selected: .text("user:7"))
      .pressEach("e and more<Ctrl-S>").expect("saved user:7")
    let after = try #require(browser.screen.rows.first { $0.contains("▾ user:") })
    #expect(before != after)
    #expect(after.contains(" 18 B "), "\(after)")
  }

  @Test func `A key equal to its branch's prefix is inside it`() async throws {
    let browser = try await browser()
    await browser.pressEach("TG<Enter>j").expect(selected: .text("user:")).expect("none")
    await browser.pressEach("j").expect(selected: .text("user:7")).expect("Grace")
  }

  @Test func `A branch is deleted as a prefix`() async throws {
    let browser = try await browser()
    await browser.pressEach("Td").expect("Delete 3 entries with the prefix “session:”")
    await browser.pressEach("3<Enter>").expect("deleted 3 entries").expectNot("▸ session:")
    #expect(try await keys() == ["theme", "user:", "user:7"])
  }

  @Test func `Entry commands on a branch explain what it is`() async throws {
    let browser = try await browser()
    for key in ["e", "C", "y", "<Space>", "f"] {
      await browser.pressEach("T\(key)").expect("“session:” is a branch")
      await browser.pressEach("T")
    }
  }

  @Test func `A range marks keys, not branches`() async throws {
    let browser = try await browser()
    await browser.pressEach("T<Enter>j<Enter>jVjjV").expect("is a branch")
    await browser.pressEach("jV").expect("3 marked")
    #expect(
      browser.state.keys?.marked
        == [.text("session:1:name"), .text("session:1:token"), .text("theme")])
  }

  @Test func `Open here lists the keys of a branch and names it`() async throws {
    let browser = try await browser()
    await browser.pressEach("TO").expect("in session:").expect("› session:")
      .expectRow("▸ 1:", " 2 keys").expect("3 entries")
    await browser.pressEach("T").expect(row: 2, contains: "│ 1:name ")
    await browser.pressEach("O").expect("in session:1:").expect("2 entries")
    await browser.pressEach("<Backspace>").expect("in session:").expect("3 entries")
    await browser.pressEach("<Backspace>").expectNot("in session:").expect("6 entries")
    await browser.pressEach("<Backspace>").expect("all entries of the store are listed")
  }

  @Test func `A new key starts with the scope's prefix`() async throws {
    let browser = try await browser()
    await browser.pressEach(":open-here session:1:<Enter>a42<Enter>")
      .expect("session:1:42")
    await browser.pressEach("new<Ctrl-S>").expect(selected: .text("session:1:42"))
    #expect(try await keys().contains("session:1:42"))
    #expect(try await folder.text("SELECT value FROM sessions WHERE key = 'session:1:42'") == "new")
  }

  @Test func aNewKeyIsShownInsideItsBranch() async throws {
    let browser = try await browser()
    await browser.pressEach("TGauser:8<Enter>x<Ctrl-S>").expect(selected: .text("user:8"))
      .expectRow("▾ user:", " 3 keys").expect("    8")
  }

  @Test func `A filter searches the scope and lists flat`() async throws {
    let browser = try await browser()
    await browser.pressEach("TO/tok<Enter>").expect("1:token").expect("2:token")
      .expectNot("▸ ")
    await browser.pressEach("<Esc>").expectRow("▸ 1:", " 2 keys")
  }

  @Test func `A branch disappears with its last key`() async throws {
    let browser = try await browser()
    await browser.pressEach("T<Enter>jj<Enter>jdy").expect("deleted session:2:token")
      .expectNot("2: ").expectRow("▾ session:", " 2 keys")
  }

  @Test func `Stores without a separator say so`() async throws {
    try await browser("numbers").pressEach("T").expect(Messages.unsortedKeys)
    try await browser("flat").pressEach("T").expect("no common separator")
    let browser = try await browser("flat")
    await browser.pressEach(":tree n<Enter>").expectRow("▸ on", " 1 key").expect("  two")
  }

  @Test func `Other separators can be chosen`() async throws {
    let browser = try await browser()
    await browser.pressEach(":tree s<Enter>").expectRow("▸ s", " 3 keys")
  }

  @Test func `Another separator can be chosen on a branch`() async throws {
    let browser = try await browser()
    await browser.pressEach("T<Enter>:tree e<Enter>").expectRow("▸ se", " 3 keys")
    await browser.pressEach(":tree :<Enter>").expectRow("▸ session:", " 3 keys")
  }

  @Test func `Counts are correct after undo, redo and rename`() async throws {
    let browser = try await browser()
    await browser.pressEach("TG<Enter>jjdy").expectRow("▾ user:", " 1 key")
    await browser.pressEach("u").expectRow("▾ user:", " 2 keys")
    await browser.pressEach("<Ctrl-R>").expectRow("▾ user:", " 1 key")
    await browser.pressEach("u<Ctrl-G>user:7<Enter>r<Ctrl-U>zz<Enter>").expectRow(
      "▾ user:", " 1 key")
    await browser.pressEach("u").expectRow("▾ user:", " 2 keys")
  }

  @Test func `Undoing the addition that made a branch removes it`() async throws {
    let browser = try await browser()
    await browser.pressEach("Tanew:x<Enter>v<Ctrl-S>").expectRow("▾ new:", " 1 key")
    await browser.pressEach("u").expectNot("▾ new:").expectNot("▸ new:")
  }

  @Test func reloadingCountsTheSelectedBranchAgain() async throws {
    let browser = try await browser()
    await browser.pressEach("T").expectRow("▸ session:", " 3 keys")
    try await folder.database("DELETE FROM sessions WHERE key = 'session:1:name'")
    await browser.pressEach("<F5>").expectRow("▸ session:", " 2 keys").expect("2 keys in this")
    try await folder.database("DELETE FROM sessions WHERE key LIKE 'session:%'")
    await browser.pressEach("<Enter>j<F5>").expectNot("session:")
  }

  @Test func `Entries removed by other programs leave the tree`() async throws {
    let browser = try await browser()
    await browser.pressEach("TGw")
    await turnWhile { !browser.clock.hasSleeper }
    try await folder.database("DELETE FROM sessions WHERE key LIKE 'session:%'")
    // The first event may arrive before the change is visible; the next poll is a second later.
    await turnWhile {
      guard browser.state.message?.text.contains("3 removed") != true else { return false }
      if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
      return true
    }
    await browser.settle().expectNot("session:").expectRow("▸ user:", " 2 keys")
  }

  @Test func `In a scope, a prefix search covers the rest of the key`() async throws {
    let browser = try await browser()
    await browser.pressEach(":open-here session:<Enter>/^2<Enter>").expect("2:token")
      .expectNot("1:token")
  }

  @Test func theSelectedKeyStaysSelectedInAScope() async throws {
    let browser = try await browser()
    await browser.pressEach("jO").expect("in session:").expect(selected: .text("session:1:token"))
  }

  @Test(arguments: [(20, 6), (40, 10), (80, 24), (200, 60)])
  func screens(_ width: Int, _ height: Int) async throws {
    let browser = try await browser(size: Size(width: width, height: height))
    try await browser.pressEach("T<Enter>j<Enter>jj").expect(snapshot: "tree-\(width)x\(height)")
  }

  @Test func aClickOpensABranchAndClosesIt() async throws {
    let browser = try await browser()
    await browser.pressEach("T").expectRow("▸ session:", " 3 keys")
    let row = try #require(browser.screen.rows.firstIndex { $0.contains("▸ user:") })
    await browser.mouse(.press(.left), x: 30, y: row).settle().expectRow("▾ user:", " 2 keys")
      .expect(selected: .branch("user:"))
    // Two presses at the same time are a double click.
    browser.clock.advance(by: .seconds(1))
    await browser.mouse(.press(.left), x: 30, y: row).settle().expectRow("▸ user:", " 2 keys")
    // A click below the last row does nothing.
    await browser.mouse(.press(.left), x: 30, y: 20).settle().expectRow("▸ user:", " 2 keys")
  }

  @Test func `A found key stays selected when the filter is cleared`() async throws {
    let browser = try await browser("numbers")
    try await folder.database(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
        + "INSERT INTO numbers SELECT i, i FROM n")
    await browser.pressEach("<F5>/99<Enter>jjj").expect(selected: .integer(399))
    await browser.pressEach("<Esc>").expect(selected: .integer(399)).expect("400")
  }
}
