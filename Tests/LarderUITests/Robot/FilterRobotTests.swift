import Harmony
import LarderModel
@testable import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Saved filters and the history of filters, driven through the terminal.
@Suite @MainActor struct FilterRobotTests {
  private let folder: TestFolder
  private let kept = InMemoryDataSource<SavedFilter>()

  init() async throws {
    folder = try await .sample()
  }

  private func browser() async throws -> Robot {
    let drafts = DraftStorage(
      session: "1", source: AnyDataSource(InMemoryDataSource<Draft>()), isRunning: { _ in true })
    return try await Robot(
      ["app.db#settings"], stores: .sqlite(folder), drafts: drafts,
      filters: FilterStorage(AnyDataSource(kept))
    ).settle()
  }

  private func typed(_ browser: Robot) -> String? {
    if case .prompt(let prompt)? = browser.state.overlay { prompt.buffer.text } else { nil }
  }

  @Test func `A saved filter is offered in the next run, until it is removed`() async throws {
    let first = try await browser()
    await first.pressEach(":save-filter none<Enter><Esc>")
    #expect(first.state.keys?.savedFilters.isEmpty == true, "there is no filter to save")
    await first.pressEach("/bo<Enter>:save-filter the bobs<Enter>")
    #expect(first.state.keys?.savedFilters.map(\.name) == ["the bobs"])
    let next = try await browser()
    await next.pressEach("/<Tab>")
    #expect(typed(next) == "bo" && next.state.keys?.filterText == "bo")
    await next.pressEach("<Ctrl-U>BOBS<Tab><Enter>").expect(selected: .text("bob"))
    #expect(next.state.keys?.filterText == "bo")
    await next.pressEach(":forget-filter the bobs<Enter>")
    #expect(next.state.keys?.savedFilters.isEmpty == true)
    let left = try? await kept.getAll(AllObjectsQuery()).get()
    #expect(left?.isEmpty != false)
  }

  @Test func `A filter that probably means something else says so, also when nothing matches`()
    async throws
  {
    let browser = try await Robot(["app.db#people"], stores: .sqlite(folder)).settle()
    await browser.pressEach("/naem:bob").expect("did you mean name?")
    await browser.pressEach("<Enter>").expect("there is no column naem; did you mean name?")
    await browser.pressEach("<Esc>/<Ctrl-U>born>March").expect("“March” is compared as text")
    await browser.pressEach("<Ctrl-U>born>3").expectNot("compared as text")
  }

  @Test func `Each store has its own history of filters`() async throws {
    let browser = try await browser()
    await browser.pressEach("/bob<Enter>:open app.db#numbers<Enter>/<Up>")
    #expect(typed(browser) != "bob")
    await browser.pressEach("<Esc>[/<Ctrl-U><Up>")
    #expect(typed(browser) == "bob")
  }
}
