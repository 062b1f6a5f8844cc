/// A command line up to the cursor, parsed as a shell does.
struct TypedLine: Equatable {
  /// The words before the one at the cursor.
  private(set) var before: [String] = []
  /// The word at the cursor, up to the cursor.
  private(set) var typed = ""
  /// The quotation mark that is open at the cursor.
  private(set) var quote: Unicode.Scalar?
  /// Whether the word starts with a tilde that the shell expands to a home folder.
  private(set) var beginsAtHome = false
  /// The number of scalars of ``typed`` before the part that the shell replaces.
  private(set) var breakCount = 0

  /// Parses a line according to the quoting rules of a shell.
  ///
  /// - Parameters:
  ///   - line: The line up to the cursor.
  ///   - breaks: The characters besides blanks at which the shell's completion splits words.
  init(_ line: String, breaks: String = "") {
    var isEscaped = false
    var isWord = false
    // Scalars rather than characters, which may combine a quotation mark with what follows.
    for character in line.unicodeScalars {
      if isEscaped {
        isEscaped = false
        // In double quotes, a backslash is literal before any character that needs no escaping.
        if quote == "\"", !Self.special.contains(character) { typed.unicodeScalars.append("\\") }
        typed.unicodeScalars.append(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
        isWord = true
      } else if let open = quote {
        if character == open { quote = nil } else { typed.unicodeScalars.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isWord = true
      } else if character == " " || character == "\t" || character == "\n" {
        if isWord { before.append(typed) }
        typed = ""
        breakCount = 0
        beginsAtHome = false
        isWord = false
      } else {
        if character == "~", !isWord { beginsAtHome = true }
        isWord = true
        typed.unicodeScalars.append(character)
        if breaks.unicodeScalars.contains(character) { breakCount = typed.unicodeScalars.count }
      }
    }
  }

  /// The characters that a backslash escapes in double quotes.
  private static let special: [Unicode.Scalar] = ["\"", "\\", "$", "`"]

  /// Returns a word, escaped to replace the part that the shell replaces.
  ///
  /// A key can contain anything, and an unescaped one could make the shell run commands.
  ///
  /// - Parameter text: The whole word.
  /// - Returns: The replacement; nil if the word cannot be typed.
  func written(_ text: String) -> String? {
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return nil
    }
    var result = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated().dropFirst(breakCount) {
      switch quote {
      case "'":
        if scalar == "'" { return nil }
      case .some:
        // History expansion cannot be escaped in double quotes.
        if scalar == "!" { return nil }
        if Self.special.contains(scalar) { result.append("\\") }
      case nil:
        // Only at the start of a word do these begin a comment or denote a home folder.
        let isMeant =
          scalar == "#"
          ? place > 0 : scalar == "~" ? place == 0 && beginsAtHome : scalar.isSafe
        if !isMeant { result.append("\\") }
      }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether a shell reads the scalar literally.
  fileprivate var isSafe: Bool {
    switch value {
    case 0x80...: !properties.isWhitespace
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_./:=@%+,^".unicodeScalars.contains(self)
    }
  }
}
