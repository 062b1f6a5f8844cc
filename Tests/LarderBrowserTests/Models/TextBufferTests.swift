import TestSamples
import LarderBrowser
import Testing

/// Editing of text.
@Suite struct TextBufferTests {
  /// Returns a buffer after some edits; `|` in the text is the initial cursor.
  private func buffer(_ text: String, _ edits: TextEdit...) -> TextBuffer {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var buffer = TextBuffer(parts.joined())
    for _ in 0..<(parts.count > 1 ? Array(parts[1]).count : 0) { buffer.apply(.left) }
    for edit in edits { buffer.apply(edit) }
    return buffer
  }

  /// Returns the text with `|` at the cursor.
  private func shown(_ buffer: TextBuffer) -> String {
    String(buffer.characters[..<buffer.cursor]) + "|" + String(buffer.characters[buffer.cursor...])
  }

  @Test(
    arguments: [
      ("ab|c", .insert("x"), "abx|c"), ("ab|c", .deleteBackward, "a|c"),
      ("|abc", .deleteBackward, "|abc"), ("ab|c", .deleteForward, "ab|"),
      ("abc|", .deleteForward, "abc|"), ("one two|", .deleteWordBackward, "one |"),
      ("one  |two", .deleteWordBackward, "|two"), ("|a", .deleteWordBackward, "|a"),
      ("a\nbc|d", .deleteToLineStart, "a\n|d"), ("a\nb|cd\ne", .deleteToLineEnd, "a\nb|\ne"),
      ("ab|", .left, "a|b"), ("|ab", .left, "|ab"), ("a|b", .right, "ab|"), ("ab|", .right, "ab|"),
      ("one two|", .wordLeft, "one |two"), ("one |two", .wordLeft, "|one two"),
      ("|one two", .wordRight, "one| two"), ("one| two", .wordRight, "one two|"),
      ("a\nbc|d", .lineStart, "a\n|bcd"), ("a|b\nc", .lineEnd, "ab|\nc"),
      ("abc\nde|", .up, "ab|c\nde"), ("a\nbcd|", .up, "a|\nbcd"), ("ab|c", .up, "|abc"),
      ("ab|c\nd", .down, "abc\nd|"), ("ab|c", .down, "abc|"), ("abc|\ndef", .down, "abc\ndef|"),
      ("a\r\nb|", .up, "a|\r\nb"), ("a|\r\nb", .down, "a\r\nb|"),
      ("a\r\n|b", .deleteBackward, "a|b"),
      ("a\r\nb|", .lineStart, "a\r\n|b"), ("e\u{301}|", .deleteBackward, "|"), ("👨‍👩‍👧|", .left, "|👨‍👩‍👧"),
    ] as [(String, TextEdit, String)])
  func `One edit changes one thing`(_ before: String, _ edit: TextEdit, _ after: String) {
    #expect(shown(buffer(before, edit)) == after)
  }

  @Test func `Consecutive typed letters are undone together`() {
    var typed = buffer("", .insert("a"), .insert("b"), .insert("c"))
    typed.apply(.undo)
    #expect(shown(typed) == "|")
    typed.apply(.redo)
    #expect(shown(typed) == "abc|")
    typed.apply(.redo)
    #expect(shown(typed) == "abc|")
  }

  @Test func `Movements, pastes, line feeds and deletions are undone separately`() {
    var typed = buffer(
      "", .insert("a"), .left, .insert("b"), .insert("long paste"), .insert("\n"), .deleteBackward)
    var states: [String] = []
    for _ in 0..<6 {
      states.append(shown(typed))
      typed.apply(.undo)
    }
    #expect(
      states == [
        "blong paste|a", "blong paste\n|a", "blong paste|a", "b|a", "|a", "|",
      ])
  }

  @Test func `An edit after an undo clears the redo history`() {
    var typed = buffer("", .insert("a"), .left, .insert("b"), .undo)
    #expect(shown(typed) == "|a")
    typed.apply(.insert("c"))
    typed.apply(.redo)
    #expect(shown(typed) == "c|a")
  }

  @Test func `Random edits are undone and redone completely`() {
    var random = SampleGenerator()
    let edits: [TextEdit] = [
      .insert("a"), .insert("\n"), .insert("é b"), .deleteBackward, .deleteForward,
      .deleteWordBackward, .deleteToLineStart, .deleteToLineEnd, .left, .right, .wordLeft,
      .wordRight, .lineStart, .lineEnd, .up, .down,
    ]
    var typed = TextBuffer("first")
    for _ in 0..<150 {
      typed.apply(edits.randomElement(using: &random) ?? .left)
      #expect((0...typed.characters.count).contains(typed.cursor), "seed \(random.seed)")
    }
    let text = typed.text
    for _ in 0..<200 { typed.apply(.undo) }
    #expect(typed.text == "first", "seed \(random.seed)")
    for _ in 0..<200 { typed.apply(.redo) }
    #expect(typed.text == text, "seed \(random.seed)")
  }

  @Test func `Lines and positions agree`() {
    let typed = buffer("a\r\nbc\n\nd|e")
    #expect(typed.lines == ["a", "bc", "", "de"])
    #expect(typed.position == (3, 1))
    #expect(TextBuffer().lines == [""])
    #expect(TextBuffer("a\n").lines == ["a", ""])
  }

  @Test func `The text is preserved byte for byte`() {
    let text = "a\r\nb\re\u{301}\u{E9}\0\u{FEFF}"
    #expect(TextBuffer(text).text.utf8.elementsEqual(text.utf8))
  }
}
