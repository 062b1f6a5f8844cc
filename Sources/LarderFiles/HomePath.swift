import Foundation

/// Places in the home folder of the user.
package enum HomePath {
  /// The home folder: the one that the environment names, else the one of the user.
  package static func folder(_ environment: [String: String]) -> String {
    environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
  }

  /// The path with the home folder in the place of a `~` that stands before its first slash, as a
  /// shell has it.
  package static func expanded(
    _ path: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    guard path == "~" || path.utf8.starts(with: "~/".utf8) else { return path }
    return folder(environment) + String(path.dropFirst())
  }

  /// What the folders of a user's files are for.
  package enum Purpose {
    /// What is kept of their work between runs.
    case state
    /// What they set.
    case configuration
  }

  /// The folder for files of larder, which may not be there yet: `$XDG_STATE_HOME/larder` and
  /// `$XDG_CONFIG_HOME/larder`, or the usual ones in the home folder where those are unset or
  /// relative.
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
