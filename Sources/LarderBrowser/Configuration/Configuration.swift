package import LarderModel

/// The settings from the user's configuration file.
package struct Configuration: Sendable, Equatable {
  /// The theme of the browser: a name, or the path of a file.
  package var theme: String?
  /// The key separator for the tree view.
  package var delimiter: String?
  /// Whether stores are opened read-only.
  package var isReadOnly = false
  /// Whether a journal records changes, so that they can be undone.
  package var keepsJournal = true
  /// Whether the browser restores the last session if no location is given.
  package var resumes = false
  /// The key bindings.
  package var bindings = Bindings.standard
  /// The path patterns of protected stores, in which `*` matches any characters and `?` matches
  /// one.
  package var protected: [String] = []

  /// The rules for finding expiry times in certain stores.
  package var expiryRules: [ExpiryRule] = []
  /// The user's descriptions of tables.
  package var lenses: [LensRule] = []

  package init() {}
}

/// An error in a configuration file, which does not affect other settings.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line number, from 1.
  package let line: Int
  /// The path of names to the value, joined by periods, which is empty for the whole file.
  package let name: String
  /// A description of the error and how to fix it.
  package let message: String

  package init(line: Int, name: String, message: String) {
    self.line = line
    self.name = name
    self.message = message
  }

  /// The line, the name and the message.
  package var description: String {
    Messages.problem(message, line: line, name: name)
  }
}
