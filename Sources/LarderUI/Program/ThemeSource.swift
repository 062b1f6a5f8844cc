package import TerminalUI

/// Where the program gets its themes from.
package struct ThemeSource: Sendable {
  /// The names of the themes there are, in the order they are switched through.
  package var names: [String]
  /// Loads a theme by its name or path; the texts are warnings about it.
  package var load: @Sendable (String) throws -> (theme: Theme, warnings: [String])
  /// The theme for a background of the terminal, or nil where the person has chosen one.
  package var suiting: (@Sendable (RGB) -> String)?

  package init(
    names: [String],
    load: @escaping @Sendable (String) throws -> (theme: Theme, warnings: [String]),
    suiting: (@Sendable (RGB) -> String)? = nil
  ) {
    self.names = names
    self.load = load
    self.suiting = suiting
  }
}
