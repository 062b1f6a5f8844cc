package import LarderBrowser
package import TerminalUI

/// Where the rows begin of a text that is typed, as far as they were needed, from one screen to the
/// next.
///
/// Where a row begins depends on what is before it alone: what an edit leaves before it stays laid
/// out, so that a key in a large text costs a screen of rows.
package final class EditorRows {
  private var pieces = TextPieces()
  private var width = 1
  /// The index of the first character of each row.
  private var starts = [0]
  private var isWhole = true

  /// Makes the rows of an empty text.
  package init() {}

  /// The rows of a text that are on a screen, and where its cursor stands among them.
  ///
  /// - Parameters:
  ///   - buffer: The text, whose cursor is always on the screen.
  ///   - size: How many rows there are room for, and how wide they are.
  /// - Returns: The rows, and the cursor's place counted from the first of them.
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
    // The row behind the last line feed has no character.
    if top + rows.count < starts.count, rows.count < height {
      rows.append("")
      column = 0
    }
    if buffer.cursor == pieces.count { cursor.x = min(column, self.width) }
    return (rows, cursor)
  }

  /// Lets go of the text.
  package func forget() {
    follow(TextPieces(), width: width)
  }

  /// Forgets what an edit, or another width, has made wrong.
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

  /// Finds out where rows begin, until something is true of what is known, or all is.
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

  /// The last row that begins before an index, or at it.
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

  /// What is drawn for a character.
  private static func shown(_ character: Character) -> String {
    character == "\t" ? "  " : Sanitizer.display(String(character))
  }
}
