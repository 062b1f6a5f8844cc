// The sentences of this target that users can see. Each follows a position in a theme or in a list
// of keys, and has no final full stop.

/// The problems of themes and of key scripts.
enum Messages {
  static let textAfterEnd = "nothing may follow the outer object"
  static let deepNesting = "the values are nested too deeply"
  static let lineEndInString = "a string must end on its line"
  static let openString = "the string has no closing quote"
  static let loneSurrogate = "half of a surrogate pair is missing"
  static let shortEscape = "“\\u” must be followed by four hexadecimal digits"
  static let endOfFile = "but the file ends"
  static let nameInQuotes = "a name in quotes"
  static let bool = "a Boolean"

  static func expected(_ what: String, _ found: String) -> String {
    "\(what) is expected here, \(found)"
  }

  static func repeated(_ name: String) -> String {
    "“\(Sanitizer.display(name))” occurs more than once"
  }

  static func unknownEscape(_ letter: Unicode.Scalar) -> String {
    "“\\\(letter)” is not an escape"
  }
  static func notNumber(_ text: String) -> String { "“\(text)” is not a number" }
  static func unquoted(_ word: String) -> String { "“\(word)” must be in quotes" }
}

// MARK: The structure of a theme

extension Messages {
  static let colorNumber = "the number of a color must be from 0 to 255"
  static let theme = "a theme"
  static let attribute = "an attribute"

  static func unknownMember(_ name: String, of part: String) -> String {
    "\(part) has no member “\(name)”"
  }

  static func notColor(_ name: String) -> String { "the value of “\(name)” is not a color" }

  static func unknown(_ noun: String, _ name: String) -> String {
    "there is no \(noun) “\(Sanitizer.display(name))”"
  }

  static func wrongType(_ name: String, _ expected: String, not found: ThemeJSON) -> String {
    "\(name) must be \(expected), not \(found.kind)"
  }

  static func unusedColor(_ name: String) -> String {
    "the color “\(Sanitizer.display(name))” is not used"
  }

  /// Returns the message about required roles without a style.
  ///
  /// - Parameters:
  ///   - roles: The roles.
  ///   - unknown: A role in the file that does not exist, perhaps a misspelling.
  /// - Returns: The message.
  static func noStyle(for roles: [ThemeRole], unknown: String?) -> String {
    (unknown.map { self.unknown("role", $0) + ", and " } ?? "") + "there is no style for "
      + roles.map { "“\($0.rawValue)”" }.joined(separator: ", ")
  }
}

// MARK: Loading a theme

extension Messages {
  static let noFile = "no such file"
  static let unreadableFile = "the file cannot be read"
  static let notUTF8 = "the file is not UTF-8"

  static func noParentFile(_ name: String) -> String {
    "the theme “\(name)” has no file, so it cannot be inherited"
  }

  static func circular(_ themes: [String]) -> String {
    "the theme inherits itself: " + themes.joined(separator: " → ")
  }

  static func noTheme(among names: [String]) -> String {
    "there is no such theme; choose one of " + names.joined(separator: ", ")
  }

  static func noParent(_ quoted: String) -> String { "it inherits \(quoted), which does not exist" }
}

// MARK: Key scripts

extension Messages {
  static let openKey =
    "“<” starts the name of a key, but “>” is missing; for “<” itself, type “<lt>”"

  static func noKey(_ name: String) -> String {
    "there is no key “\(Sanitizer.display(name))”"
  }
}
