import LarderBrowser
import LarderModel
import LarderUI
import TerminalUI
import Testing

/// Jumping to a key, and back to the previous place.
@Suite @MainActor struct HistoryRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  private func browser(_ table: String) async throws -> Robot {
    try await Robot(["app.db#\(table)"], stores: .sqlite(folder)).settle()
  }

  @Test func `Goto selects a key by name, and going back returns`() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("jj<Ctrl-G>key:4321<Enter>").expect(selected: .text("key:4321"))
    await browser.pressEach("[").expect(selected: .text("key:0002"))
    await browser.pressEach("]").expect(selected: .text("key:4321"))
    await browser.pressEach("]").expect("there is nothing to go forward to")
    await browser.pressEach("[[").expect("there is nothing to go back to")
  }

  @Test func `For a missing key the nearest is named and the selection stays`() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("jj<Ctrl-G>key:0100x<Enter>").expect(selected: .text("key:0002"))
      .expect("key:0100?")
    await browser.pressEach(":go zzz<Enter>").expect("there is no “zzz”")
      .expect(selected: .text("key:0002"))
  }

  @Test func aKeyOfAFilteredListIsFoundInTheWholeStore() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("/0042<Enter><Ctrl-G>key:3000<Enter>")
      .expect(selected: .text("key:3000"))
    await browser.pressEach("[").expect("/0042").expect(selected: .text("key:0042"))
  }

  @Test func `In a tree the key's parent branches are expanded`() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("T<Ctrl-G>key:0777<Enter>").expect(selected: .text("key:0777"))
      .expect("    0777")
  }

  @Test func `Going back leaves a scope`() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("jjO").expect("in key:")
    await browser.pressEach("<Ctrl-G>0050<Enter>").expect(selected: .text("key:0050"))
    await browser.pressEach("[[").expectNot("in key:").expect(selected: .text("key:0002"))
  }

  @Test func goingBackReachesOtherStores() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("jjj<Tab><Tab>j").expect("app.db#people")
    await browser.pressEach("[").expect("app.db#numbers").expect(selected: .text("key:0003"))
    #expect(browser.state.focus == .keys)
    await browser.pressEach("]").expect("app.db#people")
  }

  @Test func `Returning to a store restores its state`() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("T<Enter>jj").expect(selected: .text("key:0001"))
    await browser.pressEach("<Tab><Tab>j").expect("app.db#people")
    await browser.pressEach("k").expect("app.db#numbers").expect(selected: .text("key:0001"))
      .expect("▾ key:")
  }

  @Test func `Going back returns from the end of the list`() async throws {
    let browser = try await browser("numbers")
    await browser.pressEach("jjjjG").expect(selected: .text("key:4999"))
    await browser.pressEach("[").expect(selected: .text("key:0004"))
  }
}
