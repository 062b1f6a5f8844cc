import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Command arguments in the palette, completed with Tab.
@Suite @MainActor struct PaletteArgumentTests {
  private func browser() async throws -> Robot {
    let folder = try await TestFolder.sample()
    return try await Robot(["app.db#settings"], stores: .sqlite(folder)).settle()
  }

  @Test(arguments: [
    (":theme nor<Tab>", ":theme nord"), (":go bo<Tab>", ":go bob"),
    (":sort siz<Tab><Tab>", ":sort size up"), (":copy-as t<Tab>", ":copy-as table"),
    (":go raw<Enter>:format he<Tab>", ":format hex"), (":format <Tab>", ":format text"),
    (":copy-to <Tab>", ":copy-to app.db#empty"), (":copy-to <Tab><Tab>", ":copy-to app.db#numbers"),
    (":sor size<Tab>", ":sor size"), (":compare bo<Tab>", ":compare bob"),
    // Tab also completes the command's name, and changes nothing without a match.
    (":them<Tab>", ":theme"), (":go nothing such<Tab>", ":go nothing such"),
  ])
  func `Tab completes the argument`(_ keys: String, _ line: String) async throws {
    let browser = try await browser()
    await browser.pressEach(keys)
    #expect(browser.screen.row(1).hasPrefix("│ \(line) "), "\(browser.screen)")
  }

  @Test func namesAreListedAboveTheLine() async throws {
    let browser = try await browser()
    await browser.pressEach(":theme solar").expect("solarized-dark").expect("solarized-light")
    await browser.pressEach("<Tab><Tab><Enter>")
    #expect(browser.state.themes.shown == "solarized-light")
  }
}
