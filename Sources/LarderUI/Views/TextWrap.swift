import TerminalUI

/// Wraps text at word boundaries.
enum TextWrap {
  /// Returns the lines of a text; words that do not fit into a line are broken.
  static func lines(_ text: String, width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        var word = word[...]
        if !line.isEmpty, TextWidth.of(line) + 1 + TextWidth.of(word) > width {
          lines.append(line)
          line = ""
        }
        while TextWidth.of(word) > width {
          let piece = TextCut.prefix(word, width: width)
          guard !piece.isEmpty else { break }
          lines.append(String(piece))
          word = word[piece.endIndex...]
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      lines.append(line)
    }
    return lines
  }
}
