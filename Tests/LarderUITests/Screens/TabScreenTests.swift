import LarderUI
import TerminalUI
import Testing

/// Snapshots of the line of tabs.
@Suite @MainActor struct TabScreenTests {
  private func browser(
    _ width: Int, _ height: Int, theme: String = "larder-dark"
  ) async throws -> Robot {
    let robot = try Robot(
      ["app.db#settings"], stores: .sqlite(try await .sample()),
      size: Size(width: width, height: height), theme: theme)
    await robot.settle()
    return await robot.pressEach("<Space>:new-tab app.db#people<Enter><Ctrl-T>{<Down>")
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 6), (1, 1), (200, 60)])
  func tabs(_ width: Int, _ height: Int) async throws {
    try await browser(width, height).expect(snapshot: "tabs-\(width)x\(height)")
  }

  @Test(arguments: ["larder-light", "monochrome", "default"])
  func themes(_ theme: String) async throws {
    try await browser(80, 12, theme: theme).expect(snapshot: "tabs-\(theme)")
  }

  @Test func `The shown tab differs from the others in every theme`() throws {
    let loader = ThemeLoader()
    for name in loader.available() {
      let theme = try loader.load(name).theme
      #expect(theme[.listRowSelected] != theme[.textDim], "\(name)")
      #expect(theme[.listRowSelected] != theme[.text], "\(name)")
    }
  }

  @Test(arguments: ["d", "e", ":", "?"])
  func `Overlays leave the tab line visible`(keys: String) async throws {
    let robot = try await browser(80, 24)
    await robot.pressEach(keys)
    robot.expect(row: 0, contains: " 1 app.db#settings • ")
    for width in 20..<60 {
      for height in 8..<16 { await robot.resize(width, height).settle() }
    }
  }
}
