import HarmonyTesting
import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// Incremental layout of the rows in the text editor.
@Suite struct EditorRowsTests {
  /// A cache of each character's display text and width; texts contain few distinct characters.
  private final class Looks {
    private var known: [Character: (text: String, width: Int)] = [:]

    func look(of character: Character) -> (text: String, width: Int) {
      if let look = known[character] { return look }
      let text = character == "\t" ? "  " : Sanitizer.display(String(character))
      let look = (text, TextWidth.of(text))
      known[character] = look
      return look
    }
  }

  /// Returns all rows of a text and the position of its cursor, laid out from scratch.
  private func whole(
    _ buffer: TextBuffer, width: Int, _ looks: Looks
  ) -> (rows: [String], cursor: Point) {
    var rows = [""]
    var cursor = Point.origin
    var column = 0
    for (index, character) in buffer.characters.enumerated() {
      let (shown, shownWidth) = looks.look(of: character)
      if character != "\n", column + shownWidth > width {
        rows.append("")
        column = 0
      }
      if index == buffer.cursor { cursor = Point(x: column, y: rows.count - 1) }
      if character == "\n" {
        rows.append("")
        column = 0
      } else {
        rows[rows.count - 1] += shown
        column += shownWidth
      }
    }
    if buffer.cursor == buffer.count { cursor = Point(x: column, y: rows.count - 1) }
    return (rows, cursor)
  }

  private static let edits: [TextEdit] = [
    .insert("a"), .insert("日"), .insert("\t"), .insert("\n"), .insert("\u{1B}"),
    .insert("e\u{301}"),
    .insert(String(repeating: "word ", count: 60)), .deleteBackward, .deleteForward,
    .deleteWordBackward, .deleteToLineStart, .deleteToLineEnd, .left, .right, .wordLeft, .wordRight,
    .lineStart, .lineEnd, .up, .down, .undo, .redo,
  ]

  @Test(arguments: [UInt64(11), 12, 13, 14])
  func `Incremental layout matches a full layout after every edit`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rows = EditorRows()
    let looks = Looks()
    var buffer = TextBuffer(String(repeating: "some text\tof lines\n", count: 30))
    var size = Size(width: 17, height: 5)
    for step in 0..<1_500 {
      if let edit = Self.edits.randomElement(using: &random) { buffer.apply(edit) }
      if step % 97 == 0 {
        size = Size(
          width: Int.random(in: 2...40, using: &random),
          height: Int.random(in: 1...12, using: &random))
      }
      if step % 331 == 0 { rows.forget() }
      let shown = rows.shown(buffer, in: size)
      let expected = whole(buffer, width: size.width, looks)
      let top = max(0, expected.cursor.y - size.height + 1)
      #expect(shown.rows == Array(expected.rows.dropFirst(top).prefix(size.height)))
      #expect(shown.cursor == Point(x: expected.cursor.x, y: expected.cursor.y - top))
    }
  }
}
