import LarderFormats
import LarderBrowser
import LarderModel
import Foundation
import HarmonyTesting
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Reading the inside of a value: trees, searches and bytes.
@Suite @MainActor struct ReadingRobotTests {
  private static let stored = """
    CREATE TABLE kinds (key TEXT PRIMARY KEY, value);
    INSERT INTO kinds VALUES
      ('tree', '{"users":[{"name":"Ada","born":1815,"seen":1700000000},{"name":"Grace"}],"\\u001b[2J":"a\u{202E}b"}'),
      ('hex', x'00ff00f1536500000000c3f5484019999a3f1b5b324a07'),
      ('hostile', '\u{1B}[2J\u{1B}[H' || char(9) || 'x' || char(10, 13, 7) || '\u{9B}31m \u{202E}li\u{1F468}\u{200D}\u{1F469}'),
      ('image', x'89504e470d0a1a0a0000000d4948445200000003000000020806000001ea73568c0000000b49444154789c6360c00500001a0001bc3ce0410000000049454e44ae426082'),
      ('gzip', x'1f8b0800000000000203ab568a293530304c8a36f252b28a06730ccc634a8d0c8c5295740ccd0da020b6160031ac09be29000000'),
      ('list', '<?xml version="1.0"?><plist version="1.0"><dict><key>a</key><array><date>2026-01-01T00:00:00Z</date><data>AAEC</data></array></dict></plist>'),
      ('long', replace(hex(zeroblob(3000)), '0', 'word \u{1B}[31m ')),
      ('malformed', cast(x'ff1b5b0a9bc3' AS TEXT)),
      ('none', NULL), ('number', 1700000000123),
      ('uuid', '550e8400-e29b-41d4-a716-446655441234'),
      ('web', 'see (https://example.org/a_(b)?q=1), and http://example.com/' || replace(hex(zeroblob(60)), '0', 'x') || '.');
    CREATE TABLE rows (id INTEGER PRIMARY KEY, "n\u{1B}[1m" TEXT, seen INTEGER, doc TEXT);
    INSERT INTO rows VALUES (1, '\u{1B}]0;x\u{7}', 1700000000, '{"a":[1,2]}');
    """

  private func browser(
    _ location: String = "app.db#kinds", _ keys: String = "", _ width: Int = 100,
    _ height: Int = 24
  ) async throws -> Robot {
    let folder = try TestFolder()
    try await folder.database(Self.stored)
    let robot = try Robot(
      [location], stores: .sqlite(folder), size: Size(width: width, height: height))
    await robot.settle()
    return await robot.pressEach(keys)
  }

  @Test func `A tree is folded and shows the key path`() async throws {
    let robot = try await browser(
      "app.db#kinds", "/tree<Enter><Enter><Down><Down><Down><Down>", 150)
    try robot.expect("users[0].born").expect("2023-11-14T22:13:20Z").expect(
      snapshot: "value-tree-open")
    await robot.pressEach("hh")
    try robot.expect("{…},  3 members").expect(snapshot: "value-tree-folded")
    await robot.pressEach("--").expect("\"users\": […],  2 elements")
    await robot.pressEach("+*").expect("\"name\": \"Grace\"")
  }

  @Test func `Text in quotation marks is found exactly, in the list and in the value`() async throws
  {
    let robot = try await browser("app.db#kinds", "/tree<Enter><Enter>/\"Ada\"<Enter>")
    #expect(robot.state.value?.path == "users[0].name")
    await robot.pressEach("n")
    #expect(robot.state.value?.path == "users[0].name", "the only match is found again")
    await robot.pressEach("<Esc>/\"ada\"<Enter>").expect("is not in the value")
    await robot.pressEach("<Esc><Esc><Esc>//\"Grace\"<Enter>").expect(selected: .text("tree"))
    await robot.pressEach("<Tab>n")
    #expect(robot.state.value?.path == "users[1].name")
  }

