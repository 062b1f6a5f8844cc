import Foundation
import LarderModel
import LarderDocuments
import Testing

/// The effects of changes on the bytes of a file.
struct JSONChangeTests {
  private func changed(_ text: String, _ changes: DocumentChange...) throws -> String {
    let document = try JSONDocument(parsing: Array(text.utf8))
    return String(decoding: try document.applying(changes), as: UTF8.self)
  }

  @Test(
    arguments: [
      (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#),
      (#"{ "a" : 1 }"#, #"{ "a" : 1, "b" : 2 }"#),
      (#"{"a": 1, "c": 1}"#, #"{"a": 1, "c": 1, "b": 2}"#),
      ("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"),
      ("{\r\n\t\"a\": 1\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}"),
      ("{\n    \"a\": 1,\n}", "{\n    \"a\": 1,\n    \"b\": 2,\n}"),
      ("{\n\"a\": 1 // one\n}", "{\n\"a\": 1, // one\n\"b\": 2\n}"),
      (
        "{\n  \"a\": 1 /* x */ // one\n  // end\n}",
        "{\n  \"a\": 1, /* x */ // one\n  \"b\": 2\n  // end\n}"
      ),
      ("{}", "{\n  \"b\": 2\n}"), ("{ }\n", "{\n  \"b\": 2\n}\n"),
      ("{\n  // none\n}", "{\n  // none\n  \"b\": 2\n}"),
      ("\u{FEFF}{\"a\":1}", "\u{FEFF}{\"a\":1,\"b\":2}"),
    ])
  func `A new member is formatted like the others`(before: String, after: String) throws {
    #expect(try changed(before, .set([.name("b")], .integer(2))) == after)
  }

  @Test(
    arguments: [
      (#"{"a": 1}"#, "{}"), (#"{"a": 1, "b": 2}"#, #"{"b": 2}"#), ("{ \"a\": 1 }", "{}"),
      (#"{"b": 2, "a": 1}"#, #"{"b": 2}"#), ("{\n  \"a\": 1\n}", "{}"),
      ("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2\n}"),
      ("{\n  \"b\": 2,\n  \"a\": 1\n}", "{\n  \"b\": 2\n}"),
      ("{\n  \"b\": 2,\n  \"a\": 1,\n}", "{\n  \"b\": 2,\n}"),
      ("{\n  \"b\": 2, // two\n  \"a\": 1 // one\n}", "{\n  \"b\": 2 // two\n  // one\n}"),
      (
        "{\n  // one\n  \"a\": 1,\n  // two\n  \"b\": 2\n}",
        "{\n  // one\n  // two\n  \"b\": 2\n}"
      ),
      ("{\r\n  \"b\": 2,\r\n  \"a\": [\r\n  ]\r\n}", "{\r\n  \"b\": 2\r\n}"),
      ("{\"a\": 1 /* kept */ , \"b\": 2}", "{ /* kept */  \"b\": 2}"),
    ])
  func `Removing a member also removes its comma and its line`(before: String, after: String)
    throws
  {
    #expect(try changed(before, .remove([.name("a")])) == after)
  }

  @Test func `Equal parts of a replaced value keep their bytes`() throws {
    let text = """
      {
        "users": [
          {"name": "A\\u0064a", "size": 1.50, "tags": [ ]},
          {"name": "Grace", "size": 1e2} // last
        ],
        "x": 1
      }
      """
    let document = try JSONDocument(parsing: Array(text.utf8))
    guard case .array(var users)? = try document.value(at: [.name("users")]) else {
      Issue.record("no array")
      return
    }
    #expect(
      users.first
        == .dictionary([
          .init("name", .text("Ada")), .init("size", .number("1.50")), .init("tags", .array([])),
        ]))
    users.insert(.dictionary([.init("name", .text("New"))]), at: 1)
    users[0] = .dictionary([
      .init("name", .text("Ada")), .init("size", .number("1.50")), .init("tags", .array([.null])),
    ])
    #expect(
      try changed(text, .set([.name("users")], .array(users))) == """
        {
          "users": [
            {"name": "A\\u0064a", "size": 1.50, "tags": [null]},
            {"name": "New"},
            {"name": "Grace", "size": 1e2} // last
          ],
          "x": 1
        }
        """)
  }

  @Test func `Lists are formatted like their neighbors`() throws {
    let value = StoredValue.array([.integer(1), .dictionary([.init("a", .integer(2))])])
    let change = DocumentChange.set([.name("b")], value)
    #expect(try changed(#"{"a": 1}"#, change) == #"{"a": 1, "b": [1, {"a": 2}]}"#)
    #expect(
      try changed("{\n\t\"a\": 1\n}", change)
        == "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t1,\n\t\t{\n\t\t\t\"a\": 2\n\t\t}\n\t]\n}")
    #expect(
      try changed("{\n  \"a\": [1, 2]\n}", change)
        == "{\n  \"a\": [1, 2],\n  \"b\": [1, {\"a\": 2}]\n}")
  }

  @Test func `Changes are applied in order`() throws {
    let text = #"[{"a": 1}, 2, 3, 4]"#
    #expect(try changed(text, .remove([.index(1)]), .remove([.index(1)])) == #"[{"a": 1}, 4]"#)
    #expect(try changed(text, .remove([.index(3)]), .remove([.index(1)])) == #"[{"a": 1}, 3]"#)
    #expect(
      try changed(text, .set([.index(4)], .null), .set([.index(5)], .bool(true)))
        == #"[{"a": 1}, 2, 3, 4, null, true]"#)
    #expect(
      try changed(
        text, .rename([.index(0), .name("a")], to: "b"), .set([.index(0), .name("b")], .null),
        .remove([.index(2)])) == #"[{"b": null}, 2, 4]"#)
    #expect(try changed(text, .set([], .array([.null]))) == "[null]")
    #expect(
      try changed(#"{"x": 1, "x": 2, "x": 3}"#, .remove([.name("x", repetition: 1)]))
        == #"{"x": 1, "x": 3}"#)
  }

  @Test(
    arguments: [
      (.set([.name("a")], .data([1])), "but no data"),
      (.set([.name("a")], .array([.uuid(.init())])), "but no uuid"),
      (.set([.name("a")], .url("x:")), "but no url"),
      (.set([.name("a")], .date(.now)), "but no date"),
      (.set([.name("a")], .record([])), "but no record"),
      (.set([.name("a")], .real(.nan)), "JSON does not allow the number"),
      (.set([.name("a")], .number("01")), "is not a number in JSON"),
      (.set([.name("a")], .malformedText([0xFF])), "only text that is valid UTF-8"),
      (.set([.name("z"), .name("y")], .null), "there is nothing at z"),
      (.set([.name("a"), .name("y")], .null), "there is nothing at (a,y)"),
      (
        .set([.name("l"), .index(3)], .null), "the next index of the array is 1"
      ),
      (.set([.index(0)], .null), "the members of an object have names, not the index 0"),
      (.set([.name("l"), .name("x")], .null), "have indices, not names"),
      (.remove([.name("z")]), "there is nothing at z"),
      (.remove([]), "must have a value at its root"),
      (.rename([.name("a")], to: "l"), "there is already a member l"),
      (.set([], .null), "must be an object or an array"),
    ] as [(DocumentChange, String)])
  func `Values and changes that JSON or the file cannot represent are refused`(
    change: DocumentChange, clause: String
  ) throws {
    let error = #expect(throws: DocumentError.self) { try changed(#"{"a": 1, "l": [0]}"#, change) }
    #expect(error?.description.contains(clause) == true, "\(error?.description ?? "")")
  }

  @Test func `Infinities are written if the file already contains NaN or infinities`() throws {
    #expect(
      try changed("[NaN, 1, -Infinity]", .set([.index(1)], .real(.infinity)))
        == "[NaN, Infinity, -Infinity]")
  }

  @Test func `Unpaired surrogates are written as they were read`() throws {
    let text = #"["a\ud800", "b"]"#
    let document = try JSONDocument(parsing: Array(text.utf8))
    let half = try #require(try document.value(at: [.index(0)]))
    #expect(half == .malformedText([0x61, 0xED, 0xA0, 0x80]))
    #expect(try changed(text, .set([.index(1)], half)) == #"["a\ud800", "a\ud800"]"#)
    #expect(try changed(text, .set([.index(0)], half)) == text)
  }

  @Test func `The maximum depth is the same for reading and writing`() throws {
    var value = StoredValue.null
    for _ in 0..<511 { value = .array([value]) }
    let text = try changed("[0]", .set([.index(0)], value))
    #expect(throws: Never.self) { try JSONDocument(parsing: Array(text.utf8)) }
    value = .array([value])
    let error = #expect(throws: DocumentError.self) {
      try changed("[0]", .set([.index(0)], value))
    }
    #expect(error?.description == "the value would be nested too deeply")
  }
}
