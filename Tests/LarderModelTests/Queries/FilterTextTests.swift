import LarderModel
import Testing

/// Filters as typed by users.
@Suite struct FilterTextTests {
  typealias Term = EntryFilter.Term

  @Test(
    arguments: [
      ("plain", [Term(.text("plain"))]),
      ("'As written", [Term(.exact("As")), Term(.text("written"))]),
      ("\"two words\" x", [Term(.exact("two words")), Term(.text("x"))]),
      ("!\"a\"", [Term(.exact("a"), isNegated: true)]),
      ("\"id\":7", [Term(.text("\"id\":7"))]),
      ("\"", [Term(.text("\""))]), ("\"\"", [Term(.text("\"\""))]),
      ("\\\"a\"", [Term(.text("\"a\""))]),
      ("^session:", [Term(.prefix("session:"))]),
      ("token$", [Term(.suffix("token"))]),
      ("^all$", [Term(.whole("all"))]),
      ("~sct", [Term(.fuzzy("sct"))]),
      ("!debug", [Term(.text("debug"), isNegated: true)]),
      ("!^a b$", [Term(.prefix("a"), isNegated: true), Term(.suffix("b"))]),
      ("!/x y/ z", [Term(.regex("x y"), isNegated: true), Term(.text("z"))]),
      ("/a\\/b/", [Term(.regex("a\\/b"))]),
      ("two\\ words", [Term(.text("two words"))]),
      ("\\!\\^a\\$", [Term(.text("!^a$"))]),
      ("'$", [Term(.exact("$"))]),
      ("  spaces  around ", [Term(.text("spaces")), Term(.text("around"))]),
    ] as [(String, [Term])])
  func wordsAreConditions(_ text: String, _ terms: [Term]) {
    #expect(FilterText(text).filter == EntryFilter(terms))
  }

  @Test(arguments: ["", " ", "!", "^", "$", "~", "'", "!^", "^$", "/"])
  func `Operators alone do not filter`(_ text: String) {
    #expect(FilterText(text).filter == nil)
  }

  @Test(arguments: ["usr/", "a b/", "/", "//", "!x", "a\\/", "\"a b\""])
  func `A phrase is searched in values, whatever characters it has`(_ phrase: String) {
    let filter = FilterText(FilterText.inValues(phrase)).filter
    #expect(filter == EntryFilter([Term(.text(phrase))], in: .values))
  }

  @Test func `A slash without a closing one searches in values`() {
    #expect(
      FilterText("/a b").filter == EntryFilter([Term(.text("a")), Term(.text("b"))], in: .values))
    #expect(FilterText("//a+/").filter == EntryFilter(.regex("a+"), in: .values))
    #expect(FilterText("/a+/").filter == EntryFilter(.regex("a+"), in: .keys))
    #expect(FilterText("/^a").filter == EntryFilter(.prefix("a"), in: .values))
  }

  @Test func `A large number of words that start like an expression takes linear time`() {
    let count = 20_000
    let terms = FilterText("/" + String(repeating: "/a ", count: count)).filter?.terms
    #expect(terms?.count == count)
    #expect(terms?.last == Term(.text("/a")))
    let quoted = FilterText(String(repeating: "\"a ", count: count)).filter?.terms
    #expect(quoted?.last == Term(.text("\"a")))
  }

  @Test func `A filter has a description`() {
    #expect(FilterText("a !^b").spoken == "keys that contain “a”, do not begin with “b”")
    #expect(FilterText("/~x").spoken == "values that have the letters “x” in this order")
    #expect(FilterText("").spoken.contains("/regex/"), "who does not know what to type is told")
  }
}
