import LarderBrowser
import LarderModel
import Foundation
import HarmonyTesting
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Random keys, on stores with hostile content.
@Suite @MainActor struct RandomKeysTests {
  private static let hostile = """
    CREATE TABLE "é" (key TEXT PRIMARY KEY, value);
    CREATE TABLE "e\u{301}" (key TEXT PRIMARY KEY, value);
    CREATE TABLE "a\u{1B}[2Jb" ("c\u{9B}31m" BLOB PRIMARY KEY, "d\u{202E}x" TEXT, "e e" REAL);
    INSERT INTO "é" VALUES ('\u{1B}]0;owned\u{7}', '\u{1B}[2J\u{1B}[H'), ('a\u{202E}b', '\u{9B}31m'),
      (char(0), char(0, 1, 2, 7, 8, 9, 10, 11, 12, 13)), ('', ''), (x'00', x'ff00'),
      (cast(x'ff1b5b' AS TEXT), cast(x'1b5bff9b' AS TEXT)), (1, NULL), (1.5, 1e400),
      ('\u{1F468}\u{200D}\u{1F469}', '{"\u{1B}":"\\u001b","x":[1,2]}'), ('李小龍', 'e\u{301}\u{301}'),
      ('a:\u{1B}[2J:b', 1), ('a:\u{1B}[2J:c\u{202E}', 2), ('a:', 3), ('a::', 4);
    INSERT INTO "a\u{1B}[2Jb" VALUES (x'1b5b', '\u{1B}[31m', 1), (NULL, 'a\u{2028}b', NULL),
      ('\u{FEFF}', '\u{200B}\u{AD}', 3);
    """

  private static let keys: [String] = [
    "<Up>", "<Down>", "<Left>", "<Right>", "<PgUp>", "<PgDn>", "<Home>", "<End>", "<Enter>",
    "<Enter>", "<Esc>", "<Esc>", "<Esc>", "<Tab>", "<Shift-Tab>", "<Backspace>", "<Delete>", "g",
    "G", "h", "j", "k", "l", "e", "a", "d", "y", "n", "m", "t", "f", "c", "R", "X", "/", ":", "?",
    "o", "<Space>", "V", "u", "r", "D", "T", "O", "w", "[", "]", "s", "s", "A", "C", "b", "B", "~",
    "<Ctrl-G>", "<Ctrl-R>", "1", "x",
    "N", "-", "+", "v", "v", "=", "p", "i", "S", "M", "E", "{", "W", "<Ctrl-X>", "<Ctrl-E>",
    "*", "Y", "K", "<Ctrl-Y>",
    "é", "李", "<Ctrl-S>",
    "<Ctrl-T>",
    "<Ctrl-W>",
    "<Ctrl-U>", "<Ctrl-K>",
    "<Ctrl-T>", "{", "}", "}", "<Ctrl-PgUp>", "<Alt-1>", "<Alt-2>", "<Alt-3>",
    "<Alt-Enter>", "<Alt-U>", "<Alt-R>", "<Alt-B>", "<F1>", "<F5>", "<Ctrl-L>",
  ]

  /// The number of keys pressed on each view; `LARDER_RANDOM_KEYS` overrides it.
  private static let keysOfView =
    ProcessInfo.processInfo.environment["LARDER_RANDOM_KEYS"].flatMap { Int($0) } ?? 150
  /// The number of keys after which the view is opened again.
  private static let round = 150

  @Test func nothingTrapsAndNoControlCharacterIsShown() async throws {
    try await pressAnything(5_000) { try await self.browser() }
  }

  @Test(arguments: SampleView.all)
  func nothingTrapsOnAnyView(_ view: SampleView) async throws {
    for start in stride(from: 0, to: Self.keysOfView, by: Self.round) {
      try await pressAnything(min(Self.round, Self.keysOfView - start)) {
        try await view.open(Size(width: 46, height: 12))
      }
    }
  }

  private func pressAnything(
    _ keys: Int, in open: () async throws -> Robot
  ) async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    var browser = try await open()
    for count in 0..<keys {
      let key = Self.keys.randomElement(using: &random) ?? "<Esc>"
      switch Int.random(in: 0..<60, using: &random) {
      case 0:
        browser.resize(.random(in: 1...60, using: &random), .random(in: 1...16, using: &random))
      case 1: browser.paste("\u{1B}[31m\u{7}\r\n\u{202E}")
      case 2:
        browser.mouse(
          .press(Bool.random(using: &random) ? .left : .middle),
          x: .random(in: -1...60, using: &random),
          y: .random(in: -1...16, using: &random))
      default: browser.press(key)
      }
      if count % 2 == 0 { await browser.settle() }
      if count % 5 == 0 {
        let isHarmless = browser.screen.rows.allSatisfy { row in
          !row.unicodeScalars.contains { $0.isHostile }
        }
        #expect(isHarmless, "seed \(seed), key \(count)\n\(browser.report)")
      }
      if browser.state.isFinished {
        await browser.settle()
        browser = try await open()
      }
    }
    await browser.settle()
  }

  private func browser() async throws -> Robot {
    let folder = try TestFolder()
    try await folder.database(Self.hostile)
    return try await Robot(
      ["app.db"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: 46, height: 12)
    ).settle()
  }
}