  @Test func `Long lines are cut instead of wrapped, and scroll sideways`() async throws {
    let robot = try await browser("app.db#kinds", "/long<Enter><Enter>")
    let wrapped = robot.state.value?.rowCount ?? 0
    await robot.pressEach("W")
    #expect(try #require(robot.state.value?.rowCount) < wrapped)
    let start = robot.valueText.prefix(8)
    await robot.pressEach("l")
    #expect(robot.valueText.prefix(8) != start)
    await robot.pressEach("h")
    #expect(robot.valueText.prefix(8) == start)
    #expect(robot.state.focus == .value)
    await robot.pressEach("h")
    #expect(robot.state.focus == .keys)
    await robot.pressEach("<Down>")
    await robot.pressEach("<Up>")
    #expect(robot.state.value?.wraps == false, "the choice also applies to other values")
    await robot.pressEach("W")
    #expect(robot.state.value?.rowCount == wrapped)
  }

  @Test(arguments: [76, 78, 80, 90, 100])
  func `A note hides no character of the value`(_ width: Int) async throws {
    let robot = try await browser("app.db#kinds", "/uuid<Enter><Enter>", width)
    let column = try #require(robot.program.layout.panes[.value]).x
    let text = robot.screen.rows.dropFirst().prefix(3).map { row in
      String(row.dropFirst(column).prefix { $0 != "…" }).trimmingCharacters(in: .whitespaces)
    }.joined()
    #expect(text.hasPrefix("550e8400-e29b-41d4-a716-446655441234"), "\(robot.screen)")
  }

