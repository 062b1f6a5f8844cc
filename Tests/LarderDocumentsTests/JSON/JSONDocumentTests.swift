import LarderModel
import LarderDocuments
import Testing

@testable import LarderModel
import LarderDocuments

struct JSONDocumentTests {
  private func document(_ text: String) throws -> JSONDocument {
    try JSONDocument(parsing: Array(text.utf8))
  }

  @Test func `Members are listed in file order, including those with the same name`() throws {
    let document = try document(#"{"b": 1, "a": {"x": [1, true]}, "b": null, "": 2, "\u0062": 3}"#)
    #expect(
      document.members == [
        .name("b"), .name("a"), .name("b", repetition: 1), .name(""), .name("b", repetition: 2),
      ])
    #expect(try document.value(at: [.name("b", repetition: 2)]) == .integer(3))
    #expect(try document.value(at: [.name("a"), .name("x"), .index(1)]) == .bool(true))
    #expect(try document.type(at: [.name("a"), .name("x")]) == .array)
    for path: [DocumentStep] in [
      [.name("c")], [.index(0)], [.name("b", repetition: 3)], [.name("a"), .index(0)],
      [.name("a"), .name("x"), .index(2)], [.name("b"), .name("x")], [.name("b", repetition: -1)],
      [.name("a"), .name("x"), .index(-1)],
    ] { #expect(try document.value(at: path) == nil, "\(path)") }
  }

  @Test func `Numbers keep their digits`() throws {
    let document = try document("[1, -0, 1.0, 1.50, 1e5, 18446744073709551616, 0.1, NaN]")
    #expect(
      try document.value(at: [])
        == .array([
          .integer(1), .number("-0"), .real(1), .number("1.50"), .number("1e5"),
          .number("18446744073709551616"), .real(0.1), .real(.nan),
        ]))
  }

  @Test func `Objects that look like other types remain objects`() throws {
    let document = try document(#"{"a": {"base64": "AAE="}, "b": [{"date": "2026-01-01"}]}"#)
    #expect(
      try document.value(at: [.name("a")]) == .dictionary([.init("base64", .text("AAE="))]))
    #expect(
      try document.applying([.set([.name("c")], .dictionary([.init("base64", .text("AAE="))]))])
        .suffix(24) == Array(#" "c": {"base64": "AAE="}}"#.utf8).suffix(24))
  }

  @Test func `JSON with comments and trailing commas is read`() throws {
    let document = try document(
      "\u{FEFF}// first\n{ // x\n /* y */ \"a\" /* z */ : /* , */ 1, // \"no\": 1\n \"b\": [1, ], } // end"
    )
    #expect(
      try document.value(at: [])
        == .dictionary([.init("a", .integer(1)), .init("b", .array([.integer(1)]))]))
  }

  @Test(arguments: [
    ("", "the file contains no value at line 1, column 1"), (" \n", "line 2, column 1"),
    ("{\"a\": 1,\n \"b\" 2}", "a colon is missing after the name at line 2, column 6"),
    ("[1 2]", "a comma is missing at line 1, column 4"), ("1", "an object or an array is expected"),
    ("[1] 2", "unexpected text after the value at line 1, column 5"),
    ("[,]", "a value is expected here"), ("[1,,]", "a value is expected here"),
    ("{,}", "a name in quotes is expected here"), ("{a: 1}", "a name in quotes is expected here"),
    ("[1 /* x", "a comment is not closed at line 1, column 4"), ("[\"\n\"]", "is not escaped"),
    ("[nan]", "a value is expected here"), ("[/]", "a value is expected here"),
    ("\u{FEFF}", "the file contains no value"),
  ])
  func `A malformed file is refused with the position of the problem`(text: String, clause: String)
  {
    let error = #expect(throws: DocumentError.self) { try document(text) }
    #expect(error?.description.contains(clause) == true, "\(error?.description ?? "")")
  }

