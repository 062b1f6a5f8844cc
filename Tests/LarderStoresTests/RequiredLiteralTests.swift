import LarderModel
import Foundation
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// Literals that a text must contain to match a regular expression, used to skip most texts.
@Suite struct RequiredLiteralTests {
  @Test(arguments: [
    ("9999998", "9999998"), (".*9999998.*", "9999998"), (#"^key:\d+:a$"#, "key:"),
    ("ab*cde", "cde"), ("ab?", "a"), ("ab+c", "ab"), ("ab{2,3}", "a"), ("a|b", ""), ("(?i)abc", ""),
    ("(abc)?d", ""), ("(abc)", ""), ("ab[cd]efgh", "ab"), (#"a\.b"#, "a"),
    (#"ab\x41cdef"#, "ab"),
    (#"\Qa.b\E"#, ""), ("é*ab", "ab"), (#"a\bcd"#, "a"), ("", ""),
    // A format character before the parenthesis does not change the meaning of the flag.
    ("\u{600}(?i)abc", ""),
  ])
  func `It is the longest plain literal`(_ expression: String, _ literal: String) {
    #expect(RequiredLiteral.bytes(of: expression) == Array(literal.utf8))
  }

  @Test func `It never excludes a match`() throws {
    var numbers = SystemRandomNumberGenerator()
    let parts = [
      "a", "b", "ab", "a*", "b?", "a+", "(ab)", "(a)*", "[ab]", "[^a]", ".", "^", "$", #"\."#,
      #"\d"#,
      #"\x61"#, "a{2}", "b{0,1}", "é", "+",
    ]
    for _ in 0..<3_000 {
      let expression = (0..<Int.random(in: 1...5, using: &numbers))
        .map { _ in parts.randomElement(using: &numbers) ?? "a" }.joined()
      guard let regex = try? NSRegularExpression(pattern: expression) else { continue }
      let matcher = try TermMatcher(.init(.regex(expression)))
      for _ in 0..<10 {
        let text = String(
          (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
            Character(["a", "b", "é", ".", "1"].randomElement(using: &numbers) ?? "a")
          })
        let whole = NSRange(location: 0, length: text.utf16.count)
        let isFound = Array(text.utf8).withUnsafeBytes { matcher.occurs(in: $0) }
        #expect(
          isFound == (regex.firstMatch(in: text, range: whole) != nil),
          "/\(expression)/ in “\(text)”")
      }
    }
  }
}
