import LarderModel
package import TerminalUI

/// The source of themes for the program.
package struct ThemeSource: Sendable {
  /// The names of all themes, in the order of the list.
  package var names: [String]
  /// Loads a theme by name or path, and returns it with its warnings.
  package var load: @Sendable (String) throws -> (theme: Theme, warnings: [String])
  /// Returns the theme for a background of the terminal; `nil` if the user has chosen a theme.
  package var suiting: (@Sendable (RGB) -> String)?

  /// Returns the message about a theme that cannot be loaded, with a suggestion if its name is
  /// unknown.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - name: The name of the theme, or the path of its file.
  ///   - names: The names of all themes.
  ///   - otherwise: A clause about where the themes are listed.
  /// - Returns: A sentence.
  package static func sentence(
    on error: any Error, named name: String, among names: [String], otherwise: String
  ) -> String {
    guard (error as? ThemeError)?.code == .notFound, !name.contains("/"), !name.hasSuffix(".json")
    else { return "\(error)" }
    return Messages.noTheme(
      name, SpellingSuggestion.advice(for: name, in: names, otherwise: otherwise))
  }

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
