import Foundation
import LarderModel
import TestSamples
import Testing

@testable import LarderFormats

/// Values as editable text.
@Suite struct ValueTextTests {
  @Test func `Every value survives conversion to text and back`() throws {
    for value in StoredValue.samples {
      if case .real(let number) = value, number.isNaN { continue }
      let text = ValueText.text(of: value)
      let read = try ValueText.value(of: text, type: value.type, original: value)
      #expect(read == value, "\(text)")
    }
  }

  @Test func `Bytes that are text are edited as text`() throws {
    let bytes = StoredValue.data(Array("a\tb\r\n".utf8))
    #expect(ValueText.text(of: bytes) == "a\tb\r\n")
    #expect(try ValueText.value(of: "c", type: .data, original: bytes) == .data([0x63]))
    #expect(
      try ValueText.value(of: "cc", type: .data, original: bytes, isHex: true) == .data([0xCC]))
    #expect(try ValueText.value(of: "cc", type: .data, original: .data([0xFF])) == .data([0xCC]))
  }

  @Test(
    arguments: [
      ("", .null, .null), (" null ", .null, .null), ("YES", .bool, .bool(true)),
      ("0", .bool, .bool(false)), (" -7\n", .integer, .integer(-7)), ("+7", .integer, .integer(7)),
      ("9223372036854775807", .integer, .integer(.max)),
      ("-9223372036854775808", .integer, .integer(.min)), (" 1e3 ", .real, .real(1000)),
      ("9007199254740993.0", .real, .real(9_007_199_254_740_992)), ("-007", .real, .real(-7)),
      ("9007199254740992", .real, .real(9_007_199_254_740_992)), ("00", .real, .real(0)),
      ("inf", .real, .real(.infinity)), ("-0e5", .real, .real(-0.0)), (" a ", .text, .text(" a ")),
      ("0A ff\n00", .data, .data([0x0A, 0xFF, 0])), ("0aff00", .data, .data([0x0A, 0xFF, 0])),
      ("", .data, .data([])), (" http://a ", .url, .url("http://a")),
      ("[1]", .array, .array([.integer(1)])), ("{}", .dictionary, .dictionary([])),
      ("{\"a\":null}", .record, .record([.init("a", .null)])),
    ] as [(String, StoredType, StoredValue)])
  func aTextIsAValueOfItsType(_ text: String, _ type: StoredType, _ value: StoredValue) throws {
    #expect(try ValueText.value(of: text, type: type) == value)
  }

  @Test(
    arguments: [
      ("x", .null, .nullText), ("maybe", .bool, .notBool), ("1.5", .integer, .notInteger),
      ("", .integer, .notInteger), ("٣", .integer, .notInteger),
      ("9223372036854775808", .integer, .integerRange), ("one", .real, .notNumber),
      (
        "9007199254740993", .real,
        .inexactReal("9007199254740993", nearest: "9007199254740992")
      ),
      (
        "-36893488147419103233", .real,
        .inexactReal("-36893488147419103233", nearest: "-36893488147419103232")
      ),
      ("1e400", .real, .realRange), ("-1e-400", .real, .realRange),
      ("0g", .data, .notHexadecimal("g")), ("0a f", .data, .halfByte), ("today", .date, .notDate),
      ("1-2-3", .uuid, .notUUID), ("{}", .array, .notArray), ("[]", .dictionary, .notObject),
      ("1", .record, .notObject),
      ("[1", .array, .init(SyntaxProblem.missingComma.text(line: 1, column: 3))),
    ] as [(String, StoredType, ValueText.Failure)])
  func aTextThatIsNoValueIsRefusedWithAReason(
    _ text: String, _ type: StoredType, _ expected: ValueText.Failure
  ) {
    let failure = #expect(throws: ValueText.Failure.self) {
      try ValueText.value(of: text, type: type)
    }
    #expect(failure == expected)
  }

  @Test(
    arguments: [
      (" 2.50 ", .real, .number("2.50")), ("1e5", .real, .number("1e5")),
      ("2.5", .real, .real(2.5)), ("2", .real, .real(2)), (".5", .real, .real(0.5)),
      ("inf", .real, .real(.infinity)),
      ("18446744073709551616", .integer, .number("18446744073709551616")),
      ("+7", .integer, .integer(7)), ("2.50", .text, .text("2.50")),
    ] as [(String, StoredType, StoredValue)])
  func aNumberKeepsItsDigitsWhereTheStoreDoes(
    _ text: String, _ type: StoredType, _ value: StoredValue
  ) throws {
    #expect(try ValueText.value(of: text, type: type, keepsDigits: true) == value)
  }

  @Test func `A JSON number can replace one of the other numeric type`() throws {
    func value(_ text: String, _ type: StoredType, over original: StoredValue) throws -> StoredValue
    {
      try ValueText.value(of: text, type: type, original: original, keepsDigits: true)
    }
    #expect(try value("2", .real, over: .real(1.5)) == .integer(2))
    #expect(try value("2.50", .integer, over: .integer(1)) == .number("2.50"))
    #expect(try value("2", .real, over: .integer(1)) == .real(2), "the type was chosen")
    #expect(throws: ValueText.Failure.self) { try value("x", .real, over: .real(1.5)) }
    #expect(throws: ValueText.Failure.self) { try value("\"x\"", .integer, over: .integer(1)) }
  }

  @Test func `Text that is not UTF-8 is edited as bytes`() throws {
    let original = StoredValue.malformedText([0x61, 0xFF])
    #expect(ValueText.text(of: original) == "61 ff")
    #expect(
      try ValueText.value(of: "61 fe", type: .text, original: original)
        == .malformedText([0x61, 0xFE]))
    #expect(try ValueText.value(of: "61", type: .text, original: original) == .text("a"))
  }

  @Test func `Bytes are written sixteen per line`() {
    let text = ValueText.text(of: .data(Array(0..<18)))
    #expect(text == "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n10 11")
  }

  @Test func `A row keeps the columns that are not named`() throws {
    let original = StoredValue.record([
      .init("id", .integer(1)), .init("weight", .real(70)), .init("photo", .data([1])),
    ])
    let value = try ValueText.value(
      of: "{\"weight\": 70, \"id\": 2}", type: .record, original: original)
    #expect(
      value
        == .record([
          .init("id", .integer(2)), .init("weight", .real(70)), .init("photo", .data([1])),
        ]))
    let failure = #expect(throws: ValueText.Failure.self) {
      try ValueText.value(of: "{\"wieght\": 1}", type: .record, original: original)
    }
    #expect(failure == .noColumn("wieght", among: ["id", "weight", "photo"]))
  }

  @Test(arguments: ["url", "base64", "date", "uuid", "real"])
  func `A row with one column is not mistaken for another type`(_ name: String) throws {
    for value in [
      StoredValue.record([.init(name, .text("inf"))]), .dictionary([.init(name, .text("AAAA"))]),
    ] {
      let text = ValueText.text(of: value)
      #expect(try ValueText.value(of: text, type: value.type, original: value) == value, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("42", .integer), ("-1", .integer), ("true", .bool), ("1.5", .real), ("1e3", .real),
      ("x", .text), ("", .text), ("True", .text), ("9223372036854775808", .real),
    ] as [(String, StoredType)])
  func theTypeOfANewValueIsGuessed(_ text: String, _ type: StoredType) {
    #expect(ValueText.guessType(of: text) == type)
  }

  @Test func `An empty text is neither a URL nor a UUID`() {
    #expect(throws: ValueText.Failure.self) { try ValueText.value(of: "", type: .uuid) }
  }
}
