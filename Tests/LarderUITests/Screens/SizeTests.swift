import LarderBrowser
import LarderModel
import LarderUI
import TerminalUI
import Testing

/// Every view at every small size.
@Suite @MainActor struct SizeTests {
  @Test(
    arguments: [
      ("settings", ""), ("people", "<Enter>"), ("settings", "/js<Enter><Enter>"),
      ("settings", "/raw<Enter><Enter>"), ("settings", "/raw<Enter><Enter><End>"),
      ("settings", "/js<Enter><Enter>-/math<Enter>"), ("settings", "/js"), ("settings", "c<Enter>"),
      ("people", "<Enter>e12345678901234567890"), ("settings", "/two<Enter>e"),
      ("settings", "d"), ("settings", "?"), ("settings", ":"), ("settings", ":re<Tab>"),
      ("empty", ""), ("settings", "v"), ("settings", "<Space><Space>v"),
      ("people", "<Space><Space>v=nn"), ("settings", "<Esc>"), ("settings", "abob"),
      ("settings", "<Ctrl-T>"), ("settings", "<Ctrl-T><Ctrl-T><Space>{<Esc>c"),
      ("people", "<Ctrl-T><Enter>e12345678901234567890"), ("settings", "<Ctrl-T>d"),
      ("settings", "<Down>r<Ctrl-U>json"), ("numbers", "D<Ctrl-U>key:0<Enter>1<Enter>"),
    ])
  func noSizeTraps(_ table: String, _ keys: String) async throws {
    let browser = try Robot(["app.db#\(table)"], stores: .sqlite(try await .sample()))
    await browser.settle()
    await browser.pressEach(keys)
    expectAllSizes(of: browser)
  }

  @Test func `No size traps in a conflict`() async throws {
    let folder = try await TestFolder.sample()
    let browser = try Robot(["app.db#settings"], stores: .sqlite(folder))
    await browser.settle()
    await browser.pressEach("<Down>e!")
    try await folder.database("UPDATE settings SET value = 'coffee' WHERE key = 'bob'")
    await browser.pressEach("<Enter>")
    guard case .conflict = browser.state.overlay else {
      Issue.record("there is no conflict")
      return
    }
    expectAllSizes(of: browser)
  }

  private func expectAllSizes(of browser: Robot) {
    let state = browser.state
    for width in 0...30 {
      for height in 0...12 {
        let size = Size(width: width, height: height)
        let layout = BrowserLayout(state, size: size)
        let rows = ValueRows(state.value, width: layout.valueWidth)
        let screen = BrowserView(
          state: state, layout: layout, rows: rows, theme: browser.program.theme
        ).render(size)
        #expect(screen.size == size)
        if let cursor = screen.cursor, width > 0, height > 0 {
          #expect(screen.bounds.contains(cursor), "\(size)")
        }
        for pane in layout.panes.values {
          #expect(pane.maxX <= width && pane.maxY <= height, "\(size)")
        }
      }
    }
  }

  @Test func `Resizing through all sizes returns to the same screen`() async throws {
    let browser = try Robot(["app.db#settings"], stores: .sqlite(try await .sample()))
    await browser.settle()
    await browser.press("<Down><Down><Enter>").settle()
    let before = browser.screen
    for width in 1...30 { await browser.resize(width, max(1, width / 3)).settle() }
    await browser.resize(80, 24).settle()
    #expect(browser.screen == before)
  }
}
