import LarderUI
import TerminalUI
import Testing

/// Snapshots of each view.
@Suite @MainActor struct ScreenTests {
  /// Opens a browser on a table of the sample and presses some keys.
  private func browser(
    _ location: String = "app.db#settings", _ keys: String = "", _ width: Int = 80,
    _ height: Int = 24, isReadOnly: Bool = false, theme: String = "larder-dark"
  ) async throws -> Robot {
    let robot = try Robot(
      [location], stores: .sqlite(try await .sample()), size: Size(width: width, height: height),
      isReadOnly: isReadOnly, theme: theme)
    await robot.settle()
    return await robot.pressEach(keys)
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 6), (1, 1), (200, 60)])
  func panes(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", "<Down>", width, height)
      .expect(snapshot: "panes-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func record(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#people", "<Down><Down><Down><Enter><Down>", width, height)
      .expect(snapshot: "record-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func json(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", "<Down><Down><Enter>", width, height)
      .expect(snapshot: "json-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func hex(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", "/raw<Enter><Enter>", width, height)
      .expect(snapshot: "hex-\(width)x\(height)")
  }

  @Test func wrappedText() async throws {
    try await browser("app.db#settings", "/long<Enter><Enter>").expect(snapshot: "wrapped-text")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func filter(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#numbers", "/42", width, height)
      .expect(snapshot: "filter-\(width)x\(height)")
  }

  @Test(arguments: [(120, 24), (80, 24), (40, 10)])
  func cache(_ width: Int, _ height: Int) async throws {
    let robot = try await browser("app.db#settings", "c<Enter><Esc><Down>", width, height)
    await robot.wait(.seconds(30))
    await robot.pressEach("<Enter><Esc>")
    await robot.wait(.seconds(65)).pressEach("<Down>")
    try robot.expect(snapshot: "cache-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func editor(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#people", "<Enter><Down>ex", width, height)
      .expect(snapshot: "editor-\(width)x\(height)")
  }

  @Test func editorOfLines() async throws {
    try await browser("app.db#settings", "/two<Enter>e<Up>x").expect(snapshot: "editor-lines")
  }

  @Test func `The help at five rows scrolls three lines at a time`() async throws {
    let browser = try await browser("app.db#settings", "?", 20, 5)
    browser.expect("Finding and").expect("/")
    await browser.pressEach("G").expect("Leave without")
  }

  @Test func `A question at five rows names the entry to delete`() async throws {
    try await browser("app.db#settings", "<Down>d", 20, 5).expect("Delete bob?").expect("y delete")
  }

  @Test func `The entry to delete is named when part of it is selected`() async throws {
    try await browser("app.db#settings", "<Down><Down><Enter><Down>d", 80, 24)
      .expect("Delete name of json from").expectNot("This deletes the whole entry")
    try await browser("app.db#people", "<Enter><Down>d", 80, 24)
      .expect("Delete 1 (Ada) from").expect("not only born.")
    try await browser("app.db#settings", "<Down><Down><Enter><Down>a", 80, 24)
      .expect("a new member of json")
    try await browser("app.db#people", ":format json<Enter><Enter><Down>a", 80, 24)
      .expect("New row of app.db#people")
    try await browser("app.db#settings", "<Down><Down>d", 80, 24).expectNot("not only")
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 6)])
  func confirm(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", "<Down>d", width, height)
      .expect(snapshot: "confirm-\(width)x\(height)")
  }

  @Test func `A question on the smallest screen shows that a long key is cut`()
    async throws
  {
    let folder = try await TestFolder.sample()
    try await folder.database(
      "INSERT INTO settings VALUES ('\(String(repeating: "a", count: 90))z', 1)")
    let robot = try Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: Size(width: 20, height: 6))
    await robot.settle()
    await robot.pressEach("/aaa<Enter>d").expect("Delete aaa…aaz?")
  }

  @Test(arguments: ["h", "", "<Enter>"])
  func `The focused pane is marked in every theme, also without colors`(
    keys: String
  ) async throws {
    let title = ["h": "Stores", "": "app.db#settings", "<Enter>": "Double.pi"][keys] ?? "?"
    for theme in ["larder-dark", "monochrome", "default"] {
      let robot = try await browser("app.db#settings", keys, theme: theme)
      let row = robot.screen.row(0)
      #expect(row.contains("▸\(title)"), "\(row)")
      #expect(row.count { $0 == "▸" } == 1, "\(row)")
    }
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func conflict(_ width: Int, _ height: Int) async throws {
    let folder = try await TestFolder.sample()
    let robot = try Robot(
      ["app.db#people"], stores: .sqlite(folder), size: Size(width: width, height: height))
    await robot.settle()
    await robot.pressEach("<Enter>e!")
    try await folder.database("UPDATE people SET born = 1816 WHERE id = 1")
    try await robot.pressEach("<Enter>").expect(snapshot: "conflict-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func help(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", "?", width, height)
      .expect(snapshot: "help-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 6), (1, 1)])
  func messages(_ width: Int, _ height: Int) async throws {
    let script = ":fly<Enter><Esc>:fly<Enter><Esc>e<Enter>zM"
    try await browser("app.db#settings", script, width, height)
      .expect(snapshot: "messages-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 6)])
  func offers(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", "<Ctrl-G>Do<Tab>", width, height)
      .expect(snapshot: "offers-\(width)x\(height)")
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func palette(_ width: Int, _ height: Int) async throws {
    try await browser("app.db#settings", ":re<Tab>", width, height)
      .expect(snapshot: "palette-\(width)x\(height)")
  }

  @Test func emptyStore() async throws {
    try await browser("app.db#empty").expect(snapshot: "empty-store")
  }

  @Test func emptyStoreReadOnly() async throws {
    try await browser("app.db#empty", isReadOnly: true).expect(snapshot: "empty-store-read-only")
  }

  @Test func `Nothing found`() async throws {
    try await browser("app.db#settings", "/zzz<Enter>").expect(snapshot: "nothing-found")
    try await browser("app.db#settings", "/zzz").expect("No key matches “zzz”")
  }

  @Test(arguments: [(80, 24), (40, 10), (1, 1)])
  func failedStore(_ width: Int, _ height: Int) async throws {
    try await browser("gone.db", "", width, height)
      .expect(snapshot: "failed-store-\(width)x\(height)")
  }

  @Test func nothingOpen() async throws {
    let robot = try Robot([], stores: .sqlite(try await .sample()))
    try await robot.settle().expect(snapshot: "nothing-open")
  }

  @Test func `The stores have the focus`() async throws {
    try await browser("app.db#settings", "h").expect(snapshot: "stores-focused")
  }

  @Test(arguments: ["larder-dark", "larder-light", "monochrome", "default"])
  func themes(_ theme: String) async throws {
    try await browser("app.db#people", "<Down>", theme: theme).expect(snapshot: "theme-\(theme)")
  }
}
