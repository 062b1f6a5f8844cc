/// A command line up to the cursor, as a shell reads it.
struct TypedLine: Equatable {
  /// The words before the one that the cursor is in.
  private(set) var before: [String] = []
  /// The word that the cursor is in, up to it.
  private(set) var typed = ""
  /// The quotation mark that is open at the cursor.
  private(set) var quote: Unicode.Scalar?
  /// Whether the word begins with a tilde that the shell takes for a home folder.
  private(set) var beginsAtHome = false
  /// How many scalars of ``typed`` stand before the part that the shell puts another in the place
  /// of.
  private(set) var breakCount = 0

  /// Reads a line with the quotation marks and backslashes of a shell.
  ///
  /// - Parameters:
  ///   - line: The line up to the cursor.
  ///   - breaks: Characters, besides blanks, that the shell's completion takes words apart at.
  init(_ line: String, breaks: String = "") {
    var isEscaped = false
    var isWord = false
    // By scalars: a letter may join a mark that a shell reads by itself.
    for character in line.unicodeScalars {
      if isEscaped {
        isEscaped = false
        // In double quotes a backslash stands for itself before what it need not protect.
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

  /// What a backslash takes the meaning from in double quotes.
  private static let special: [Unicode.Scalar] = ["\"", "\\", "$", "`"]

  /// A text as it is typed in the place of the part that the shell replaces, so that it is read
  /// back as it is.
  ///
  /// A key of a store can be anything, and what a shell reads otherwise it may run.
  ///
  /// - Parameter text: The whole word.
  /// - Returns: The part; nil where it cannot be typed.
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
        // Nothing takes its meaning from the mark of the history there.
        if scalar == "!" { return nil }
        if Self.special.contains(scalar) { result.append("\\") }
      case nil:
        // At the beginning of a word these are a remark and a home folder, which may be meant.
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
  /// Whether a shell reads it as itself.
  fileprivate var isSafe: Bool {
    switch value {
    case 0x80...: !properties.isWhitespace
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_./:=@%+,^".unicodeScalars.contains(self)
    }
  }
}