  @Test func `URLs are links, also on the rows they wrap to`() async throws {
    let robot = try await browser("app.db#kinds", "/web<Enter><Enter>/example<Enter>", 80)
    let runs = (0..<24).flatMap { robot.screen.links(ofRow: $0) }
    #expect(
      Set(runs.map(\.address)) == [
        "https://example.org/a_(b)?q=1", "http://example.com/" + String(repeating: "x", count: 120),
      ])
    let long = runs.filter { $0.address.hasPrefix("http://example.com") }
    #expect(long.count > 3 && Set(long.map(\.row)).count > 3)
    #expect(long.reduce(0) { $0 + $1.columns.count } == 139)
    // Text drawn over a link is not one.
    await robot.pressEach("<Esc>?")
    #expect((0..<24).allSatisfy { robot.screen.links(ofRow: $0).isEmpty })
  }

  @Test func `URLs in a tree and in a record are links`() async throws {
    let folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE r(id INTEGER PRIMARY KEY, site TEXT, note TEXT);
      INSERT INTO r VALUES (1, 'https://example.org/', '{"u":"http://a.example/x"}');
      CREATE TABLE j(key TEXT PRIMARY KEY, value);
      INSERT INTO j VALUES ('k', '{"u":"http://a.example/x","v":[1]}');
      CREATE TABLE w(key TEXT PRIMARY KEY, value);
      INSERT INTO w VALUES ('k', '{"u":"http://a.example/' || replace(hex(zeroblob(60)), '0', 'x') || '"}');
      """)
    let expected = [
      "r": ["https://example.org/", "http://a.example/x"], "j": ["http://a.example/x"],
    ]
    let wrapped = try await Robot(["app.db#w"], stores: .sqlite(folder)).settle()
    let runs = (0..<24).flatMap { wrapped.screen.links(ofRow: $0) }
    #expect(runs.count > 3)
    #expect(Set(runs.map(\.address)) == ["http://a.example/" + String(repeating: "x", count: 120)])
    for (table, addresses) in expected {
      let robot = try await Robot(
        ["app.db#\(table)"], stores: .sqlite(folder), size: Size(width: 120, height: 24)
      ).settle()
      await robot.pressEach("<Enter>")
      #expect((0..<24).flatMap { robot.screen.links(ofRow: $0).map(\.address) } == addresses)
    }
  }

  @Test func `Search matches are highlighted`() async throws {
    let robot = try await browser("app.db#kinds", "/tree<Enter><Enter>-/Grace<Enter>")
    try robot.expect("users[1].name").expect(snapshot: "search-tree")
    await robot.pressEach("/missing<Enter>").expect("“missing” is not in the value")
    await robot.pressEach("<Esc>")
    #expect(robot.state.value?.search == nil)
    await robot.pressEach("<Esc>/long<Enter><Enter>/31M<Esc>/word<Enter>n")
    #expect(robot.state.value?.search?.text == "word")
  }

  @Test func theSelectedByteIsExplained() async throws {
    let robot = try await browser("app.db#kinds", "/hex<Enter><Enter>", 120, 30)
    await robot.pressEach("<Right><Right>")
    try robot.expect("byte 2 of 23").expect("2023-11-14T22:").expect(snapshot: "hex-inspector")
    await robot.pressEach("<Esc><Esc>j").expectNot("byte 2 of 23")
  }

  @Test func imagesAndCompressedBytesAreExplained() async throws {
    let robot = try await browser("app.db#kinds", "/image<Enter>", 120, 30)
    robot.expect("PNG, 3 × 2 pixels").expect("8 bits per sample, RGB and alpha")
    await robot.pressEach("<Esc>/gzip<Enter>").expect("gzip: ").expect("as json")
      .expect("2023-11-14T22:13:20Z")
    await robot.pressEach("<Esc>/list<Enter>").expect("{\"date\":\"2026-01-01T00:00:00Z\"}")
  }

  @Test func everyFormatIsDrawnAtEverySize() async throws {
    for table in ["kinds", "rows"] {
      let robot = try await browser("app.db#\(table)", "<Enter>")
      for _ in 0..<(table == "kinds" ? 10 : 1) {
        for _ in 0..<(robot.state.value?.formats.count ?? 1) {
          for size in [(1, 1), (2, 2), (5, 3), (19, 7), (44, 12), (100, 24)] {
            await robot.resize(size.0, size.1).settle()
            await robot.pressEach("<PgDn><Down><End>")
            expectHarmless(robot)
          }
          await robot.pressEach("f")
        }
        await robot.pressEach("<Esc><Down><Enter>")
      }
    }
  }

  private static let keys: [String] = [
    "<Up>", "<Down>", "<Down>", "<Left>", "<Right>", "<Right>", "<PgUp>", "<PgDn>", "<Home>",
    "<End>", "<Enter>", "<Enter>", "<Tab>", "<Shift-Tab>", "<Esc>", "g", "G", "h", "j", "k", "l",
    "f", "f", "y", "Y", "K", "<Ctrl-Y>", "n", "N", "-", "+", "=", "*", "/a<Enter>", "/1<Enter>",
    "/word<Enter>", "/é<Enter>", "1", "0", "<Space>", "<F5>", "w", "?", "[", "]",
  ]

  @Test func `Ten thousand keys neither trap nor show a control character`() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let robot = try await browser("app.db#kinds", "<Enter>", 60, 14)
    for count in 0..<10_000 {
      robot.press(Self.keys.randomElement(using: &random) ?? "<Down>")
      if count % 4 == 0 { await robot.settle() }
      if count % 10 == 0 { expectHarmless(robot, "seed \(seed), key \(count)") }
      if count % 97 == 0 {
        robot.resize(.random(in: 1...90, using: &random), .random(in: 1...24, using: &random))
      }
      if robot.state.focus != .value, robot.state.overlay == nil, count % 16 == 0 {
        let steps = Int.random(in: 0...10, using: &random)
        await robot.settle()
        await robot.pressEach("<Esc><Esc><Enter>g" + String(repeating: "<Down>", count: steps))
        await robot.pressEach("<Enter>")
      }
    }
    await robot.settle()
  }

  private func expectHarmless(
    _ robot: Robot, _ place: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isHarmless = robot.screen.rows.allSatisfy { row in
      !row.unicodeScalars.contains { $0.isHostile }
    }
    #expect(isHarmless, "\(place)\n\(robot.report)", sourceLocation: sourceLocation)
  }
}
