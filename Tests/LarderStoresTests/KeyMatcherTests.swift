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
    #expect(try KeyMatcher(.text(needle)).matches(hay) == isFound)
  }

  @Test func malformedTextIsSearchedToo() throws {
    let hay: [UInt8] = [0xFF, 0x41, 0xC3, 0x42]
    #expect(try KeyMatcher(.text("a")).matches(EntryKey.malformedText(hay)))
    #expect(try KeyMatcher(.text("B")).matches(EntryKey.malformedText(hay)))
    #expect(try !KeyMatcher(.text("é")).matches(EntryKey.malformedText(hay)))
    #expect(try KeyMatcher(.regex("A.B")).matches(EntryKey.malformedText(hay)))
  }

  @Test func valuesAreSearchedInside() throws {
    let value = StoredValue.record([
      .init("name", .array([.text("Ada")])), .init("n", .integer(4_711)),
      .init("b", .data([0x68, 0x69])),
    ])
    for text in ["ada", "4711", "hi"] { #expect(try KeyMatcher(.text(text)).matches(value)) }
    #expect(try !KeyMatcher(.text("name")).matches(value))
  }

  @Test func anExpressionThatWouldTakeForEverGivesUp() throws {
    let matcher = try KeyMatcher(.regex("(a+)+$"))
    #expect(!matcher.matches(String(repeating: "a", count: 64) + "b"))
    #expect(matcher.matches(String(repeating: "a", count: 64)))
  }
}
