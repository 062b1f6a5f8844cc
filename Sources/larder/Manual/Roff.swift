/// A manual page in the man(7) macro language.
struct Roff {
  private(set) var text = ""

  /// Starts a page.
  init(name: String, section: Int, date: String, source: String) {
    text = ".TH \(name.uppercased()) \(section) \(date) \"\(Self.escaped(source))\"\n"
  }

  /// Starts a section.
  mutating func section(_ title: String) {
    text += ".SH \(title.uppercased())\n"
  }

  /// Starts a subsection.
  mutating func part(_ title: String) {
    text += ".SS \(Self.line(title))\n"
  }

  /// Adds a paragraph.
  mutating func paragraph(_ words: String) {
    beginParagraph()
    text += Self.lines(words)
  }

  /// Starts a new paragraph, unless a heading has just done so.
  private mutating func beginParagraph() {
    let last = text.split(separator: "\n").last
    if last?.hasPrefix(".S") != true { text += ".PP\n" }
  }

  /// Adds a term and its definition.
  mutating func term(_ term: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.lines(meaning))"
  }

  /// Adds verbatim lines.
  mutating func example(_ lines: [String]) {
    beginParagraph()
    text += ".nf\n.RS 4\n"
    for line in lines { text += "\(Self.line(line))\n" }
    text += ".RE\n.fi\n"
  }

  /// Returns text wrapped to short lines, each with a line end.
  private static func lines(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ").map({ escaped(String($0)) }) {
      if let last = lines.last, last.count + word.count < 78 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines.map { guarded($0) + "\n" }.joined()
  }

  /// Returns text for a whole line, which must not start with a full stop or an apostrophe.
  private static func line(_ text: String) -> String { guarded(escaped(text)) }

  private static func guarded(_ escaped: String) -> String {
    escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Returns text with roff's special characters escaped, so that hyphens remain ASCII.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      case "'": result += "\\(aq"
      default: result.append(character)
      }
    }
  }
}
