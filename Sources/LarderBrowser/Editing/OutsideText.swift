/// Text that is given to another program to be changed.
package struct OutsideText: Sendable, Equatable {
  /// What the text is about and what it looks like, as the name of a file: `user.json`.
  package let name: String
  /// The text.
  package let text: String
  /// Whether the bytes of the text are all that is stored, so that a file with them is the value.
  package let isStoredForm: Bool

  package init(name: String, text: String, isStoredForm: Bool = false) {
    self.name = name
    self.text = text
    self.isStoredForm = isStoredForm
  }

  /// Text under a name that any file system takes, with an extension that editors know.
  package init(_ text: String, key: String, isStoredForm: Bool = false) {
    let base = String(key.split(separator: "/").last ?? "")
      .map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" }
      .suffix(Self.maximumName).drop { $0 == "." || $0 == "-" }
    let stem = base.isEmpty ? "value" : String(base)
    // What a key ends in says what is stored, and not what digits that stand for it are.
    let ending = isStoredForm && Self.hasEnding(stem) ? "" : Self.ending(of: text)
    self.init(name: stem + ending, text: text, isStoredForm: isStoredForm)
  }

  /// The maximum number of characters of a key that become part of the name.
  private static let maximumName = 60

  private static func hasEnding(_ stem: String) -> Bool {
    guard let dot = stem.lastIndex(of: "."), dot != stem.startIndex else { return false }
    return (1...5).contains(stem.distance(from: dot, to: stem.endIndex) - 1)
  }

  /// What has to follow a name, so that an editor knows what the text is.
  private static func ending(of text: String) -> String {
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[": return ".json"
    case "<": return ".xml"
    default: return ".txt"
    }
  }

  /// What came back, without the end of line that most editors give the last line of a file.
  package func taken(_ result: String) -> String {
    guard let last = result.last, last.isNewline, text.last?.isNewline != true else {
      return result
    }
    return String(result.dropLast())
  }
}

/// What became of text that was given to another program.
package struct OutsideOutcome: Sendable, Equatable {
  /// The text as it was left; nil where nothing was.
  package let text: String?
  /// What went wrong, as a sentence; nil where the user has ended the program as usual.
  package let problem: String?
  /// What else the user should know, as a sentence.
  package let remark: String?
  /// Whether something of it is left in the file or beside it, and nowhere else.
  package let isLeft: Bool

  package init(
    text: String? = nil, problem: String? = nil, remark: String? = nil, isLeft: Bool = false
  ) {
    self.text = text
    self.problem = problem
    self.remark = remark
    self.isLeft = isLeft
  }
}
