import Foundation
import Harmony
import HarmonyInspection

/// What a program shows on a socket, in this process.
final class LiveProgram: Sendable {
  let folder: String
  private let inspector = Locked<Inspector?>(nil)

  init() {
    // Short, as the paths of sockets have to be.
    folder = "/tmp/live-" + UUID().uuidString.prefix(12)
  }

  deinit {
    inspector.withLock { $0?.close() }
    try? FileManager.default.removeItem(atPath: folder)
  }

  var socket: String { folder + "/app.sock" }

  /// Begins to show sources.
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

  /// Ends as the process would.
  func end() {
    let old = inspector.withLock { inspector in
      defer { inspector = nil }
      return inspector
    }
    old?.close()
  }
}
