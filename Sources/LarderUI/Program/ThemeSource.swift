import LarderModel
package import TerminalUI

/// Where the program gets its themes from.
package struct ThemeSource: Sendable {
  /// The names of the themes there are, in the order they are switched through.
  package var names: [String]
  /// Loads a theme by its name or path; the texts are warnings about it.
  package var load: @Sendable (String) throws -> (theme: Theme, warnings: [String])
  /// The theme for a background of the terminal, or nil where the user has chosen one.
  package var suiting: (@Sendable (RGB) -> String)?

  /// Why a theme cannot be used: of a name that no theme has, which one was probably meant.
  ///
  /// - Parameters:
  ///   - error: What loading it has thrown.
  ///   - name: Its name, or the path of its file.
  ///   - names: The names of all themes.
  ///   - otherwise: Where these are listed, as a clause.
  /// - Returns: A sentence.
  package static func sentence(
    on error: any Error, named name: String, among names: [String], otherwise: String
  ) -> String {
    guard (error as? ThemeError)?.code == .notFound, !name.contains("/"), !name.hasSuffix(".json")
    else { return "\(error)" }
    return "there is no theme “\(name)”; "
      + Nearest.advice(for: name, in: names, otherwise: otherwise)
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
