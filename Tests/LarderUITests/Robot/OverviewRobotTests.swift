import Foundation
import LarderBrowser
import LarderModel
import LarderOperations
import LarderUI
import TerminalUI
import Testing

/// The overview of a store, driven through the terminal.
@Suite @MainActor struct OverviewRobotTests {
  private let folder: TestFolder

  init() async throws {
    folder = try await .sample()
    try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires INTEGER);
      INSERT INTO cache VALUES ('img:1', zeroblob(5000), 1790000249), ('img:2', zeroblob(90), 1789992800),
        ('user:1:a', 'x', 1790000030), ('user:1:b', 'x', NULL), ('user:2:c', 'xx', 1790090000),
        ('plain', 'y', NULL), (char(27) || '[31m' || char(10) || ':z', 'z', NULL);
      """)
  }

  private func browser(_ location: String = "app.db#cache") async throws -> Robot {
    try await Robot([location], stores: .sqlite(folder)).settle()
  }

  @Test func `The largest prefix is first, and Enter lists it`() async throws {
    let browser = try await browser()
    await browser.press("%").settle()
      .expect(row: 1, contains: "7 entries").expect(row: 3, contains: "img:", isSelected: true)
      .expect("PREFIX").expect("expired ▃ 1").expect("types: ").expect("LARGEST ENTRIES")
    await browser.pressEach("<Down><Enter>")
    #expect(browser.state.keys?.scope == "user:")
    #expect(browser.state.overlay == nil)
    await browser.pressEach("%").expect("user:1:").expectNot("img:")
    await browser.pressEach("<Backspace>").expect("img:").pressEach("<Backspace>")
    #expect(browser.state.overlay == nil)
  }

  @Test func `A prefix is renamed, and expires, from the overview`() async throws {
    let browser = try await browser()
    await browser.pressEach("%<Down>r").settle().pressEach("<Ctrl-U>u:<Enter>").settle()
      .expect("u:1:a").expect("u:2:c").expectNot("user:")
    await browser.pressEach("%<Down>x").settle().pressEach("1h<Enter>").settle()
    #expect(browser.state.overlay == nil)
    let entries = browser.state.keys?.window.entries.filter {
      if case .text(let key) = $0.key { key.hasPrefix("u:") } else { false }
    }
    #expect(entries?.count == 3)
    browser.expectRow("u:1:b", "1h 00m")
  }

  @Test func `The help covers the overview, and closing it shows the overview again`() async throws
  {
    let browser = try await browser()
    await browser.pressEach("%?").expect("In the overview")
    await browser.pressEach("?")
    #expect(browser.state.overview != nil)
    await browser.pressEach("?<Esc>")
    #expect(browser.state.overview != nil)
    await browser.pressEach("q")
    #expect(browser.state.overview == nil)
  }

  @Test func `Control characters in keys do not reach the terminal`() async throws {
    await (try await browser()).press("%").settle().expect(#""\u001b[31m\n:""#)
  }

  @Test func `A click selects a prefix, and a double click opens it`() async throws {
    let browser = try await browser()
    await browser.press("%").settle().mouse(.press(.left), x: 5, y: 4).settle()
      .expect(row: 4, contains: "user:", isSelected: true)
    await browser.mouse(.wheelUp, x: 5, y: 4).settle()
      .expect(row: 4, contains: "user:", isSelected: true)
    await browser.mouse(.press(.left), x: 5, y: 2).settle()
    #expect(browser.state.overview?.cursor.index == 1, "the titles are not a row")
    await browser.mouse(.press(.left), x: 5, y: 3)
      .mouse(.press(.left), x: 5, y: 3).settle()
    #expect(browser.state.keys?.scope == "img:")
  }

  @Test func `A prefix is deleted after its number is typed`() async throws {
    let browser = try await browser()
    await browser.pressEach("%d").expect("Delete 2 entries").pressEach("2<Enter>")
    #expect(try await folder.text("SELECT CAST(count(*) AS TEXT) FROM cache") == "5")
    await browser.pressEach("%").expect("5 entries").expectNot("img:")
  }

  @Test func `A store that changes while it is shown is read again on demand`() async throws {
    let browser = try await browser()
    await browser.press("%").settle().expectNot("changed since")
    try await folder.database("INSERT INTO cache VALUES ('new:1', zeroblob(99999), NULL)")
    await turnWhile { browser.state.overview?.isChanged == false }
    await browser.draw().expect("changed since").press("<F5>").settle().expect("new:")
      .expectNot("changed since")
  }

  @Test func `A store that does not answer can be left`() async throws {
    let source = HeldSource(["a:1": "x", "a:2": "y"])
    let browser = try Robot(["slow"], stores: .held(source))
    await browser.settle()
    source.hold()
    await browser.press("%").draw().expect("reading 0")
    await source.waits(for: 1)
    await browser.press("<Esc>").draw().expect("stopped")
    await source.isCancelled(1)
    source.release()
    await browser.press("<F5>").settle().expect("2 entries").expect("a:")
    await browser.press("<Esc>").settle()
    #expect(browser.state.overlay == nil)
  }

  @Test func `Empty stores and stores without prefixes have an overview`() async throws {
    await (try await browser("app.db#empty")).pressEach("%<Down><Enter>dsl").expect("0 entries")
    await (try await browser("app.db#people")).pressEach("%").expect("(no prefix)")
      .pressEach("<Enter>").expect("no prefix is selected")
  }

  @Test(arguments: [40, 56, 60, 80, 110])
  func `The expiries of the whole store fit on a line of any width`(_ width: Int) {
    var overview = Overview(delimiter: ":", at: Robot.start)
    for number in 0..<2_000 {
      let expires = [nil, -5, 90, 9_000, 900_000].map { $0.map(Robot.start.addingTimeInterval) }
      overview.add(
        Entry(key: .integer(Int64(number)), type: .text, size: 1, expires: expires[number % 5]))
    }
    let line = OverviewText.spans(of: overview.total, width: width)
    #expect(line.contains("never"))
    #expect(line.count <= width || width < 60, "\(line)")
    #expect(line.contains("█") || width < 60)
  }

  @Test(arguments: 0...30)
  func `No line is wider than the table`(_ width: Int) {
    var overview = Overview(delimiter: ":", at: Robot.start)
    for key in ["日本語日本語日本語:1", "a:1", String(repeating: "x", count: 500) + ":1", "p"] {
      overview.add(Entry(key: .text(key), type: .text, size: 1 << 40, expires: Robot.start))
    }
    for width in [width, width * 5] {
      let tables: [OverviewTable] = [
        .prefixes(
          overview.groups(by: .size, limit: 2), of: overview, style: .text, showsExpiry: true,
          width: width),
        .types(of: overview, limit: 3, width: width), .expiry(of: overview, width: width),
        .largest(overview, style: .text, showsExpiry: true, width: width),
      ]
      for line in tables.flatMap({ [$0.header] + $0.lines }) {
        #expect(TextWidth.of(line) <= width, "\(line)")
      }
    }
  }
}
