import LarderModel
import LarderFormats
import TestSamples
import Testing

/// The formats that can show a value, and their output.
@Suite struct ValueFormatTests {
  private func names(_ value: StoredValue) -> [String] {
    ValueFormat.suitable(for: value).map(\.name)
  }

  private func lines(_ format: String, _ value: StoredValue, _ limit: Int) -> [ValueLine] {
    ValueFormat.all.first { $0.name == format }?.lines(value, limit, 80) ?? []
  }

  @Test(
    arguments: [
      (.null, ["text"]), (.integer(1), ["text"]), (.text("a"), ["text", "hex"]),
      (.text("{\"a\":1}"), ["json", "text", "hex"]), (.text(" [1]"), ["json", "text", "hex"]),
      (.text("{\"a\":"), ["text", "hex"]), (.text("1"), ["text", "hex"]),
      (.data([0, 1]), ["hex", "text"]), (.data(Array("abc".utf8)), ["text", "hex"]),
      (.data(Array("[1]".utf8)), ["json", "text", "hex"]),
      (.malformedText([0xFF]), ["hex", "text"]),
      (.record([]), ["record", "json"]), (.dictionary([]), ["json", "record"]),
      (.array([]), ["json", "record"]),
    ] as [(StoredValue, [String])])
  func theMostSuitableFormatComesFirst(_ value: StoredValue, _ formats: [String]) {
    #expect(names(value) == formats)
  }

  @Test func everyValueHasAFormatAndLines() {
    for value in StoredValue.samples {
      let formats = ValueFormat.suitable(for: value)
      #expect(!formats.isEmpty)
      for format in formats { #expect(format.lines(value, 100, 80).count <= 101) }
    }
  }

  @Test func namesOfFormatsAreUnique() {
    #expect(Set(ValueFormat.all.map(\.name)).count == ValueFormat.all.count)
  }

  @Test func textIsShownLineByLine() {
    let shown = lines("text", .text("a\r\nb\n\nc"), 100).map(\.text)
    #expect(shown == ["a", "b", "", "c"])
    #expect(lines("text", .text(""), 100).map(\.text) == [""])
    #expect(lines("text", .null, 100) == [ValueLine([.init("null", .null)])])
    #expect(lines("text", .real(0.5), 100) == [ValueLine([.init("0.5", .number)])])
  }

  @Test func `Bytes that are not text are shown as digits`() {
    let shown = lines("text", .malformedText([0x61, 0xFF, 0x0A, 0xC3]), 100).map(\.text)
    #expect(shown == ["a\\xff", "\\xc3"])
  }

  @Test func `Text beyond its line limit is cut with a mark`() {
    let text = Array(repeating: "ab", count: 10).joined(separator: "\n")
    let shown = lines("text", .text(text), 4)
    #expect(shown.map(\.text) == ["ab", "ab", "ab", "ab", "… 17 of 29 bytes are not shown"])
    #expect(shown.last?.parts.map(\.role) == [.note])
  }

  @Test(arguments: [1, 2, 1_000])
  func `Text beyond its size limit is cut with a mark`(_ excess: Int) {
    let whole = ValueFormat.maximumText + excess
    let shown = lines("text", .text(String(repeating: "a", count: whole)), 100)
    #expect(shown.count == 2)
    #expect(shown.first?.text.utf8.count == ValueFormat.maximumText)
    #expect(
      shown.last?.text.replacing(",", with: "") == "… \(excess) of \(whole) bytes are not shown")
  }

  @Test func textOfTheMaximumSizeHasNoMark() {
    let text = String(repeating: "a", count: ValueFormat.maximumText)
    #expect(lines("text", .text(text), 100).map(\.text) == [text])
  }

  @Test func aCharacterIsNotCutInHalf() {
    let text = "a" + String(repeating: "é", count: ValueFormat.maximumText)
    let shown = lines("text", .text(text), 100)
    #expect(shown.first?.text.hasSuffix("é") == true)
    let summary = ValueFormat.summary(of: .text("a" + String(repeating: "é", count: 2_000)))
    #expect(!summary.text.contains("\\x"))
    #expect(summary.text.hasSuffix("é… (4,001 bytes)"))
  }

