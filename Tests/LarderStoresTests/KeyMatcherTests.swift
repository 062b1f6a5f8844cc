import LarderModel
import Testing

@testable import LarderStoreBase
@testable import LarderStores

struct KeyMatcherTests {
  @Test(arguments: [
    ("abc", "xABCx", true), ("abc", "ab", false), ("aBc", "abc", false), ("aBc", "xaBcx", true),
    ("", "anything", true), ("é", "É", true), ("É", "é", false), ("straße", "STRASSE", false),
    ("ü", "MÜLLER", true), ("e\u{301}", "é", false), ("1", "a1", true), ("ж", "Ж", true),
    ("[", "a[b", true), ("a\0", "xA\0", true), ("aab", "aaab", true), ("k", "\u{212A}", false),
  ])
  func `Text matches case-insensitively unless it has capitals`(
    _ needle: String, _ haystack: String, _ isFound: Bool
  ) throws {
    #expect(
      try KeyMatcher(EntryFilter(.text(needle)), telling: nil).matches(EntryKey.text(haystack))
        == isFound)
  }

  @Test(
    arguments: [
      (.exact("abc"), "xabcx", true), (.exact("abc"), "xABCx", false),
      (.prefix("ab"), "ABx", true), (.prefix("ab"), "xab", false), (.prefix("Ab"), "abx", false),
      (.prefix("é"), "École", true), (.prefix("é"), "café", false),
      (.suffix("yz"), "xYZ", true), (.suffix("yz"), "yzx", false), (.suffix("é"), "CAFÉ", true),
      (.suffix("long"), "ong", false),
      (.whole("ab"), "AB", true), (.whole("ab"), "abc", false), (.whole("ab"), "xab", false),
      (.fuzzy("sut"), "session:user:token", true), (.fuzzy("tus"), "session:user:token", false),
      (.fuzzy("SUT"), "session:user:token", false), (.fuzzy("éa"), "Édita", true),
      (.fuzzy("aa"), "a", false), (.regex("^a.c$"), "abc", true), (.regex("^a.c$"), "abcd", false),
    ] as [(EntryFilter.Pattern, String, Bool)])
  func `Patterns match at their positions`(
    _ pattern: EntryFilter.Pattern, _ haystack: String, _ isFound: Bool
  ) throws {
    #expect(
      try KeyMatcher(EntryFilter(pattern), telling: nil).matches(EntryKey.text(haystack)) == isFound
    )
    let turned = EntryFilter([.init(pattern, isNegated: true)])
    #expect(try KeyMatcher(turned, telling: nil).matches(EntryKey.text(haystack)) == !isFound)
  }

  @Test func `All conditions must match`() throws {
    let filter = EntryFilter([
      .init(.prefix("a")), .init(.text("m")), .init(.suffix("z"), isNegated: true),
    ])
    let matcher = try KeyMatcher(filter, telling: nil)
    #expect(matcher.matches(EntryKey.text("a-m-x")))
    for key in ["b-m-x", "a-x", "a-m-z"] { #expect(!matcher.matches(EntryKey.text(key))) }
  }

  @Test func `Each condition may match in a different column`() throws {
    let value = StoredValue.record([.init("a", .text("one")), .init("b", .text("two"))])
    let both = EntryFilter([.init(.text("one")), .init(.text("two"))], in: .values)
    #expect(try KeyMatcher(both, telling: nil).matches(value, of: .null))
    let neither = EntryFilter(
      [.init(.text("one")), .init(.text("two"), isNegated: true)], in: .values)
    #expect(
      try !KeyMatcher(neither, telling: nil).matches(value, of: .null),
      "a column without it does not excuse it")
  }

  @Test func `Malformed text is searched`() throws {
    let haystack: [UInt8] = [0xFF, 0x41, 0xC3, 0x42]
    #expect(
      try KeyMatcher(EntryFilter(.text("a")), telling: nil).matches(
        EntryKey.malformedText(haystack)))
    #expect(
      try KeyMatcher(EntryFilter(.text("B")), telling: nil).matches(
        EntryKey.malformedText(haystack)))
    #expect(
      try !KeyMatcher(EntryFilter(.text("é")), telling: nil).matches(
        EntryKey.malformedText(haystack)))
    #expect(
      try KeyMatcher(EntryFilter(.regex("A.B")), telling: nil).matches(
        EntryKey.malformedText(haystack)))
  }

  @Test func `Nested values are searched`() throws {
    let value = StoredValue.record([
      .init("name", .array([.text("Ada")])), .init("n", .integer(4_711)),
      .init("b", .data([0x68, 0x69])),
    ])
    for text in ["ada", "4711", "hi"] {
      #expect(try KeyMatcher(EntryFilter(.text(text)), telling: nil).matches(value, of: .null))
    }
    #expect(try !KeyMatcher(EntryFilter(.text("name")), telling: nil).matches(value, of: .null))
  }

  @Test func `A regular expression that takes too long gives up and reports it`() throws {
    let scan = Scan()
    let matcher = try KeyMatcher(EntryFilter(.regex("(a+)+$")), telling: scan)
    let endless = EntryKey.text(String(repeating: "a", count: 64) + "b")
    #expect(matcher.matches(EntryKey.text(String(repeating: "a", count: 64))))
    #expect(!matcher.matches(EntryKey.text("b")))
    #expect(scan.unreadable.isEmpty)
    #expect(!matcher.matches(endless))
    #expect(scan.unreadable.map(\.key) == [endless])
  }

  /// The engine has its own stack, which long values exhaust.
  @Test(arguments: [false, true])
  func `An undecided match is neither a match nor a mismatch`(isNegated: Bool) throws {
    let scan = Scan()
    let filter = EntryFilter(
      [.init(.regex("start(.|\n)*end"), isNegated: isNegated)], in: .values)
    let matcher = try KeyMatcher(filter, telling: scan)
    let long = "start " + String(repeating: "x\n", count: 500_000) + " end"
    #expect(!matcher.matches(.text(long), of: .text("long")))
    #expect(scan.unreadable.map(\.key) == [.text("long")])
    #expect(matcher.matches(.text("start end"), of: .text("short")) == !isNegated)
  }

  @Test func `A match is decided if another condition rules it out`() throws {
    let scan = Scan()
    let filter = EntryFilter([.init(.regex("(a+)+$")), .init(.text("c"))])
    let key = EntryKey.text(String(repeating: "a", count: 64) + "b")
    #expect(try !KeyMatcher(filter, telling: scan).matches(key))
    #expect(scan.unreadable.isEmpty)
  }

  @Test(arguments: [
    (#""a":1"#, true), (#""a": 1"#, true), (#""A": 1"#, false), (#"{"a""#, true), ("[1,2", true),
    ("[1, 2", true), (#""a":  1"#, false), (#""a":2"#, false), ("x, y", true), ("x,y", false),
    (#""b": ["#, true),
  ])
  func `JSON is matched regardless of whitespace`(_ text: String, _ isFound: Bool) throws {
    let matcher = try KeyMatcher(EntryFilter(.text(text), in: .values), telling: nil)
    let value = StoredValue.dictionary([
      .init("a", .integer(1)), .init("b", .array([.integer(1), .integer(2)])),
      .init("c", .text("x, y")),
    ])
    #expect(matcher.matches(value, of: .null) == isFound)
    for json in [
      #"{"a":1,"b":[1,2],"c":"x, y"}"#, #"{"a": 1, "b": [1, 2], "c": "x, y"}"#,
      "{\n  \"a\" : 1,\n  \"b\" : [\n    1,\n    2\n  ],\n  \"c\" : \"x, y\"\n}",
    ] {
      #expect(matcher.matches(.text(json), of: .null) == isFound)
      #expect(matcher.matches(.record([.init("v", .data(Array(json.utf8)))]), of: .null) == isFound)
    }
  }

  @Test(arguments: [#"x {"a": 1}"#, #"{"a": 1"#, #"{"a": 1} x"#, #""a": 1"#])
  func `Other text is matched as stored`(haystack: String) throws {
    let filters = [#""a":1"#, #""a": 1"#].map { EntryFilter(.text($0), in: .values) }
    let found = try filters.map {
      try KeyMatcher($0, telling: nil).matches(.text(haystack), of: .null)
    }
    #expect(found == [false, true])
    let inKeys = EntryFilter(.text(#""a":1"#))
    #expect(try !KeyMatcher(inKeys, telling: nil).matches(EntryKey.text(#"{"a": 1}"#)))
  }
}
