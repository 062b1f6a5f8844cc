import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// The conflict box on screens of all sizes.
@Suite @MainActor struct ConflictScreenTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
  }

  /// Opens a browser and edits a value that another program changes before it is saved.
  private func refused(
    _ key: String, _ typed: String, theirs: String, _ width: Int, _ height: Int,
    theme: String = "larder-dark"
  ) async throws -> Robot {
    let robot = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: Size(width: width, height: height),
      theme: theme)
    await robot.settle()
    await robot.pressEach("/\(key)<Enter>e\(typed)")
    try await folder.database("UPDATE settings SET value = \(theirs) WHERE key = '\(key)'")
    return await robot.pressEach("<Ctrl-S>")
  }

  @Test(arguments: [(20, 6), (40, 10), (80, 24), (200, 50)])
  func text(_ width: Int, _ height: Int) async throws {
    try await refused("bob", " and cake", theirs: "'likes coffee'", width, height)
      .expect(snapshot: "conflict-text-\(width)x\(height)")
  }

  @Test(arguments: [(20, 6), (80, 24), (200, 50)])
  func lines(_ width: Int, _ height: Int) async throws {
    try await refused(
      "two lines", "<Enter>three", theirs: "'one' || char(10) || '2'", width, height
    ).expect(snapshot: "conflict-lines-\(width)x\(height)")
  }

  @Test func withoutColors() async throws {
    try await refused("bob", " and cake", theirs: "'likes coffee'", 80, 24, theme: "monochrome")
      .expect(snapshot: "conflict-monochrome")
  }

  @Test func aDeletedEntry() async throws {
    let robot = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: Size(width: 20, height: 6))
    await robot.settle()
    await robot.pressEach("/bob<Enter>e!")
    try await folder.database("DELETE FROM settings WHERE key = 'bob'")
    await robot.pressEach("<Enter>").expect("t  (deleted)").expect("t theirs  m mine")
      .expect("e edit")
    await robot.pressEach("t").expect(selected: nil).expect("No key matches")
    #expect(robot.state.overlay == nil)
  }

  @Test func `A long value starts at the difference and scrolls`() async throws {
    let long = (0..<60).map { "line \($0)" }.joined(separator: "\n")
    try await folder.database("UPDATE settings SET value = '\(long)' WHERE key = 'bob'")
    let theirs = long.replacing("line 35", with: "LINE 35")
    let robot = try await refused("bob", "!", theirs: "'\(theirs)'", 80, 24)
    robot.expect("LINE 35").expect("of 60").expectNot("line 3 ")
    await robot.pressEach("<Down><Down>").expectNot("line 34 ")
    await robot.pressEach("<PgUp><PgUp><PgUp><PgUp>").expect("line 0 ").expect("1–")
    robot.mouse(.wheelDown, x: 10, y: 10)
    await robot.settle().expectNot("line 2 ").expect("line 3 ")
    await robot.pressEach("m").expect("saved bob")
  }

  @Test func hostileTextStaysInItsRow() async throws {
    let robot = try await refused("bob", "!", theirs: "char(27) || '[31m' || char(7, 13)", 80, 24)
    robot.expect("␛[31m␇")
    await robot.resize(20, 6).settle().expect("␛")
  }

  @Test func everySizeIsDrawn() async throws {
    let robot = try await refused("two lines", "!", theirs: "'one' || char(10) || '2'", 80, 24)
    for width in 1...60 {
      for height in [1, 2, 3, 4, 5, 7, 9, 11, 15] {
        await robot.resize(width, height).settle()
        #expect(robot.screen.size == Size(width: width, height: height))
      }
    }
    await robot.resize(80, 24).settle().expect("theirs")
  }
}
