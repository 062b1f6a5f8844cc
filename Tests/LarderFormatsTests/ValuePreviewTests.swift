import LarderFormats
import LarderModel
import Testing

/// One-line previews of values in a list.
@Suite struct ValuePreviewTests {
  @Test(arguments: [
    (StoredValue.null, "null", "null"), (.bool(true), "bool", "true"),
    (.integer(-7), "int", "-7"), (.text("two\n  lines "), "text", "two lines"),
    (.text(#"{"a": [1]}"#), "json", #"{"a": [1]}"#),
    (.data(Array("true".utf8)), "text", "true"),
    (.data(Array(0..<20)), "bytes", "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13"),
    (.array([.integer(1), .text("x")]), "array", #"[1,"x"]"#),
    (.record([.init("n", .text("Ada")), .init("b", .null)]), "record", "n Ada · b null"),
  ])
  func sayWhatItIsAndHowItBegins(_ value: StoredValue, _ kind: String, _ text: String) {
    let preview = ValuePreview(value)
    #expect(preview.kind == kind && preview.text == text)
  }

  @Test func longTextsAreCut() {
    let text = ValuePreview(.text(String(repeating: "x", count: 60_000))).text
    #expect(text.count == ValuePreview.maximumLength + 1 && text.hasSuffix("…"))
  }

  @Test(arguments: [0, 1, 1_023, 1_024, 102_348, 1_048_576, 1_073_741_824, 99 << 30])
  func shortSizesHaveAtMostSixColumns(_ count: Int) {
    #expect((2...6).contains(ByteCount.short(count).count))
  }
}
