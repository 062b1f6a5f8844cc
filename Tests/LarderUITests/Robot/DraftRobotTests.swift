import LarderModel
import Foundation
import Harmony
import HarmonyTesting
import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Drafts of unsaved text that survive the end of the program.
@Suite @MainActor struct DraftRobotTests {
  private let folder: TestFolder
  private let drafts = InMemoryDataSource<Draft>()

  init() async throws {
    folder = try await .sample()
  }

  /// Opens a browser for a session; all earlier sessions have ended.
  private func browser(
    _ session: String, _ location: String = "app.db#settings", isReadOnly: Bool = false
  ) async throws -> Robot {
    let keeper = DraftStorage(
      session: session, source: AnyDataSource(drafts), isRunning: { $0 == session })
    return try await Robot(
      [location], stores: .sqlite(folder), isReadOnly: isReadOnly, drafts: keeper
    ).settle()
  }

  /// Ends a run by closing its terminal while an autosave is pending.
  private func hangUp(_ browser: Robot) async {
    let program = browser.program
    let ended = Task { await program.run(opening: []) }
    await Task.yield()
    browser.terminal.send(.closed(.hangUp))
    await ended.value
  }

  private func texts() async throws -> [String] {
    try await drafts.getAll(AllObjectsQuery()).get().map(\.text).sorted()
  }

  /// Lets one autosave interval pass, which stores the draft unless typing went on during it.
  private func passMoment(_ browser: Robot) async {
    await turnWhile { !browser.clock.hasSleeper }
    browser.clock.advance(by: BrowserState.autosaveInterval)
    await turnWhile { browser.state.drafts.isWaiting && !browser.clock.hasSleeper }
    await browser.settle()
  }

  /// Lets autosave intervals pass until no draft is pending.
  private func pass(_ browser: Robot) async {
    while browser.state.drafts.isWaiting { await passMoment(browser) }
  }

  @Test func `A pause of a tenth of a second is enough for an autosave`() async throws {
    #expect(BrowserState.autosaveInterval <= .milliseconds(100))
    let browser = try await browser("1")
    await browser.press("<Down>e!").settle()
    await passMoment(browser)
    #expect(try await texts() == ["likes tea!"])
  }

