import Foundation

/// A folder of its own for a socket, which is removed with this object.
///
/// Its path is short, as those of sockets have to be.
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
