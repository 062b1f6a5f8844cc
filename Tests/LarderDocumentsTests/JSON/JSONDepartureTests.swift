import Testing

@testable import LarderDocuments

/// Deviations from standard JSON that larder accepts but other programs refuse or read differently.
struct JSONDepartureTests {
  private func found(_ text: String) -> [JSONDeviations.Found] {
    JSONDeviations(of: Array(text.utf8)).found
  }

  @Test(
    arguments: [
      "{}", "[]", #"{"a": [1, {"b": "//"}], "b": {"a": -0.5e3}, "c": [{"a": 1}, {"a": 2}]}"#,
      #" [ true , null , "a,]" , [ ] ] "#,
    ])
  func `Standard JSON has no deviations`(text: String) {
    #expect(found(text) == [])
  }

  @Test(
    arguments: [
      ("\u{FEFF}{}", JSONDeviations.Kind.byteOrderMark, 1, 1),
      ("{\n/* x */}", .comment, 2, 1), ("{\"a\" // x\n: 1}", .comment, 1, 6),
      ("[1] // x", .comment, 1, 5), ("[1,\n2 , ]", .comma, 2, 3), ("{\"a\":1,}", .comma, 1, 7),
      ("[[1, -Infinity]]", .nonFinite, 1, 6), (#"[{"a": 1, "\u0061": 2}]"#, .repeatedName, 1, 11),
    ])
  func `Each deviation is reported with its position`(
    text: String, kind: JSONDeviations.Kind, line: Int, column: Int
  ) throws {
    let only = try #require(found(text).first)
    #expect(found(text).count == 1)
    #expect(only.kind == kind)
    #expect(only.count == 1)
    #expect(only.places.map(\.line) == [line])
    #expect(only.places.map(\.column) == [column])
  }

  @Test func `A repeated name is reported once per object`() throws {
    let members = (0..<20_000).map { "\"a\": \($0)" }.joined(separator: ", ")
    let only = try #require(found("{\"o\": {\(members)}}").first)
    #expect(only.places.map(\.count) == [20_000])
    #expect(only.places.map(\.name) == [Array("a".utf8)])
  }

  @Test func `The first of many deviations are reported with their positions`() throws {
    let only = try #require(found("[" + String(repeating: "NaN,", count: 100) + "1]").first)
    #expect(only.count == 100)
    #expect(only.places.map(\.column) == [2, 6, 10, 14, 18])
  }

  @Test(arguments: ["{\"a\": 1, \"a\"", "[1, /", "[[[", "{\"a\" 1}", "[1 2]", "", "]"])
  func `Malformed JSON ends the scan`(text: String) {
    #expect(found(text) == [])
  }
}