  @Test func `Continuous typing is autosaved, but not for each letter`()
    async throws
  {
    let browser = try await browser("1")
    await browser.press("<Down>e").settle()
    for number in 1..<BrowserState.maximumAutosaveDelays {
      await browser.press("x").settle()
      // Input before the timer starts does not postpone the autosave.
      if number == 1 { await browser.press("x").settle() }
      await passMoment(browser)
      #expect(try await texts() == [])
    }
    await browser.press("x").settle()
    await passMoment(browser)
    #expect(
      try await texts()
        == ["likes tea" + String(repeating: "x", count: BrowserState.maximumAutosaveDelays + 1)])
  }

  @Test func `A draft is stored shortly after typing and deleted once written`() async throws {
    let browser = try await browser("1")
    await browser.press("<Down>e and cake").settle()
    #expect(try await texts() == [])
    await pass(browser)
    #expect(try await texts() == ["likes tea and cake"])
    await browser.press(" and milk").settle()
    await pass(browser)
    #expect(try await texts() == ["likes tea and cake and milk"])
    await browser.press("<Enter>").settle().expect("saved bob")
    #expect(try await texts() == [])
  }

  @Test func `Discarding an edit with Esc deletes its draft`() async throws {
    let browser = try await browser("1")
    await browser.press("<Down>e!").settle()
    await pass(browser)
    #expect(try await texts() == ["likes tea!"])
    await browser.press("<Esc><Esc>").settle().expect("discarded your changes to bob")
    #expect(try await texts() == [])
  }

  @Test func `An undone edit has no draft, and later typing has one`() async throws {
    let browser = try await browser("1")
    await browser.press("<Down>e!").settle()
    await pass(browser)
    await browser.press("<Backspace>").settle()
    await pass(browser)
    #expect(try await texts() == [])
    await browser.press("?").settle()
    await pass(browser)
    #expect(try await texts() == ["likes tea?"])
  }

  @Test func `After a hang-up the next run restores a new member`() async throws {
    let first = try await browser("1")
    await first.pressEach("<Down><Down><Enter><Down>aborn<Enter>1815")
    await hangUp(first)
    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().expect("New json · born (text)").expect("1815")
    await second.press("<Enter>").settle().expect("saved born of json")
    let saved = try await folder.text("SELECT value FROM settings WHERE key = 'json'")
    #expect(saved?.contains(#""born":"1815""#) == true, "\(saved ?? "")")
  }

  @Test func `After a hang-up the next run restores the text to the last letter`()
    async throws
  {
    let first = try await browser("1")
    await first.press("<Down>e and cake").settle()
    await hangUp(first)
    #expect(try await texts() == ["likes tea and cake"])

    let second = try await browser("2")
    second.expectNot("Edit bob").expect("unsaved text for bob").expect("Ctrl-E restores it")
    await second.press("<Ctrl-E>").settle().expect("Edit bob (text)").expect("likes tea and cake")
      .expect("Esc twice discards it")
    #expect(second.state.message?.text.contains("Enter saves it") == true)
    #expect(try await texts() == ["likes tea and cake"], "it is kept in the name of this run")
    await second.press("!<Enter>").settle().expect("saved bob")
    #expect(try await texts() == [])
    let third = try await browser("3")
    await third.press("<Down>").settle().expect("likes tea and cake!").expectNot("Edit bob")
  }

  @Test func `The draft of a new entry is restored`() async throws {
    let first = try await browser("1")
    await first.press("a").press("new key<Enter>some text").settle()
    await hangUp(first)
    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().expect("some text").press("<Ctrl-S>").settle().expect(
      "saved new key"
    )
    .expect(selected: .text("new key"))
  }

  @Test func `The draft of a key is restored`() async throws {
    let first = try await browser("1")
    await first.press("a").press("new k").settle()
    await pass(first)
    #expect(try await texts() == ["new k"])
    let second = try await browser("2")
    second.expect("unsaved text for a new key")
    await second.press("<Ctrl-E>").settle().expect("new key: new k").press("ey<Enter>").settle()
    await pass(second)
    #expect(try await texts() == [""], "the key is kept until the value is written")
    let third = try await browser("3")
    await third.expect("unsaved text for new key").press("<Ctrl-E>value<Enter>").settle()
      .expect(selected: .text("new key"))
    #expect(try await texts() == [])
  }

  @Test func `A key typed in a branch is restored whole`() async throws {
    let first = try await browser("1")
    await first.press(":open-here Double.<Enter>").settle().press("atau").settle()
    await hangUp(first)
    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().expect("new key: Double.tau")
  }

  @Test(arguments: [("r", "rename: ", "renamed"), (":duplicate<Enter>", "copy to key: ", "copied")])
  func `The draft of a rename is restored`(
    _ call: String, _ label: String, _ verb: String
  ) async throws {
    let first = try await browser("1")
    await first.press("<Down>").settle().press("\(call)by").settle()
    await hangUp(first)
    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().expect("\(label)bobby")
    await second.press("<Enter>").settle().expect("\(verb) bob to bobby")
      .expect(selected: .text("bobby"))
    #expect(try await texts() == [])
  }

  @Test func `The draft of a member's name is restored`() async throws {
    let first = try await browser("1")
    await first.pressEach("<Down><Down><Enter><Down>abor")
    await hangUp(first)
    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().expect("new member: bor").press("n<Enter>1815<Enter>")
      .settle().expect("saved born of json")
    #expect(try await texts() == [])
  }

  @Test(arguments: [
    ("ab", "<Esc>"), ("ab", "<Enter><Esc>"), ("ab", "<Ctrl-U>"), ("<Down>rby", "<Esc>"),
  ])
  func `A discarded name has no draft`(_ typed: String, _ left: String) async throws {
    let browser = try await browser("1")
    await browser.press(typed).settle()
    await pass(browser)
    #expect(try await texts().count == 1)
    await browser.press(left).settle()
    await pass(browser)
    #expect(try await texts() == [])
  }

  @Test func `A restored draft does not overwrite changes by another program`() async throws {
    let first = try await browser("1")
    await first.press("<Down>emine").settle()
    await hangUp(first)
    let other = try await Robot(["app.db#settings"], stores: .sqlite(folder)).settle()
    await other.press("<Down>e theirs<Enter>").settle().expect("saved bob")

    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().press("<Ctrl-S>").settle().expect("likes tea theirs")
      .expect("likes teamine")
    await hangUp(second)
    #expect(try await texts() == ["likes teamine"], "what is compared is not written either")
  }

  @Test func `The latest of several drafts is offered, and recover shows the next`() async throws {
    let first = try await browser("1")
    await first.press("eone").settle()
    await hangUp(first)
    let place = try #require(try await drafts.getAll(AllObjectsQuery()).get().first)
    var earlier = place
    earlier.id = "0.1"
    earlier.text = "before that"
    earlier.date -= 60
    try await drafts.put(earlier, forId: earlier.id).get()

    let second = try await browser("2")
    await second.press("<Ctrl-E>").settle().expect("one").expect("(1 more)")
    await second.press("<Esc><Esc>").settle()
    await second.press(":recover<Enter>").settle().expect("before that")
    await second.press("<Esc><Esc>").settle()
    await second.press(":recover<Enter>").settle().expect("there is no draft")
    #expect(try await texts() == [])
  }

  @Test func `No draft is offered in a read-only store`() async throws {
    let first = try await browser("1")
    await first.press("<Down>e!").settle()
    await hangUp(first)
    let second = try await browser("2", isReadOnly: true)
    await second.press("<Ctrl-E>").settle().expectNot("Edit bob")
    #expect(try await texts() == ["likes tea!"])
  }

  @Test func `A draft is not offered in another table of the same file`() async throws {
    let first = try await browser("1")
    await first.press("<Down>e!").settle()
    await hangUp(first)
    let second = try await browser("2", "app.db#people")
    await second.press("<Ctrl-E>").settle().expectNot("Edit bob")
    #expect(try await texts() == ["likes tea!"])
  }

  @Test func `Drafts of other tables are reported once, with the table names`() async throws {
    for (table, keys) in [("settings", "<Down>e!"), ("people", "<Enter>e!"), ("people", "je!")] {
      let run = try await browser("1", "app.db#\(table)")
      await run.press(keys).settle()
      await hangUp(run)
    }
    let next = try await browser("2", "app.db#numbers")
    next.expect("unsaved text in").expect("people").expect("settings")
      .expect("Ctrl-E there restores it")
    await next.press("<Ctrl-E>").settle().expect("there is no draft")
    await next.pressEach(":open app.db#people<Enter>").expect("unsaved text for")
      .expectNot("unsaved text in")
    await next.press("<Ctrl-E>").settle().expect("Edit ")
  }

  @Test func `Restoring a draft selects its entry`() async throws {
    let first = try await browser("1", "app.db#numbers")
    await first.pressEach("<Ctrl-G>key:4321<Enter>")
    await first.press("e5").settle()
    await hangUp(first)
    let second = try await browser("2", "app.db#numbers")
    await second.pressEach("/77<Enter>").press("<Ctrl-E>").settle().expect("Edit key:4321")
      .expect("Esc twice discards it")
    await second.press("<Enter>").settle().expect("saved key:4321")
      .expect(selected: .text("key:4321")).expect("302475")
  }

  @Test func `The number of pending drafts is reported`() async throws {
    let first = try await browser("1")
    await first.press("eone").settle()
    await hangUp(first)
    let kept = try #require(try await drafts.getAll(AllObjectsQuery()).get().first)
    for number in 1...2 {
      var earlier = kept
      earlier.id = "0.\(number)"
      earlier.date -= 60
      try await drafts.put(earlier, forId: earlier.id).get()
    }
    let second = try await browser("2")
    second.expect("and 2 more").expect("restores the latest")
    // Another tab of the store offers none of them twice.
    await second.press("<Ctrl-E>").settle().expect("(2 more)")
    await second.pressEach("<Esc><Esc><Ctrl-T>").press("<Ctrl-E>").settle().expect("(1 more)")
    await second.pressEach("<Esc><Esc>{").press("<Ctrl-E>").settle().expectNot(" more)")
    await second.pressEach("<Esc><Esc>")
    #expect(try await texts() == [])
  }

  @Test func `A failed autosave is reported and retried`() async throws {
    let failing = FailingDataSource(drafts, failing: 0)
    let keeper = DraftStorage(
      session: "1", source: AnyDataSource(failing), isRunning: { $0 == "1" })
    let browser = try await Robot(
      ["app.db#settings"], stores: .sqlite(folder), drafts: keeper
    ).settle()
    failing.fail(1)
    await browser.press("<Down>e!").settle()
    await pass(browser)
    browser.expect("drafts cannot be saved").expect("likes tea!")
    #expect(try await texts() == [])
    await hangUp(browser)
    #expect(try await texts() == ["likes tea!"])
    #expect(browser.state.drafts.problem == nil)
  }
}
