import LarderFormats
package import LarderBrowser
import TerminalUI

/// The layout of the rows of a value, which aligns the values of a record.
///
/// It is created once for a value and a width, and used while scrolling.
package struct ValueRows: Sendable, Equatable {
  /// The version of the value.
  package let version: Int
  /// The width of the rows.
  package let width: Int
  /// The width of the names of columns, which is 0 if rows have none.
  private var nameWidth = 0

  /// The maximum width of the names.
  private static let maximumName = 24

  package init(_ model: ValueModel?, width: Int) {
    version = model?.version ?? 0
    self.width = width
    guard let model, model.selectsRows else { return }
    // Most of the width is for the values.
    let most = min(Self.maximumName, max(4, width / 3))
    for name in model.fieldNames where nameWidth < most {
      nameWidth = min(most, max(nameWidth, TextWidth.of(name)))
    }
  }

  /// Returns the parts of a row, with spaces in place of tabs and after names, without a number of
  /// columns at the start.
  func parts(of line: ValueLine, after left: Int = 0) -> [ValueLine.Part] {
    let parts = parts(ofWhole: line)
    return left > 0 ? Self.dropping(left, of: parts) : parts
  }

  private static func dropping(_ columns: Int, of parts: [ValueLine.Part]) -> [ValueLine.Part] {
    var left = columns
    return parts.compactMap { part in
      guard left > 0 else { return part }
      let gone = TextCut.prefix(part.text, width: left)
      left -= TextWidth.of(gone)
      var rest = part
      rest.text = String(part.text[gone.endIndex...])
      if !rest.text.isEmpty, left > 0 {
        // The right half of a wide character is blank.
        rest.text = String(repeating: " ", count: left) + rest.text.dropFirst()
        left = 0
      }
      return rest.text.isEmpty ? nil : rest
    }
  }

  private func parts(ofWhole line: ValueLine) -> [ValueLine.Part] {
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

  /// Returns the text with tabs expanded to multiples of eight columns, as terminals do.
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
