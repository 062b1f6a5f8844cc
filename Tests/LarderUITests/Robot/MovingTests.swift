import LarderBrowser
import LarderModel
import LarderUI
import TerminalUI
import Testing

/// Opening, moving and filtering, driven through the terminal.
@Suite @MainActor struct MovingTests {
  private func browser(
    _ locations: String..., width: Int = 80, height: Int = 24
  ) async throws -> Robot {
    try await Robot(
      locations, stores: .sqlite(try await .sample()), size: Size(width: width, height: height)
    ).settle()
  }

  @Test func `The first screen shows the named store`() async throws {
    let browser = try await browser("app.db#people")
    browser.expect(row: 0, contains: "app.db#people")
      .expect(row: 2, contains: "Ada", isSelected: true)
      .expect("Ada").expect("1 of 4 entries").expect("writable")
  }

  @Test func `Without a collection the first one is shown`() async throws {
    try await browser("app.db").expect(row: 0, contains: "app.db#empty")
  }

  @Test func `The list of stores counts the entries of each table`() async throws {
    let browser = try await browser("app.db#people", width: 120)
    await browser.press("1").settle().expectRow("numbers", "5,000 │").expectRow("people", "4 │")
    await browser.press("2dy").settle().press("1").settle().expectRow("people", "3 │")
  }

