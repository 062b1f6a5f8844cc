package import LarderCore
import TerminalUI

/// The lines of a value, wrapped at the width of its pane.
///
/// Made once for a value and a width, then scrolled through; columns of a record stay on one row
/// each, so that they can be selected.
package struct ValueRows: Sendable, Equatable {
  /// The rows from the top.
  package private(set) var rows: [ValueLine] = []
  /// Which value the rows are of.
  package let version: Int
  /// The width the rows were wrapped at.
  package let width: Int

  /// The greatest number of rows that are made.
  private static let greatest = 60_000

  package init(_ model: ValueModel?, width: Int) {
    version = model?.version ?? 0
    self.width = width
    guard let model, width > 0 else { return }
    if model.selectsFields {
      rows = Self.aligned(model.lines)
    } else {
      for line in model.lines where rows.count < Self.greatest { wrap(line) }
    }
  }

  /// The columns of a record with their values below each other, whatever script the names are in.
  private static func aligned(_ lines: [ValueLine]) -> [ValueLine] {
    let names = lines.map { $0.parts.first?.role == .name ? $0.parts[0].text : "" }
    let width = min(24, names.map { TextWidth.of($0) }.max() ?? 0)
    return zip(lines, names).map { line, name in
      var line = line
      let padding = max(0, width - TextWidth.of(name))
      if !name.isEmpty { line.parts[0].text += String(repeating: " ", count: padding) }
      return line
    }
  }

  private mutating func wrap(_ line: ValueLine) {
    var row = ValueLine([], field: line.field)
    var room = width
    for part in line.parts {
      var text = Self.withoutTabs(part.text)[...]
      while !text.isEmpty {
        var piece = TextCut.prefix(text, width: room)
        if piece.isEmpty, room == width { piece = text.prefix(1) }
        if !piece.isEmpty { row.parts.append(.init(String(piece), part.role)) }
        room -= TextWidth.of(piece)
        text = text[piece.endIndex...]
        guard !text.isEmpty else { break }
        rows.append(row)
        row = ValueLine([], field: line.field)
        room = width
        guard rows.count < Self.greatest else { return }
      }
    }
    rows.append(row)
  }

  /// Tabs as blanks up to the next eighth column, as terminals show them.
  private static func withoutTabs(_ text: String) -> String {
    let text = Sanitizer.isHarmless(text) ? text : spread(text)
    return text
  }

  private static func spread(_ text: String) -> String {
    var spread = ""
    var column = 0
    for character in text {
      if character == "\t" {
        let blanks = 8 - column % 8
        spread += String(repeating: " ", count: blanks)
        column += blanks
      } else {
        let shown = Sanitizer.display(String(character))
        spread += shown
        column += TextWidth.of(shown)
      }
    }
    return spread
  }
}
