import Testing

@testable import TerminalUI

@Suite struct TextCutTests {
  @Test func `Text is cut at the requested side`() {
    #expect(TextCut.truncated("abcdefgh", to: 5) == "abcd…")
    #expect(TextCut.truncated("abcdefgh", to: 5, from: .start) == "…efgh")
    #expect(TextCut.truncated("abcdefgh", to: 6, from: .middle) == "abc…gh")
    #expect(TextCut.truncated("abc", to: 3) == "abc")
    #expect(TextCut.truncated("abc", to: 2, mark: "...") == "ab")
    #expect(TextCut.truncated("abc", to: 0) == "")
    #expect(TextCut.truncated("abc", to: -4) == "")
  }

  @Test func `Characters are never cut`() {
    #expect(TextCut.truncated("日本語", to: 4) == "日…")
    #expect(TextCut.truncated("日本語", to: 4, from: .start) == "…語")
    for width in 0..<20 {
      for side in [TextCut.Side.start, .middle, .end] {
        let text = "日e\u{301}👨‍👩‍👧🇪🇸\u{1b}x語क्षि"
        #expect(TextWidth.of(TextCut.truncated(text, to: width, from: side)) <= width)
      }
    }
  }

  @Test func `Combining marks stay with the last character that fits`() {
    #expect(TextCut.prefix("abe\u{301}f", width: 3) == "abe\u{301}")
    #expect(TextCut.prefix("abe\u{301}", width: 2) == "ab")
    #expect(TextWidth.fits("abe\u{301}", in: 3))
    #expect(!TextWidth.fits("abe\u{301}f", in: 3))
    let pieces = ["a", "Z", " ", "e\u{301}", "日", "\t", "\u{301}", "👍🏽"]
    var generator = SeededGenerator(seed: 77)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      let width = Int.random(in: -1..<9, using: &generator)
      #expect(TextWidth.fits(text, in: width) == (TextWidth.of(text) <= width), "\(text)")
      // The result fits, and one more character would not.
      let head = TextCut.prefix(text, width: width)
      #expect(TextWidth.of(head) <= max(0, width), "\(text)")
      if let next = text[head.endIndex...].first {
        #expect(TextWidth.of(head) + TextWidth.of(next) > width, "\(text)")
      }
    }
  }

  @Test func `Text is padded to the width`() {
    #expect(TextCut.padded("ab", to: 4) == "ab  ")
    #expect(TextCut.padded("ab", to: 4, alignment: .right) == "  ab")
    #expect(TextCut.padded("ab", to: 5, alignment: .center) == " ab  ")
    #expect(TextCut.padded("日本", to: 3) == "日…")
    #expect(TextCut.padded("日本", to: 2) == "… ")
  }

  @Test func longTextIsReadOnlyAsFarAsNeeded() {
    let text = String(repeating: "é", count: 2_000_000)
    for _ in 0..<1000 {
      #expect(TextCut.truncated(text, to: 3) == "éé…")
    }
  }
}
