import Foundation
import Harmony

/// The folder for what larder keeps of a user's work between runs, `$XDG_STATE_HOME/larder`.
package enum StateFolder {
  /// Makes the folder if there is none.
  ///
  /// - Throws: `TrustedPath.Refusal` where it is not this user's alone, and what the file system
  ///   refused.
  package static func make(_ path: String) throws {
    try TrustedPath.check(folder: path)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
