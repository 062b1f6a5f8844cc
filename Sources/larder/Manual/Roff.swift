/// A page of the manual as its programs read it: the macros of man(7).
struct Roff {
  private(set) var text = ""

  /// Begins a page.
  init(name: String, section: Int, date: String, source: String) {
    text = ".TH \(name.uppercased()) \(section) \(date) \"\(Self.escaped(source))\"\n"
  }

  /// Begins a section.
  mutating func section(_ title: String) {
    text += ".SH \(title.uppercased())\n"
  }

  /// Begins a part of a section.
  mutating func part(_ title: String) {
    text += ".SS \(Self.line(title))\n"
  }

  /// A paragraph.
  mutating func paragraph(_ words: String) {
    beginParagraph()
    text += Self.lines(words)
  }

  /// Parts what follows from what is before it; a heading does that already.
  private mutating func beginParagraph() {
    let last = text.split(separator: "\n").last
    if last?.hasPrefix(".S") != true { text += ".PP\n" }
  }

  /// Words that stand by themselves, and what they mean.
  mutating func term(_ term: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.lines(meaning))"
  }

  /// Lines that are shown as they are.
  mutating func example(_ lines: [String]) {
    beginParagraph()
    text += ".nf\n.RS 4\n"
    for line in lines { text += "\(Self.line(line))\n" }
    text += ".RE\n.fi\n"
  }

  /// Text in lines of a length that the programs of manuals like, each ended.
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

  /// Text at the beginning of a line, where a full stop or an apostrophe would be a request.
  private static func line(_ text: String) -> String { guarded(escaped(text)) }

  private static func guarded(_ escaped: String) -> String {
    escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Text in which nothing is a request, and a hyphen stays what can be typed.
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
