/// A text to be edited by an external program.
package struct ExternalText: Sendable, Equatable {
  /// The name of the file, which hints at the key and the syntax, such as `user.json`.
  package let name: String
  /// The text.
  package let text: String
  /// Whether the bytes of the text are exactly the stored value.
  package let isStoredForm: Bool

  package init(name: String, text: String, isStoredForm: Bool = false) {
    self.name = name
    self.text = text
    self.isStoredForm = isStoredForm
  }

  /// Creates a text with a file name that is valid on any file system and has an extension that
  /// editors recognize.
  package init(_ text: String, key: String, isStoredForm: Bool = false) {
    let base = String(key.split(separator: "/").last ?? "")
      .map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" }
      .suffix(Self.maximumName).drop { $0 == "." || $0 == "-" }
    let stem = base.isEmpty ? "value" : String(base)
    // The extension of a key describes the stored form, not hexadecimal digits.
    let ending = isStoredForm && Self.hasEnding(stem) ? "" : Self.ending(of: text)
    self.init(name: stem + ending, text: text, isStoredForm: isStoredForm)
  }

  /// The maximum number of characters in the part of the name that comes from the key.
  private static let maximumName = 60

  private static func hasEnding(_ stem: String) -> Bool {
    guard let dot = stem.lastIndex(of: "."), dot != stem.startIndex else { return false }
    return (1...5).contains(stem.distance(from: dot, to: stem.endIndex) - 1)
  }

  /// Returns a file extension for the syntax of a text.
  private static func ending(of text: String) -> String {
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[": return ".json"
    case "<": return ".xml"
    default: return ".txt"
    }
  }

  /// Returns an edited text without the line break that most editors append to the last line.
  package func taken(_ result: String) -> String {
    guard let last = result.last, last.isNewline, text.last?.isNewline != true else {
      return result
    }
    return String(result.dropLast())
  }
}

/// The result of editing a text in an external program.
package struct ExternalEditOutcome: Sendable, Equatable {
  /// The edited text, or `nil` if there is none.
  package let text: String?
  /// An error message, or `nil` if the user ended the program normally.
  package let problem: String?
  /// An additional message for the user.
  package let warning: String?
  /// Whether unsaved text remains only in the file or next to it.
  package let isLeft: Bool

  package init(
    text: String? = nil, problem: String? = nil, warning: String? = nil, isLeft: Bool = false
  ) {
    self.text = text
    self.problem = problem
    self.warning = warning
    self.isLeft = isLeft
  }
}
