import Foundation

/// Paths that begin in the home folder, as a shell writes them.
package enum HomePath {
  /// The path with the home folder in the place of a `~` that stands before its first slash.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.utf8.starts(with: "~/".utf8) else { return path }
    return NSHomeDirectory() + String(path.dropFirst())
  }
}
