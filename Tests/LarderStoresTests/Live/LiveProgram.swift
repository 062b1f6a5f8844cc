import Foundation
import Harmony
import HarmonyInspection

/// A program in this process that exposes sources on a socket.
final class LiveProgram: Sendable {
  let folder: String
  private let inspector = Locked<Inspector?>(nil)

  init() {
    // The paths of sockets have to be short.
    folder = "/tmp/live-" + UUID().uuidString.prefix(12)
  }

  deinit {
    inspector.withLock { $0?.close() }
    try? FileManager.default.removeItem(atPath: folder)
  }

  var socket: String { folder + "/app.sock" }

  /// Starts to expose sources.
  ///
  /// - Returns: The location.
  @discardableResult
  func show(_ expose: (Inspector) -> Void) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let new = try Inspector(socket: socket)
    expose(new)
    inspector.withLock { $0 = new }
    return "unix:" + socket
  }

  /// Closes the socket, as if the program ended.
  func end() {
    let old = inspector.withLock { inspector in
      defer { inspector = nil }
      return inspector
    }
    old?.close()
  }
}
