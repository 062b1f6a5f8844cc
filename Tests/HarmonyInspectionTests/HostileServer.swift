import Foundation

@testable import HarmonyInspection

/// A process that listens at a socket and keeps to no protocol.
final class HostileServer: Sendable {
  private let socket: ListeningSocket

  /// Listens, and serves each connection on a thread of its own.
  init(_ path: String, _ serve: @escaping @Sendable (RawPeer) -> Void) throws {
    let socket = try ListeningSocket(path)
    self.socket = socket
    let number = socket.descriptor.number
    Thread.detachNewThread {
      while true {
        let accepted = accept(number, nil, nil)
        guard accepted >= 0 else { return }
        let peer = RawPeer(Descriptor(accepted))
        Thread.detachNewThread { serve(peer) }
      }
    }
  }

  deinit {
    socket.close()
  }
}
