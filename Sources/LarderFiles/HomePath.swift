import Foundation

/// Paths in the user's home folder.
package enum HomePath {
  /// Returns the home folder: `$HOME` if it is set and not empty, else the one in the user
  /// database.
  package static func folder(_ environment: [String: String]) -> String {
    environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
  }

  /// Returns the path with a leading `~` or `~/` expanded to the home folder, as in a shell.
  package static func expanded(
    _ path: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    guard path == "~" || path.utf8.starts(with: "~/".utf8) else { return path }
    return folder(environment) + String(path.dropFirst())
  }

  /// The purpose of a folder with user files.
  package enum Purpose {
    /// State that is preserved between runs.
    case state
    /// Settings.
    case configuration
  }

  /// Returns larder's folder for a purpose, which may not exist yet: `$XDG_STATE_HOME/larder` or
  /// `$XDG_CONFIG_HOME/larder`, with the default location in the home folder if the variable is
  /// unset or relative.
  package static func larder(
    _ purpose: Purpose, _ environment: [String: String]
  ) -> String {
    let (variable, usual) =
      switch purpose {
      case .state: ("XDG_STATE_HOME", "/.local/state")
      case .configuration: ("XDG_CONFIG_HOME", "/.config")
      }
    let named = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (named ?? folder(environment) + usual) + "/larder"
  }
}
