import Foundation
import LarderBrowser
import LarderJournal
import Harmony
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// The change history of a store, driven through the terminal.
@Suite @MainActor struct StepHistoryRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(
    _ location: String = "app.db#settings", isReadOnly: Bool = false, size: Size? = nil
  ) async throws -> Robot {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot(
      [location], stores: .sqlite(folder, journal: journal),
      size: size ?? Size(width: 100, height: 30), isReadOnly: isReadOnly
    ).settle()
  }

  private func value(of key: String) async throws -> String? {
    try await folder.text("SELECT value FROM settings WHERE key = '\(key)'")
  }

  private func outlook(_ browser: Robot) -> UndoOutlook? {
    guard let model = browser.state.visibleHistory, let number = model.selected?.step.number else {
      return nil
    }
    return model.outlooks[number]
  }

  @Test func `The newest change is first, with its entries below`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down>e and cake<Enter>").press("acarol<Enter>hi<Enter>").settle()
      .press("H").settle().expect(row: 1, contains: "1 of 2 changes")
      .expect(row: 3, contains: "wrote carol", isSelected: true)
      .expect(row: 4, contains: "wrote bob")
      .expect("hi").expect("can be undone")
    await browser.press("<Down>").settle().expect("likes tea and cake")
    #expect(browser.state.visibleHistory?.selected?.step.number == 1)
    await browser.press("<Esc>").settle()
    #expect(browser.state.overlay == nil)
  }

  @Test func `The changes that undo and redo take next are named`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down>e and cake<Enter>").press("acarol<Enter>hi<Enter>").settle()
      .press("H").settle().expect(row: 3, contains: "next: u")
    await browser.press("<Esc>uH").settle().expect(row: 3, contains: "next: Ctrl-R")
      .expect(row: 4, contains: "next: u")
  }

  @Test func `An older change is undone and redone in place`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down>e and cake<Enter>").press("acarol<Enter>hi<Enter>").settle()
      .press("H<Down>u").settle()
    #expect(try await value(of: "bob") == "likes tea")
    #expect(browser.state.visibleHistory?.selected?.step.isUndone == true)
    #expect(outlook(browser) == .possible)
    await browser.expect("undone, can be redone").press("<Ctrl-R>").settle()
    #expect(try await value(of: "bob") == "likes tea and cake")
    #expect(browser.state.visibleHistory?.selected?.step.isUndone == false)
    #expect(try await value(of: "carol") == "hi")
  }

  @Test func `A conflicting change says so, and asks before it overwrites`()
    async throws
  {
    let browser = try await browser()
    await browser.pressEach("<Down>e and cake<Enter>")
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.press("H").settle().expect("conflict: bob changed since")
    #expect(outlook(browser) == .changed(.text("bob")))
    await browser.press("u").settle().expect("Changed by another program").press("t").settle()
      .expect("History").expect("nothing was undone")
    #expect(try await value(of: "bob") == "coffee")
    await browser.press("u").settle().press("m").settle()
    #expect(try await value(of: "bob") == "likes tea")
    // The undo is itself a change and is listed.
    #expect(browser.state.visibleHistory?.rowCount == 2)
    await browser.press("<Esc>").settle()
    #expect(browser.state.overlay == nil)
  }

  /// Writes a value as another larder with the same journal does.
  private func putByAnotherLarder(_ key: String, _ value: String) async throws {
    let journal = Journal(path: folder.path + "/state/journal.db")
    let open = try await Stores.open(StoreLocation(path: folder.path + "/app.db"), journal: journal)
    let entry = Entry(key: .text(key), value: .text(value))
    try await open.store("settings").source.put(entry, in: EntryQuery(entry.key)).get()
  }

  @Test func `A later change by larder itself is told apart from one by another program`()
    async throws
  {
    let browser = try await browser()
    await browser.pressEach("<Down>e and cake<Enter>").pressEach("e!<Enter>").press("H<Down>")
      .settle()
    #expect(outlook(browser) == .changed(.text("bob"), later: 2))
    await browser.press("u").settle()
    guard case .conflict(let conflict) = browser.state.overlay else {
      Issue.record("no conflict is shown")
      return
    }
    #expect(conflict.author == 2)
    await browser.expect("Changed by larder (change 2)").expectNot("another program")
      .press("t").settle().expect("bob was changed by larder (change 2) since then")
      .expectNot("another program")
    // Also for an edit, over the change of another larder.
    await browser.press("<Esc>").settle().pressEach("e?")
    try await putByAnotherLarder("bob", "theirs")
    await browser.press("<Enter>").settle()
    guard case .conflict(let conflict) = browser.state.overlay else {
      Issue.record("no conflict is shown")
      return
    }
    #expect(conflict.author == 3)
  }

  @Test func `Changes by another larder are told apart while watching`() async throws {
    let browser = try await browser()
    await browser.press("w").settle()
    await turnWhile { !browser.clock.hasSleeper }
    for isLarder in [true, false] {
      let before = browser.state.keys?.watch
      if isLarder {
        try await putByAnotherLarder("bob", "theirs")
      } else {
        try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
      }
      await turnWhile {
        guard browser.state.keys?.watch == before else { return false }
        if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
        return true
      }
      await turnWhile { !browser.clock.hasSleeper }
      await browser.settle()
      #expect(browser.state.message?.text.contains("another larder") == isLarder)
    }
  }

  @Test func `A value too large to read is not taken for a deletion by another larder`()
    async throws
  {
    let files = folder.path + "/files"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    for name in ["big", "small"] {
      try Data(name.utf8).write(to: URL(filePath: files + "/" + name))
    }
    let journal = Journal(path: folder.path + "/state/journal.db")
    let open = try await Stores.open(StoreLocation(path: files), journal: journal)
    try await open.store(nil).source.delete(EntryQuery(.text("big"))).get()
    let browser = try await Robot([files], stores: .live(folder, journal: journal)).settle()
    await browser.press("w").settle()
    await turnWhile { !browser.clock.hasSleeper }
    let before = browser.state.keys?.watch
    try Data(count: 17 << 20).write(to: URL(filePath: files + "/big"), options: .atomic)
    await turnWhile {
      guard browser.state.keys?.watch == before else { return false }
      if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
      return true
    }
    await turnWhile { !browser.clock.hasSleeper }
    await browser.settle()
    #expect(browser.state.message?.text.contains("1 added by other programs") == true)
    #expect(browser.state.message?.text.contains("another larder") == false)
  }

  @Test func `Enter compares the entries before and after the change, and Esc goes back`()
    async throws
  {
    let browser = try await browser()
    await browser.pressEach("<Down><Space><Space>dy").press("H<Enter>").settle()
      .expect("before change 1").expect("- bob").expect("- json")
    guard case .comparison = browser.state.overlay else {
      Issue.record("no comparison is shown")
      return
    }
    await browser.press("<Esc>").settle().expect("History")
    #expect(browser.state.visibleHistory?.selected?.step.count == 2)
  }

  @Test func `A rename shows both keys`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Down>r2<Enter>").press("H<Enter>").settle().expect("bob2")
  }

  @Test func `A store without changes has a history, and one without a journal has none`()
    async throws
  {
    await (try await browser()).press("H").settle().expect("no changes of this store")
      .pressEach("<Down>G<Enter>u").expect("no change is selected")
    let readOnly = try await browser(isReadOnly: true)
    await readOnly.press("H").settle().expect("a read-only session opens no journal")
    #expect(readOnly.state.overlay == nil)
  }

  @Test(arguments: [(140, 40), (80, 24), (40, 10), (20, 6), (5, 2)])
  func `The history is drawn at every size`(_ width: Int, _ height: Int) async throws {
    let browser = try await browser(size: Size(width: 100, height: 30))
    await browser.pressEach("<Down>e and cake<Enter>").press("H").settle()
    await browser.resize(width, height).settle().press("<Down>k<PgDn>").settle()
    guard width >= 20 else { return }
    browser.expect("1")
    #expect(browser.state.visibleHistory?.selected?.step.number == 1)
  }
}
