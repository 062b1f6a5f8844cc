import Foundation
import Harmony

/// The folder for larder's state between runs, `$XDG_STATE_HOME/larder`.
package enum StateFolder {
  /// Creates the folder if it does not exist.
  ///
  /// - Throws: `TrustedPath.Refusal` if other users can write to it, and errors of the file system.
  package static func make(_ path: String) throws {
    try TrustedPath.check(folder: path)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
