import Foundation

/// A temporary folder for a socket, which is removed with this object.
///
/// Its path is short because socket paths are limited.
final class SocketFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/insp-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
    path = String(cString: made)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var socket: String { path + "/app.sock" }
}
