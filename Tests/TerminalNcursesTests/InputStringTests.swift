import TerminalUI
import Testing

@testable import TerminalNcurses

/// Late answers, answers to other programs' queries, and unterminated sequences.
@Suite struct InputStringTests {
  private func parse(_ texts: String...) -> [TerminalEvent] {
    var parser = InputParser()
    return texts.flatMap { text in parser.parse(text.unicodeScalars.map { .scalar($0) }) }
  }

  private let j = TerminalEvent.key(.character("j"))

  @Test(arguments: [
    "\u{1b}P>|xterm(380)\u{1b}\\", "\u{1b}P1+r5463=32\u{1b}\\", "\u{1b}_Gi=31;OK\u{1b}\\",
    "\u{1b}^private dd\u{7}", "\u{1b}Xtext\u{1b}\\",
    "\u{1b}]52;c;\(String(repeating: "QUJD", count: 500))\u{1b}\\", "\u{1b}]0;téxt\u{7}",
  ])
  func `Irrelevant strings are never parsed as keys, however they are split`(_ text: String) {
    #expect(parse(text + "j") == [j])
    for cut in 3..<min(text.unicodeScalars.count, 40) {
      let scalars = Array(text.unicodeScalars)
      let (first, rest) = (scalars[..<cut], scalars[cut...])
      var parser = InputParser()
      let events =
        parser.parse(first.map { .scalar($0) }) + parser.parse(rest.map { .scalar($0) })
      // Even if it is split right before its end.
      #expect(events + parse("j") == [j])
    }
  }

  @Test func `An unterminated string is ended by a key`() {
    #expect(parse("\u{1b}Pq", "abc", "\r", "j") == [j])
    #expect(parse("\u{1b}Pq\u{1b}[A", "j") == [.key(.up), j])
  }

  @Test func `The introducers of strings are keys with Alt if nothing follows`() {
    for letter in ["P", "_", "^", "X"] as [Character] {
      #expect(parse("\u{1b}\(letter)", "j") == [.key(.alt(letter)), j])
    }
  }

  @Test func `An unterminated paste is ended by Ctrl-C and delivered`() {
    #expect(parse("\u{1b}[200~abc", "d", "\u{3}", "j") == [.paste("abcd"), j])
    // Pasted text may contain the character.
    #expect(parse("\u{1b}[200~a\u{3}b\u{1b}[201~j") == [.paste("a\u{3}b"), j])
  }
}
