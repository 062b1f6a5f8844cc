import LarderFormats
package import LarderBrowser
import TerminalUI

/// How the rows of a value are drawn: columns of a record with their values below each other.
///
/// Made once for a value and a width, then scrolled through.
package struct ValueRows: Sendable, Equatable {
  /// Which value the rows are of.
  package let version: Int
  /// The width the rows are drawn at.
  package let width: Int
  /// How wide the names of columns are; 0 where rows have none.
  private var nameWidth = 0

  /// The maximum width of the names.
  private static let maximumName = 24

  package init(_ model: ValueModel?, width: Int) {
    version = model?.version ?? 0
    self.width = width
    guard let model, model.selectsRows else { return }
    // The values have most of the pane.
    let most = min(Self.maximumName, max(4, width / 3))
    for name in model.fieldNames where nameWidth < most {
      nameWidth = min(most, max(nameWidth, TextWidth.of(name)))
    }
  }

  /// The parts of a row, with blanks for tabs and after names.
  func parts(of line: ValueLine) -> [ValueLine.Part] {
    var parts = line.parts
    var column = 0
    for place in parts.indices {
      parts[place].text = Self.spread(parts[place].text, from: &column)
    }
    if nameWidth > 0, let first = parts.first, first.role == .name {
      let name = TextCut.truncated(first.text, to: nameWidth, from: .middle)
      parts[0].text = name + String(repeating: " ", count: max(0, nameWidth - TextWidth.of(name)))
    }
    return parts
  }

  /// The text with blanks for tabs, up to the next eighth column, as terminals show them.
  private static func spread(_ text: String, from column: inout Int) -> String {
    guard !Sanitizer.isHarmless(text) else {
      column += TextWidth.of(text)
      return text
    }
    var spread = ""
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