  @Test func `Depth is limited, and hostile depth is refused`() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let whole = try #require(try document(deep).value(at: []))
    #expect(whole.type == .array)
    for text in ["[" + deep + "]", String(repeating: "{\"a\":[", count: 300_000)] {
      let error = #expect(throws: DocumentError.self) { try document(text) }
      #expect(error?.description.contains("nested too deeply") == true)
    }
  }

  @Test func `Names that are not valid text are listed as they are spelled`() throws {
    let bytes = Array(#"{"\ud800x": 1, "a"#.utf8) + [0xFF] + Array(#"": {"\udc00": 2}}"#.utf8)
    let document = try JSONDocument(parsing: bytes)
    #expect(document.members == [.name(#"\ud800x"#), .name(#"a\xff"#)])
    #expect(try document.value(at: [.name(#"\ud800x"#)]) == .integer(1))
    #expect(try document.value(at: [.name(#"a\xff"#), .name(#"\udc00"#)]) == .integer(2))
    let error = #expect(throws: DocumentError.self) { try document.value(at: [.name(#"a\xff"#)]) }
    #expect(error?.description.contains("name of a member at line 1, column 23") == true)
    #expect(throws: DocumentError.self) {
      try document.applying([.set([.name(#"a\xff"#)], .dictionary([]))])
    }
    #expect(
      try document.applying([.remove([.name(#"a\xff"#)])]) == Array(#"{"\ud800x": 1}"#.utf8))
  }

  @Test func `Text that is not UTF-8 is malformed text and is preserved`() throws {
    let bytes = Array("[\"".utf8) + [0x61, 0xFF] + Array("\", 1]".utf8)
    let document = try JSONDocument(parsing: bytes)
    #expect(try document.value(at: [.index(0)]) == .malformedText([0x61, 0xFF]))
    let changed = try document.applying([.set([.index(1)], .integer(2))])
    #expect(changed == Array("[\"".utf8) + [0x61, 0xFF] + Array("\", 2]".utf8))
  }

  @Test func `UTF-16 is named in the error message`() {
    let error = #expect(throws: DocumentError.self) {
      try JSONDocument(parsing: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0])
    }
    #expect(error?.description.contains("UTF-16") == true)
  }

  @Test func `Many changes of many members take linear time`() throws {
    let count = 5_000
    let text = "[" + (0..<count).map(String.init).joined(separator: ", ") + "]"
    let document = try document(text)
    let odd = (0..<count).reversed().filter { $0 % 2 == 1 }
    let halved = try JSONDocument(parsing: document.applying(odd.map { .remove([.index($0)]) }))
    #expect(halved.members.count == count / 2)
    #expect(try halved.value(at: [.index(100)]) == .integer(200))
    let same = try self.document(
      "{" + (0..<count).map { _ in "\"x\":1" }.joined(separator: ",") + "}")
    let none = try same.applying(
      (0..<count).reversed().map { .remove([.name("x", repetition: $0)]) })
    #expect(none == Array("{}".utf8))
    let added = try self.document("{}").applying(
      (0..<count).map { .set([.name("n\($0)")], .integer(Int64($0))) })
    #expect(try JSONDocument(parsing: added).members.count == count)
    let other = StoredValue.array((0..<count).map { .integer(Int64($0 * 7 + 1)) })
    #expect(try JSONDocument(parsing: document.applying([.set([], other)])).value(at: []) == other)
  }

  @Test(
    arguments: [
      ("{\"a\": 1}", .object), ("  [1]", .array), ("{", .object), ("[", .array), ("", .unknown),
      ("// x\n{\"a\"", .object), ("/* licence", .unknown), ("{a: 1}", .object),
      ("{'a': 1}", .object), ("[section]\nx=1", .other), ("[1]\nx=1", .other), ("[1st]", .other),
      ("[true]", .array), ("[true story]", .other), ("[\"a\",", .array), ("{ a = b; }", .other),
      ("{ \"a\" = \"b\"; }", .other), ("{{x}}", .other), ("{% x %}", .other), ("\"a\"", .other),
      ("[[x]]", .array), ("[nan]", .other), ("[-Infinity]", .array), ("{}", .object),
      ("// !$*UTF8*$!\n{\n\tarchiveVersion = 1;", .other), ("[general]\n", .other),
      ("[ 1, 2", .array), ("[1 2]", .other), ("\u{FEFF}{}", .object), ("[123-abc]", .array),
    ] as [(String, JSONStart)])
  func `JSON is distinguished from files that only start like it`(text: String, start: JSONStart) {
    #expect(JSONStart(Array(text.utf8)) == start)
  }
}
