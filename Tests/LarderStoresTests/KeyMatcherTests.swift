import LarderCore
import Testing

@testable import LarderStores

struct KeyMatcherTests {
  @Test(arguments: [
    ("abc", "xABCx", true), ("abc", "ab", false), ("aBc", "abc", false), ("aBc", "xaBcx", true),
    ("", "anything", true), ("é", "É", true), ("É", "é", false), ("straße", "STRASSE", false),
    ("ü", "MÜLLER", true), ("e\u{301}", "é", false), ("1", "a1", true), ("ж", "Ж", true),
    ("[", "a[b", true), ("a\0", "xA\0", true), ("aab", "aaab", true), ("k", "\u{212A}", false),
  ])
  func textIsFoundInEitherCase(_ needle: String, _ hay: String, _ isFound: Bool) throws {
    #expect(try KeyMatcher(EntryFilter(.text(needle))).matches(EntryKey.text(hay)) == isFound)
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
  func patternsSayWhereTheTextIs(
    _ pattern: EntryFilter.Pattern, _ hay: String, _ isFound: Bool
  ) throws {
    #expect(try KeyMatcher(EntryFilter(pattern)).matches(EntryKey.text(hay)) == isFound)
    let turned = EntryFilter([.init(pattern, isNegated: true)])
    #expect(try KeyMatcher(turned).matches(EntryKey.text(hay)) == !isFound)
  }

  @Test func everyConditionMustHold() throws {
    let filter = EntryFilter([
      .init(.prefix("a")), .init(.text("m")), .init(.suffix("z"), isNegated: true),
    ])
    let matcher = try KeyMatcher(filter)
    #expect(matcher.matches(EntryKey.text("a-m-x")))
    for key in ["b-m-x", "a-x", "a-m-z"] { #expect(!matcher.matches(EntryKey.text(key))) }
  }

  @Test func eachConditionMayBeInAnotherColumn() throws {
    let value = StoredValue.record([.init("a", .text("one")), .init("b", .text("two"))])
    let both = EntryFilter([.init(.text("one")), .init(.text("two"))], in: .values)
    #expect(try KeyMatcher(both).matches(value))
    let neither = EntryFilter(
      [.init(.text("one")), .init(.text("two"), isNegated: true)], in: .values)
    #expect(try !KeyMatcher(neither).matches(value), "a column that does not hold it is no excuse")
  }

  @Test func malformedTextIsSearchedToo() throws {
    let hay: [UInt8] = [0xFF, 0x41, 0xC3, 0x42]
    #expect(try KeyMatcher(EntryFilter(.text("a"))).matches(EntryKey.malformedText(hay)))
    #expect(try KeyMatcher(EntryFilter(.text("B"))).matches(EntryKey.malformedText(hay)))
    #expect(try !KeyMatcher(EntryFilter(.text("é"))).matches(EntryKey.malformedText(hay)))
    #expect(try KeyMatcher(EntryFilter(.regex("A.B"))).matches(EntryKey.malformedText(hay)))
  }

  @Test func valuesAreSearchedInside() throws {
    let value = StoredValue.record([
      .init("name", .array([.text("Ada")])), .init("n", .integer(4_711)),
      .init("b", .data([0x68, 0x69])),
    ])
    for text in ["ada", "4711", "hi"] {
      #expect(try KeyMatcher(EntryFilter(.text(text))).matches(value))
    }
    #expect(try !KeyMatcher(EntryFilter(.text("name"))).matches(value))
  }

  @Test func anExpressionThatWouldTakeForEverGivesUp() throws {
    let matcher = try KeyMatcher(EntryFilter(.regex("(a+)+$")))
    #expect(!matcher.matches(EntryKey.text(String(repeating: "a", count: 64) + "b")))
    #expect(matcher.matches(EntryKey.text(String(repeating: "a", count: 64))))
  }
}