  @Test func `A hex dump has sixteen bytes per line`() {
    let shown = lines("hex", .data(Array("Hello, world!\0\n~x".utf8)), 100).map(\.text)
    #expect(
      shown == [
        "00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 00 0a 7e  Hello, world!··~",
        "00000010  78                                                x",
      ])
    #expect(lines("hex", .data([]), 100).isEmpty)
  }

  @Test(arguments: 1...16)
  func theTextOfAHexDumpIsAlwaysInOneColumn(_ count: Int) {
    let bytes = [UInt8](repeating: 0x41, count: count)
    let line = lines("hex", .data(bytes), 1).first?.text ?? ""
    #expect(line.count == 60 + count)
    #expect(line.hasSuffix("  " + String(repeating: "A", count: count)))
  }

  @Test func `A hex dump beyond its limit is cut with a mark`() {
    let bytes = [UInt8](repeating: 0, count: 1_000)
    for value in [StoredValue.data(bytes), .text(String(repeating: "a", count: 1_000))] {
      let shown = lines("hex", value, 4)
      #expect(shown.count == 5)
      #expect(shown.last?.text == "… 936 of 1,000 bytes are not shown")
    }
  }

  @Test func `A record has one line per column`() {
    let shown = lines(
      "record",
      .record([.init("id", .integer(1)), .init("name", .text("Ada")), .init("x", .null)]), 100)
    #expect(shown.map(\.text) == ["id  1", "name  Ada", "x  null"])
    #expect(shown.map(\.field) == [0, 1, 2])
    #expect(shown[0].parts.map(\.role) == [.name, .plain, .number])
  }

  @Test func `A record beyond its limit is cut with a mark`() {
    let fields = (0..<10).map { StoredValue.Field("f\($0)", .integer(1)) }
    let shown = lines("record", .dictionary(fields), 3)
    #expect(shown.map(\.text) == ["f0  1", "f1  1", "f2  1", "… 7 of 10 fields are not shown"])
    #expect(
      lines("record", .array([.bool(true)]), 3).map(\.text) == ["0  true"])
  }

  @Test func columnsOfMegabytesAreOneShortLine() {
    let text = String(repeating: "x", count: 1 << 20)
    let summary = ValueFormat.summary(of: .text(text)).text
    #expect(summary.utf8.count < 2_200)
    #expect(summary.hasSuffix("… (1,048,576 bytes)"))
    let data = ValueFormat.summary(of: .data([UInt8](repeating: 1, count: 1 << 20))).text
    #expect(data == "1,048,576 bytes  " + String(repeating: "01", count: 32) + "…")
    #expect(ValueFormat.summary(of: .data([1, 2])).text == "2 bytes  0102")
    #expect(ValueFormat.summary(of: .data([1])).text == "1 byte  01")
  }

  @Test func jsonIsIndentedAndCutWithAMark() {
    let value = StoredValue.text("{\"a\":[1,{}],\"b\":\"x\\n\"}")
    #expect(
      lines("json", value, 100).map(\.text) == [
        "{", "  \"a\": [", "    1,", "    {}", "  ],", "  \"b\": \"x\\n\"", "}",
      ])
    #expect(
      lines("json", value, 3).map(\.text) == [
        "{", "  \"a\": [", "    1,", "… the rest is not shown",
      ])
  }

  @Test func `JSON text is shown as stored`() {
    let shown = lines("json", .text("[{\"url\":\"a\"}]"), 100).map(\.text)
    #expect(shown == ["[", "  {", "    \"url\": \"a\"", "  }", "]"])
  }

  @Test func `Megabytes of every type are shown partly`() {
    let bytes = [UInt8](repeating: 0x0A, count: 4 << 20)
    for value in [
      StoredValue.data(bytes), .malformedText(bytes + [0xFF]),
      .text(String(decoding: bytes, as: UTF8.self)),
      .array(Array(repeating: .integer(1), count: 200_000)),
    ] {
      for format in ValueFormat.suitable(for: value) {
        let shown = format.lines(value, 1_000, 80)
        #expect(shown.count <= 1_001)
        #expect(shown.last?.parts.first?.role == .note, "\(format.name)")
      }
    }
  }

  @Test func `Bytes that are text are recognized as text`() {
    #expect(Array("a\tb\r\n\u{1B}[0m".utf8).looksLikeText)
    #expect([UInt8]().looksLikeText)
    #expect(![0x61, 0x00].looksLikeText)
    #expect(![0x61, 0xFF].looksLikeText)
    #expect(![0xC3].looksLikeText)
    #expect(Array(String(repeating: "é", count: 3_000).utf8).looksLikeText)
    #expect(Array(("a" + String(repeating: "é", count: 3_000)).utf8).looksLikeText)
  }
}
