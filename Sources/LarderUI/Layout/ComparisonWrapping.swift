import LarderFormats
import LarderBrowser
import TerminalUI

/// Wraps compared lines into rows of a given width, with a margin for their marks.
struct ComparisonWrapping {
  /// The width of a row, in cells.
  let width: Int
  /// The width of the margin, in cells.
  let markWidth: Int

  private var room: Int { max(1, width - markWidth) }

  /// Returns the number of rows of a line without creating them.
  func height(of line: ValueComparison.Line) -> Int {
    var wrap = RowCount(room: room)
    for part in line.parts {
      var text = part.text
      if text.withUTF8({ wrap.add(common: $0) }) { continue }
      for character in Sanitizer.display(text) { wrap.add(TextWidth.of(character)) }
    }
    return wrap.rows
  }

  /// Returns the rows of a line, with its mark in the margin of the first.
  func rows(
    of line: ValueComparison.Line, _ look: ComparisonRows.Piece.Look, mark: String
  ) -> [[ComparisonRows.Piece]] {
    typealias Piece = ComparisonRows.Piece
    let blank = Piece(text: String(repeating: " ", count: markWidth), look: .mark)
    let first = mark + String(repeating: " ", count: max(0, markWidth - mark.count))
    var rows = [[Piece(text: first, look: .mark)]]
    var left = room
    for part in line.parts {
      var text = Sanitizer.display(part.text)[...]
      while !text.isEmpty {
        var piece = TextCut.prefix(text, width: left)
        if piece.isEmpty, left == room { piece = text.prefix(1) }
        if !piece.isEmpty {
          rows[rows.count - 1].append(
            Piece(text: String(piece), look: look, isChanged: part.isChanged))
        }
        left -= TextWidth.of(piece)
        text = text[piece.endIndex...]
        guard !text.isEmpty else { break }
        rows.append([blank])
        left = room
      }
    }
    return rows
  }
}

/// Counts the rows that a sequence of characters fills.
private struct RowCount {
  let room: Int
  private(set) var rows = 1
  private var left: Int

  init(room: Int) {
    self.room = room
    left = room
  }

  mutating func add(_ width: Int) {
    if width > left, left != room {
      rows += 1
      left = room
    }
    left -= width
  }

  /// Adds text that consists of characters with one scalar of a known width: ASCII, other Latin,
  /// Greek and Cyrillic letters, and ideographs.
  ///
  /// - Returns: Whether the text has only such characters. Otherwise, nothing is added.
  mutating func add(common bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var copy = self
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case 0x20..<0x7F:
        copy.add(1)
        place += 1
      case 0xC3...0xCB, 0xCE...0xD1:
        copy.add(1)
        place += 2
      case 0xE5...0xE9:
        copy.add(2)
        place += 3
      default: return false
      }
    }
    self = copy
    return true
  }
}
