import TestSamples
import LarderModel
import Testing

/// Keys as shown on the screen.
@Suite struct ShownKeyTests {
  @Test(
    arguments: [
      ("❤", "❤"), ("❤\u{FE0F}", "\"❤\\ufe0f\""), ("❤\u{FE0E}", "\"❤\\ufe0e\""),
      ("👍", "👍"), ("👍🏽", "\"👍\\ud83c\\udffd\""), ("🏽", "🏽"),
      ("👨\u{200D}👩", "\"👨\\u200d👩\""), ("👨👩", "👨👩"), ("é", "é"),
      ("e\u{301}", "\"e\\u0301\""), ("\u{212A}", "\"\\u212a\""), ("a\u{200C}b", "\"a\\u200cb\""),
      ("q\u{301}\u{301}\u{301}\u{301}", "q\u{301}\u{301}\u{301}\u{301}"),
      (
        "q\u{301}\u{301}\u{301}\u{301}\u{301}\"",
        "\"q\u{301}\u{301}\u{301}\u{301}\\u0301\\\"\""
      ),
      ("a b", "a b"), ("a\u{A0}b", "\"a\\u00a0b\""), ("a ", "\"a \""), (" a", "\" a\""),
      ("葛", "葛"), ("葛\u{E0100}", "\"葛\\udb40\\udd00\""), ("🇪🇸", "🇪🇸"), ("क्षि", "क्षि"),
      ("שלום", "שלום"), ("\u{1B}", "\"\\u001b\""),
    ])
  func aTextIsQuotedForWhatNobodyWouldSee(_ text: String, _ shown: String) {
    let key = EntryKey.text(text)
    #expect(key.shown(.text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    #expect(key.shown(.typed).unicodeScalars.elementsEqual(shown.unicodeScalars))
    let part = EntryKey.composite([key, .integer(1)]).shown(.typed)
    #expect(part.unicodeScalars.elementsEqual("(\(shown),1)".unicodeScalars))
  }

  @Test func `Every key is parsed from its display form`() {
    var random = SampleGenerator()
    let odd = ["\u{FE0F}", "\u{200D}", "👍🏽", "\u{301}", "\u{A0}", "", " ", "\u{2066}"]
    for _ in 0..<3_000 {
      let text =
        (odd.randomElement(using: &random) ?? "") + random.text()
        + (odd.randomElement(using: &random) ?? "")
      let keys: [EntryKey] = [.text(text), .composite([.text(text), .integer(1), .text("a")])]
      for key in keys {
        let shown = key.shown(.typed)
        #expect(
          EntryKey(notation: shown, style: .typed).cacheKey == key.cacheKey,
          "\(shown), seed \(random.seed)")
      }
      let shown = EntryKey.text(text).shown(.text)
      #expect(
        EntryKey(notation: shown, style: .text).cacheKey == EntryKey.text(text).cacheKey,
        "\(shown), seed \(random.seed)")
    }
  }
}
