/// A command line up to the cursor, as a shell reads it.
struct TypedLine: Equatable {
  /// The words before the one that the cursor is in.
  private(set) var before: [String] = []
  /// The word that the cursor is in, up to it.
  private(set) var typed = ""
  /// The quotation mark that is open at the cursor.
  private(set) var quote: Character?
  /// How many characters of ``typed`` stand before the part that the shell puts another in the
  /// place of.
  private(set) var breakCount = 0

  /// Reads a line with the quotation marks and backslashes of a shell.
  ///
  /// - Parameters:
  ///   - line: The line up to the cursor.
  ///   - breaks: Characters, besides blanks, that the shell's completion takes words apart at.
  init(_ line: String, breaks: String = "") {
    var isEscaped = false
    var isWord = false
    for character in line {
      if isEscaped {
        isEscaped = false
        // In double quotes a backslash stands for itself before what it need not protect.
        if quote == "\"", !"\"\\$`".contains(character) { typed.append("\\") }
        typed.append(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
        isWord = true
      } else if let open = quote {
        if character == open { quote = nil } else { typed.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isWord = true
      } else if character == " " || character == "\t" || character.isNewline {
        if isWord { before.append(typed) }
        typed = ""
        breakCount = 0
        isWord = false
      } else {
        isWord = true
        typed.append(character)
        if breaks.contains(character) { breakCount = typed.count }
      }
    }
  }

  /// A text as it is typed in the place of the part that the shell replaces, so that it is read
  /// back as it is.
  ///
  /// - Parameter text: The whole word.
  /// - Returns: The part; nil where it cannot be typed.
  func written(_ text: String) -> String? {
    let rest = text.dropFirst(breakCount)
    guard !text.contains(where: \.isControl) else { return nil }
    switch quote {
    case "'": return rest.contains("'") ? nil : String(rest)
    case .some: return rest.reduce(into: "") { $0 += "\"\\$`".contains($1) ? "\\\($1)" : "\($1)" }
    case nil: return rest.reduce(into: "") { $0 += $1.isSafe ? "\($1)" : "\\\($1)" }
    }
  }
}

extension Character {
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Whether a shell reads it as itself.
  fileprivate var isSafe: Bool {
    !isASCII || isLetter || isNumber || "-_./:=@%+,#~^".contains(self)
  }
}
