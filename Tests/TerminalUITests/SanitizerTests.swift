import Testing

@testable import TerminalUI

@Suite struct SanitizerTests {
  @Test(arguments: [
    ("plain", "plain"), ("\u{1b}[31m", "␛[31m"), ("a\tb\nc\r\nd\0", "a␉b␊c␍␊d␀"),
    ("\u{7f}", "␡"), ("\u{9b}31m", "\\u{9b}31m"), ("a\u{202e}b", "a\\u{202e}b"),
    ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{200e}\u{200f}", "\\u{200e}\\u{200f}"),
    ("\u{61c}", "\\u{61c}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
    ("\u{301}a", "\\u{301}a"), ("\u{feff}a", "\\u{feff}a"), ("a\u{200b}b", "a\\u{200b}b"),
    ("日本é", "日本é"), ("\u{e000}", "\u{e000}"), ("👨‍👩‍👧", "👨‍👩‍👧"), ("\u{fffe}", "\\u{fffe}"),
    ("👍\u{e0041}", "👍\\u{e0041}"),
  ])
  func spellsOutWhatHarms(text: String, shown: String) {
    #expect(Sanitizer.display(text) == shown)
    #expect(Sanitizer.isHarmless(text) == (text == shown))
    #expect(Sanitizer.display(shown) == shown)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\\xffb"), ([0xC3, 0xA9], "é"), ([0xC3], "\\xc3"),
      ([0xE2, 0x82, 0x41], "\\xe2\\x82A"), ([0xC0, 0x80], "\\xc0\\x80"),
      ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"), ([0xF0, 0x9F, 0x91, 0x8D], "👍"),
      ([0xF5, 0x0A], "\\xf5␊"), ([0x80, 0xC3, 0xC3, 0xA9], "\\x80\\xc3é"), ([], ""),
    ] as [([UInt8], String)])
  func decodesBytesWithoutLoss(bytes: [UInt8], shown: String) {
    #expect(Sanitizer.display(bytes: bytes) == shown)
  }

  @Test func randomBytesAreHarmlessAndOfKnownWidth() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let shown = Sanitizer.display(bytes: bytes)
      #expect(Sanitizer.isHarmless(shown))
      #expect(
        !shown.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    }
  }

  @Test func `No text on a screen can control the terminal`() {
    var screen = Screen(size: Size(width: 60, height: 1))
    screen.put("\u{1b}]0;x\u{7}\u{9d}\u{202e}\u{85}", at: .origin)
    let scalars = screen.row(0).unicodeScalars
    #expect(!scalars.contains { $0.properties.generalCategory == .control })
    #expect(!scalars.contains { $0.properties.generalCategory == .format })
  }
}
