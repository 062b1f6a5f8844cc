import Foundation

/// The folder for what larder keeps of a person's work between runs, `$XDG_STATE_HOME/larder`.
enum StateFolder {
  /// Where the folder is, which may not be there yet.
  ///
  /// - Parameter environment: The variables of the process; a relative `XDG_STATE_HOME` is none.
  /// - Returns: Its path.
  static func path(environment: [String: String]) -> String {
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    return (state ?? home + "/.local/state") + "/larder"
  }
}
