package import LarderBrowser
package import TerminalUI

/// The row layout of edited text, which is cached from one screen to the next.
///
/// The start of a row depends only on the text before it, so an edit keeps the layout of everything
/// before it. A keystroke in a large text therefore costs only one screen of rows.
package final class EditorRows {
  private var pieces = TextPieces()
  private var width = 1
  /// The index of the first character of each row laid out so far.
  private var starts = [0]
  private var isWhole = true

  /// Creates the layout of an empty text.
  package init() {}

  /// Returns the visible rows of a text, and the position of the cursor in them.
  ///
  /// - Parameters:
  ///   - buffer: The text, whose cursor is always visible.
  ///   - size: The number of visible rows and their width.
  /// - Returns: The rows, and the position of the cursor relative to the first of them.
  package func shown(_ buffer: TextBuffer, in size: Size) -> (rows: [String], cursor: Point) {
    follow(buffer.pieces, width: max(1, size.width))
    let height = max(1, size.height)
    layOut { starts in starts.last.map { $0 > buffer.cursor } == true }
    let cursorRow = row(of: buffer.cursor)
    let top = max(0, cursorRow - height + 1)
    layOut { starts in starts.count > top + height }
    let end = starts.indices.contains(top + height) ? starts[top + height] : pieces.count
    var rows = [""]
    var cursor = Point(x: 0, y: cursorRow - top)
    var column = 0
    pieces.visit(from: starts[top]) { index, character in
      guard index < end else { return false }
      let number = top + rows.count
      if starts.indices.contains(number), index == starts[number] {
        rows.append("")
        column = 0
      }
      if index == buffer.cursor { cursor.x = column }
      guard !character.isLineEnd else { return true }
      let shown = Self.shown(character)
      rows[rows.count - 1] += shown
      column += TextWidth.of(shown)
      return true
    }
    // The row after a final line feed has no characters.
    if top + rows.count < starts.count, rows.count < height {
      rows.append("")
      column = 0
    }
    if buffer.cursor == pieces.count { cursor.x = min(column, self.width) }
    return (rows, cursor)
  }

  /// Releases the text.
  package func forget() {
    follow(TextPieces(), width: width)
  }

  /// Discards the part of the layout that an edit or a new width has invalidated.
  private func follow(_ pieces: TextPieces, width: Int) {
    if width != self.width {
      starts = [0]
    } else {
      let common = self.pieces.commonCount(with: pieces)
      let isSame = common == pieces.count && common == self.pieces.count
      self.pieces = pieces
      if isSame { return }
      while starts.count > 1, let last = starts.last, last >= common { starts.removeLast() }
    }
    self.pieces = pieces
    self.width = width
    isWhole = false
  }

  /// Lays out rows until a condition on their starts is met or the text ends.
  private func layOut(until isEnough: ([Int]) -> Bool) {
    guard !isWhole, !isEnough(starts), let first = starts.last else { return }
    var column = 0
    var isEnded = true
    pieces.visit(from: first) { index, character in
      if character.isLineEnd {
        starts.append(index + 1)
        column = 0
      } else {
        let needed = Self.width(of: character)
        if column + needed > width, column > 0 {
          starts.append(index)
          column = 0
        }
        column += needed
      }
      isEnded = !isEnough(starts)
      return isEnded
    }
    isWhole = isEnded
  }

  /// Returns the last row that starts at or before an index.
  private func row(of index: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  private static func width(of character: Character) -> Int {
    if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7f { return 1 }
    return TextWidth.of(shown(character))
  }

  /// Returns the displayed text of a character.
  private static func shown(_ character: Character) -> String {
    character == "\t" ? "  " : Sanitizer.display(String(character))
  }
}