  @Test func arrowsMoveTheSelectionAndShowItsValue() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>").settle().expect(selected: .text("bob"))
      .expect(row: 3, contains: "bob", isSelected: true).expect("likes tea")
    await browser.press("k").settle().expect(selected: .text("Double.pi")).expect("3.14159265359")
    await browser.press("k").settle().expect(selected: .text("Double.pi"))
  }

  @Test func `Paging reaches the end and goes back`() async throws {
    let browser = try await browser("app.db#numbers")
    browser.expect("1 of 5,000 entries")
    for _ in 0..<40 { await browser.press("<PgDn>").settle() }
    browser.expect(selected: .text("key:0760")).expect("761 of 5,000 entries")
    await browser.press("G").settle().expect(selected: .text("key:4999"))
      .expect("5,000 of 5,000 entries")
    for _ in 0..<40 { await browser.press("<PgUp>").settle() }
    browser.expect(selected: .text("key:4239")).expect("4,240 of 5,000 entries")
    await browser.press("g").settle().expect(selected: .text("key:0000"))
  }

  @Test func `A number before a command is a count or a position`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("5j").settle().expect(selected: .text("key:0005"))
    await browser.press("10k").settle().expect(selected: .text("key:0000"))
    await browser.press("12G").settle().expect(selected: .text("key:0011")).expect(
      "12 of 5,000 entries")
    await browser.press("4000G").settle().expect(selected: .text("key:3999"))
      .expect("4,000 of 5,000 entries")
    await browser.press("42gg").settle().expect(selected: .text("key:0041"))
    await browser.press("9999G").settle().expect(selected: .text("key:4999"))
    await browser.press("42<Esc>j").settle().expect(selected: .text("key:4999"))
  }

  @Test func `A position refers to the filtered and sorted list`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("/9<Enter>").settle().press("20G").settle()
      .expect(selected: .text("key:0109"))
    await browser.press("<Esc>:sort key down<Enter>").settle().press("4G").settle()
      .expect(selected: .text("key:4996"))
  }

  /// Waits until a digit can no longer begin a count.
  private func pause(_ browser: Robot) async {
    await turnWhile { !browser.clock.hasSleeper }
    browser.clock.advance(by: .seconds(1))
    await turnWhile { browser.state.typedNumber != nil }
  }

  @Test func `A single digit focuses a pane`() async throws {
    let browser = try await browser("app.db#settings", width: 120)
    await browser.press("3").settle()
    #expect(browser.state.focus == .value)
    await pause(browser)
    await browser.press("2").settle()
    await pause(browser)
    await browser.press("j").settle().expect(selected: .text("bob"))
    await browser.press("1").settle()
    #expect(browser.state.focus == .stores)
    await pause(browser)
    await browser.press("2<Esc>g").settle().expect(selected: .text("Double.pi"))
  }

  @Test func `A count can begin with the number of a pane`() async throws {
    let browser = try await browser("app.db#numbers", width: 120)
    await browser.press("12j").settle().expect(selected: .text("key:0012"))
    await browser.press("3k").settle().expect(selected: .text("key:0009"))
    await browser.press("3G").settle().expect(selected: .text("key:0002"))
    #expect(browser.state.focus == .keys)
    await browser.press("3").settle()
    await pause(browser)
    await browser.press("j").settle().expect(selected: .text("key:0002"))
    #expect(browser.state.focus == .value)
    await browser.press("2").settle().press("e").settle()
    #expect(browser.state.overlay != nil, "other commands run in the pane")
  }

  @Test func aPaneTakesTheWholeWidth() async throws {
    let browser = try await browser("app.db#settings", width: 120)
    func panes() -> Set<BrowserState.Focus> {
      Set(BrowserLayout(browser.state, size: Size(width: 120, height: 24)).panes.keys)
    }
    await browser.press("z").settle()
    #expect(panes() == [.keys])
    await browser.press("<Tab>").settle()
    #expect(panes() == [.value])
    await browser.press("z").settle()
    #expect(panes().count > 1)
  }

  @Test func `Half a page is half of the rows`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("<Ctrl-D>").settle().expect(selected: .text("key:0010"))
    await browser.press("<Ctrl-D><Ctrl-U>").settle().expect(selected: .text("key:0010"))
  }

  @Test func `No key is skipped far down and back`() async throws {
    let browser = try await browser("app.db#numbers", height: 60)
    for key in ["<PgDn>", "<PgUp>", "<PgDn>"] {
      for _ in 0..<50 { await browser.press(key).settle() }
      let keys = browser.state.keys?.window.entries.map(\.key) ?? []
      let numbers = keys.compactMap { Int($0.notation(.typed).dropFirst(4)) }
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
    }
  }

  @Test func `The filter applies while it is typed`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("/").settle().expect(row: 23, contains: "/")
    await browser.press("9").settle().expect("key:0009").expect("1 of 200+ entries")
    await browser.press("99").settle().expect(row: 2, contains: "key:0999")
      .expect(row: 6, contains: "key:4999").expectNot("key:0009")
    await browser.press("<Backspace><Enter>").settle().expect("/99").expect("key:0099")
    await browser.press("<Esc>").settle().expect("key:0100").expect("100 of 5,000 entries")
      .expect(selected: .text("key:0099"))
  }

  @Test func `Leaving a filter without matches restores the selection`() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("jjj").settle().expect(selected: .text("key:0003"))
    await browser.press("/nothing<Enter>").settle().expect("No key matches")
    await browser.press("<Esc>").settle().expect(selected: .text("key:0003"))
    await browser.press("/49").settle().press("<Esc>").settle().expect(selected: .text("key:0049"))
  }

  @Test func aRegularExpressionFilters() async throws {
    let browser = try await browser("app.db#numbers")
    await browser.press("//0[12]00$/<Enter>").settle()
      .expect(row: 2, contains: "key:0100").expect(row: 3, contains: "key:0200")
      .expect("1 of 2 entries")
    await browser.press("//(/<Enter>").settle().expect("not a valid regular expression")
  }

  @Test func `Esc in the filter restores the list`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("/bob<Esc>").settle().expect("Double.pi").expect("1 of 7 entries")
  }

  @Test func anotherTableIsOneRowAway() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("<Left><Down>").settle().expect(row: 0, contains: "app.db#settings")
      .expect("Double.pi")
    await browser.press("<Enter><Down>").settle().expect(selected: .text("bob"))
  }

  @Test func `Narrow screens show the focused pane`() async throws {
    let browser = try await browser("app.db#settings", width: 40, height: 10)
    await browser.press("<Down><Down>").settle().expect(row: 4, contains: "json", isSelected: true)
    await browser.press("<Enter>").settle().expect(row: 2, contains: "\"name\": \"Ada\"")
    await browser.press("<Esc>").settle().expect(row: 4, contains: "json", isSelected: true)
    await browser.press("h").settle().expect(row: 1, contains: "app.db")
  }

  @Test func resizingKeepsTheSelectionInView() async throws {
    let browser = try await browser("app.db#numbers")
    for _ in 0..<15 { await browser.press("<Down>").settle() }
    for (width, height) in [(40, 10), (20, 6), (1, 1), (3, 40), (200, 60), (80, 24)] {
      await browser.resize(width, height).settle().expect(selected: .text("key:0015"))
      #expect(browser.screen.size == Size(width: width, height: height))
      if width >= 20 { browser.expect("key:0015") }
    }
  }

  @Test func `A location opened later is shown`() async throws {
    let browser = try await browser("app.db#people")
    await browser.press("oapp.db#settings<Enter>").settle().expect(row: 0, contains: "#settings")
      .expect("Double.pi").press("<Down>").settle().expect(selected: .text("bob"))
  }

  @Test func `A location that cannot be opened does not end the browser`() async throws {
    let browser = try await browser("gone.db", "app.db#settings")
    browser.expect("gone.db").expect("Double.pi")
    await browser.press("ogone.db<Enter>").settle().expect("gone.db does not exist")
    await browser.press("<Down>").settle().expect(selected: .text("bob"))
  }

  @Test func `A missing table is reported`() async throws {
    let browser = try await browser("app.db#nowhere")
    browser.expect("app.db has no “nowhere”").expectNot("app.db#empty")
    await browser.press("<Down><Enter>").settle().expect(row: 0, contains: "app.db#empty")
  }

  @Test func `The value is copied to the terminal's clipboard`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Down>y").settle().expect("copied the value (9 bytes)")
    #expect(browser.terminal.copies == ["likes tea"])
  }

  @Test func `q quits the program and Ctrl-Z suspends it`() async throws {
    let browser = try await browser("app.db#settings")
    await browser.press("<Ctrl-Z>").settle()
    #expect(browser.terminal.suspendCount == 1)
    await browser.press("q").settle()
    #expect(browser.state.isFinished)
  }

  @Test func `The program's run returns when the user quits`() async throws {
    let browser = try await browser("app.db#settings")
    let program = browser.program
    let task = Task { await program.run(opening: []) }
    await Task.yield()
    await browser.settle()
    browser.press("q")
    await task.value
    #expect(!browser.terminal.isRunning)
  }
}
