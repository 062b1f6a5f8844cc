import Foundation
import Harmony

@testable import HarmonyInspection

/// A server that does not follow the protocol.
final class HostileServer: Sendable {
  private let socket: ListeningSocket

  /// Listens and serves each connection on its own thread.
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
