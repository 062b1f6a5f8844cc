import LarderBrowser
import LarderModel
import LarderUI
import TerminalUI
import Testing

/// The columns of the list, driven through the terminal.
@Suite @MainActor struct ListTableRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE t(key TEXT PRIMARY KEY NOT NULL, value);
      INSERT INTO t VALUES('a:one', 'first'), ('b:two', 12345), ('c:three', zeroblob(200000)),
        ('d:four', x'000102030405060708090a0b0c0d0e0f10ff'), ('e:five', 'two' || char(10) || '  lines'),
        ('settings.window.main.frame.left', 1), ('settings.window.main.frame.right', 2),
        ('z:hostile', char(27) || '[31m李小龍' || char(8238));
      """)
  }

  private func browser(_ width: Int = 100, _ height: Int = 14) async throws -> Robot {
    try await Robot(
      ["app.db"], stores: .sqlite(folder), size: Size(width: width, height: height)
    ).settle()
  }

  /// Returns the screen column at which the name of a list column starts.
  private func column(_ name: String, _ browser: Robot) throws -> Int {
    let names = browser.screen.row(1)
    return TextWidth.of(names[..<(try #require(names.firstRange(of: name)).lowerBound)])
  }

  @Test func `Rows show type, size and the start of the value`() async throws {
    let browser = try await browser(120)
    browser.expectRow("KEY▴", "TYPE", "SIZE", "VALUE").expectRow("a:one", "text", " 5 B  first")
      .expectRow("b:two", "int", " 8 B  12345").expectRow("d:four", "bytes", " 18 B  00 01 02")
      .expectRow("e:five", "text", " 11 B  two lines")
      .expectRow("c:three", "bytes", " 195K")
    // Large values are not read for a preview.
    #expect(browser.state.keys?.rows[.text("c:three")]?.preview == nil)
    await browser.resize(220, 14).settle().expectRow("d:four", "0d 0e 0f 10 ff ")
    await browser.resize(120, 14).settle()
    // Names are above their columns, and numbers are right-aligned.
    let size = try column("SIZE", browser) + 3
    for y in 2..<7 {
      let letter = browser.screen[Point(x: size, y: y)]?.text ?? ""
      #expect(letter == "B" || letter == "K", "row \\(y)\\n\\(browser.report)")
      #expect(browser.screen[Point(x: size + 1, y: y)]?.text == " ")
    }
  }

  @Test func `Control and wide characters keep the columns aligned`() async throws {
    let browser = try await browser()
    browser.expectRow("z:hostile", "␛[31m李")
    for row in browser.screen.rows {
      #expect(row.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
  }

  @Test func longKeysAreCutInTheMiddle() async throws {
    let browser = try await browser(50)
    let rows = browser.screen.rows.filter { $0.contains("settin") }
    #expect(rows.count == 2 && rows.allSatisfy { $0.contains("…") }, "\\(browser.report)")
    #expect(rows.first?.contains("left ") == true && rows.last?.contains("ight ") == true)
  }

  @Test func `A click on a column name sorts, and a second reverses`() async throws {
    let browser = try await browser()
    let x = try column("SIZE", browser)
    await browser.mouse(.press(.left), x: x, y: 1).settle().expectRow("▾SIZE")
      .expect(selected: .text("c:three"))
    #expect(browser.state.keys?.order == EntryOrder(.size, isDescending: true))
    browser.clock.advance(by: .seconds(1))
    await browser.mouse(.press(.left), x: x, y: 1).settle().expectRow("▴SIZE")
    #expect(browser.state.keys?.order == EntryOrder(.size))
    browser.clock.advance(by: .seconds(1))
    await browser.mouse(.press(.left), x: 3, y: 1).settle().expectRow("KEY▴")
      .expect(selected: .text("a:one"))
    browser.clock.advance(by: .seconds(1))
    let value = try column("VALUE", browser)
    await browser.mouse(.press(.left), x: value, y: 1).settle()
    #expect(browser.state.keys?.order == .key, "values are not an order")
  }

  @Test func `The row of a written entry is read again`() async throws {
    let browser = try await browser()
    await browser.press("e and second<Enter>").settle().expect("saved a:one")
      .expectRow("a:one", " 16 B", "first an")
    await browser.press("x").settle()
    try await folder.database("UPDATE t SET value = 'other' WHERE key = 'b:two'")
    await browser.press("<F5>").settle().expectRow("b:two", "text", " 5 B", "other")
  }
}
