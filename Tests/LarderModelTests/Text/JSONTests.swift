import TestSamples
import Foundation
import LarderModel
import Testing

/// Conversion of values to JSON and back.
@Suite struct JSONTests {
  @Test func `Every value survives conversion to JSON and back`() throws {
    var random = SampleGenerator()
    for _ in 0..<1_500 {
      let value = random.value(depth: 3)
      for isIndented in [false, true] {
        let text = JSONText.encode(value, isIndented: isIndented)
        #expect(try JSONParser.parse(text.utf8) == value, "\(text), seed \(random.seed)")
      }
    }
  }

  @Test func `JSON contains no hostile character except its own line feeds`() {
    var random = SampleGenerator()
    for _ in 0..<1_000 {
      let value = random.value(depth: 2)
      let text = JSONText.encode(value)
      #expect(!text.unicodeScalars.contains { $0.isHostile }, "\(text), seed \(random.seed)")
    }
  }

  @Test(
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
      ("-0", .number("-0")), ("-0.0", .real(-0.0)), ("1e3", .number("1e3")),
      ("1E+2", .number("1E+2")),
      ("1.5", .real(1.5)), ("1.50", .number("1.50")), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number("9223372036854775808")),
      ("1e-999", .number("1e-999")), ("1e999", .number("1e999")),
      (#""\u00e9\/\b\f\n\r\t\"\\""#, .text("é/\u{8}\u{C}\n\r\t\"\\")),
      (#""\ud83d\ude00""#, .text("😀")), (#""\uD83D\uDE00x""#, .text("😀x")),
      ("\u{FEFF}[]", .array([])), ("[1 , 2]", .array([.integer(1), .integer(2)])),
      ("{\"a\":1,\"a\":2}", .dictionary([.init("a", .integer(1)), .init("a", .integer(2))])),
      ("{\"base64\":\"AAE=\"}", .data([0, 1])),
      ("{\"base64\":\"?\"}", .dictionary([.init("base64", .text("?"))])),
      ("{\"real\":\"inf\"}", .real(.infinity)),
      ("{\"real\":\"1\"}", .dictionary([.init("real", .text("1"))])),
      ("{\"text\":{\"base64\":\"/w==\"}}", .malformedText([0xFF])),
    ] as [(String, StoredValue)])
  func validJSONIsRead(_ text: String, _ value: StoredValue) throws {
    #expect(try JSONParser.parse(text.utf8) == value)
  }

  @Test(arguments: [
    StoredValue.Field("url", .text("a")), .init("base64", .text("AP8=")),
    .init("dictionary", .dictionary([.init("url", .text("a"))])),
    .init("text", .data([0xFF])), .init("date", .text("2026-01-01T00:00:00Z")),
  ])
  func aDictionaryThatLooksLikeAnotherTypeStaysOneInsideAnother(
    _ field: StoredValue.Field
  ) throws {
    let value = StoredValue.dictionary([.init("outer", .dictionary([field]))])
    for isIndented in [false, true] {
      let text = JSONText.encode(value, isIndented: isIndented)
      #expect(try JSONParser.parse(text.utf8) == value, "\(text)")
    }
  }

  @Test func `Types are read only on request`() throws {
    let text = "{\"url\":\"a\"}"
    #expect(try JSONParser.parse(text.utf8) == .url("a"))
    #expect(
      try JSONParser.parse(text.utf8, readsTypes: false)
        == .dictionary([.init("url", .text("a"))]))
  }

  @Test(
    arguments: [
      ("", 1, 1), ("  ", 1, 3), ("\n\n x", 3, 2), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("[,1]", 1, 2),
      ("[", 1, 2), ("{", 1, 2), ("{\"a\"}", 1, 5), ("{\"a\":}", 1, 6), ("{a:1}", 1, 2),
      ("{\"a\":1,}", 1, 8), ("{\n  \"a\": 01\n}", 2, 10), ("-", 1, 2), ("-x", 1, 2), ("1.", 1, 3),
      ("1e", 1, 3), ("1e+", 1, 4), (".5", 1, 1), ("+1", 1, 1), ("0x1", 1, 2),
      ("nul", 1, 1), ("True", 1, 1), ("truex", 1, 5), ("nan", 1, 1), ("\"abc", 1, 5),
      ("\"a\nb\"", 1, 3), ("\"\\q\"", 1, 4), ("\"\\", 1, 3), ("\"\\u12", 1, 6),
      ("\"\\u12G4\"", 1, 6),
      ("\"\\ud83d\"", 1, 8), ("\"\\ud83dx\"", 1, 8), ("\"\\ud83d\\u0041\"", 1, 14),
      ("\"\\ude00\"", 1, 8), ("[1]]", 1, 4), ("1 1", 1, 3), ("[1}", 1, 3), ("'a'", 1, 1),
      ("[1]//c", 1, 4), ("\"\t\"", 1, 2), ("é", 1, 1),
    ])
  func invalidJSONIsRefusedWithItsPlace(_ text: String, _ line: Int, _ column: Int) {
    let failure = #expect(throws: JSONParser.Failure.self) {
      try JSONParser.parse(text.utf8)
    }
    #expect(failure?.line == line, "\(failure?.description ?? "")")
    #expect(failure?.column == column, "\(failure?.description ?? "")")
    #expect(failure?.description.hasSuffix(" at line \(line), column \(column)") == true)
  }

  @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]])
  func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
    let failure = #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(bytes) }
    #expect(failure?.reason == SyntaxProblem.notUTF8.rawValue)
  }

  @Test func depthIsBounded() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSONParser.parse(nested(512).utf8)
    let failure = #expect(throws: JSONParser.Failure.self) {
      try JSONParser.parse(nested(513).utf8)
    }
    #expect(failure?.reason == "the value is nested too deeply")
    let hostile = String(repeating: "{\"a\":[", count: 200_000)
    #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(hostile.utf8) }
  }

  @Test func `Indentation is two spaces per level`() {
    let value = StoredValue.dictionary([
      .init("a", .array([.integer(1), .array([])])), .init("b", .dictionary([])),
    ])
    #expect(
      JSONText.encode(value, isIndented: true)
        == "{\n  \"a\": [\n    1,\n    []\n  ],\n  \"b\": {}\n}")
    #expect(JSONText.encode(value) == "{\"a\":[1,[]],\"b\":{}}")
  }
}
