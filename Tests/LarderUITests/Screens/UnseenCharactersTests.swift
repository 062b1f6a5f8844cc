import LarderBrowser
import Foundation
import LarderUI
import TerminalUI
import Testing

/// Keys that differ only in characters that terminals do not draw, or draw alike.
@Suite @MainActor struct UnseenCharactersTests {
  private static let keys = [
    "❤", "❤\u{FE0F}", "❤\u{FE0E}", "👍", "👍🏻", "👍🏽", "👍🏿", "👨\u{200D}👩\u{200D}👧", "👨👩👧", "é",
    "e\u{301}", "1\u{20E3}", "1\u{FE0F}\u{20E3}", "葛", "葛\u{E0100}", "ab", "a\u{200D}b",
    "a\u{200C}b", "a\u{AD}b", "a b", "a\u{A0}b", "ab ", "🏳\u{FE0F}\u{200D}🌈", "🏳🌈", "␛", "\u{1B}",
    "q\u{301}\u{302}\u{301}\u{301}\u{301}", "q\u{301}\u{302}\u{301}\u{301}\u{301}\u{301}",
    "K", "\u{212A}",
  ]

  @Test func keysThatDifferAreDrawnDifferently() async throws {
    let folder = try TestFolder()
    let rows = Self.keys.map { "(CAST(x'\(hex($0.utf8))' AS TEXT), 1)" }
    try await folder.database(
      "CREATE TABLE k (key TEXT PRIMARY KEY, value); INSERT INTO k VALUES "
        + rows.joined(separator: ", "))
    let browser = try await Robot(
      ["app.db#k"], stores: .sqlite(folder), size: Size(width: 100, height: 40)
    ).settle()
    let layout = BrowserLayout(browser.state, size: browser.terminal.size)
    let pane = try #require(layout.panes[.keys])
    // Compares scalars, as Swift treats canonically equivalent strings as equal.
    let drawn = (1...Self.keys.count).map { y in
      (pane.x..<pane.maxX).flatMap { x in
        browser.screen[Point(x: x, y: y)]?.text.unicodeScalars.map(\.value) ?? []
      }
    }
    #expect(drawn.allSatisfy { $0.contains { $0 != 0x20 } })
    #expect(Set(drawn).count == Self.keys.count, "\(browser.report)")
    #expect(browser.screen.rows.allSatisfy { TextWidth.of($0) == 100 })
  }

  @Test func `A question names the right key`() async throws {
    let folder = try TestFolder()
    try await folder.database(
      "CREATE TABLE k (key TEXT PRIMARY KEY, value); INSERT INTO k VALUES ('👍🏽', 1), ('👍', 2)")
    let browser = try await Robot(["app.db#k"], stores: .sqlite(folder)).settle()
    await browser.pressEach("jd").expect(#"Delete "👍\ud83c\udffd" from"#)
  }

  @Test func `A comparison shows the difference in both values`() async throws {
    let folder = try TestFolder()
    let rows = Self.keys.enumerated().map {
      "(\($0.offset), CAST(x'\(hex($0.element.utf8))' AS TEXT))"
    }
    try await folder.database(
      "CREATE TABLE k (key INTEGER PRIMARY KEY, value); INSERT INTO k VALUES "
        + rows.joined(separator: ", "))
    let browser = try await Robot(
      ["app.db#k"], stores: .sqlite(folder), size: Size(width: 100, height: 12)
    ).settle()
    for (place, key) in Self.keys.enumerated().dropLast() where Self.looksLike(key, place) {
      await browser.pressEach("<Ctrl-G>\(place)<Enter>:compare \(place + 1)<Enter>").settle()
      let row = try #require(browser.screen.rows.first { $0.contains("~ ") }, "\(browser.report)")
      let cells = row.components(separatedBy: "~ ").dropFirst().map {
        Array($0.prefix { $0 != "│" && $0 != " " }.unicodeScalars)
      }
      #expect(Set(cells).count == 2, "\(place): \(browser.report)")
      await browser.pressEach("<Esc>")
    }
  }

  /// Whether a key may be confused with the next one in the list.
  private static func looksLike(_ key: String, _ place: Int) -> Bool {
    // Trailing blanks are marked by reversed colors, not by other text.
    ![key, keys[place + 1]].contains { $0.hasSuffix(" ") }
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
