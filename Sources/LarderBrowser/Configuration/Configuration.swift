package import LarderModel

/// What a user has set for good, in a file.
package struct Configuration: Sendable, Equatable {
  /// The theme of the browser: a name, or the path of a file.
  package var theme: String?
  /// What parts keys into the branches of a tree.
  package var delimiter: String?
  /// Whether nothing is ever written.
  package var isReadOnly = false
  /// Whether changes are recorded, so that they can be undone.
  package var keepsJournal = true
  /// Whether the browser opens what was open when it was left last, where no location is named.
  package var resumes = false
  /// The keys that call commands.
  package var bindings = Bindings.standard
  /// The paths of stores that a user wants to be warned of, in which `*` and `?` stand for any
  /// letters and any letter.
  package var protected: [String] = []

  /// Where expiry times are, in some stores.
  package var expiryRules: [ExpiryRule] = []

  package init() {}
}

/// Something in a configuration file that cannot be applied; everything else is.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The names that lead to the value, joined by full stops; empty for the whole file.
  package let name: String
  /// What is wrong, and what would be right.
  package let message: String

  package init(line: Int, name: String, message: String) {
    self.line = line
    self.name = name
    self.message = message
  }

  /// The place and the message.
  package var description: String {
    "line \(line)\(name.isEmpty ? "" : ", \(name)"): \(message)"
  }
}
