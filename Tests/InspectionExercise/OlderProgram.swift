import Foundation

/// A program that speaks an older version of the inspection protocol, as far as those who look can
/// tell: what they say is passed on to one that speaks the newest.
package enum OlderProgram {
  /// Listens at a path, and passes on what is said there.
  ///
  /// - Parameters:
  ///   - version: The newest version that it speaks.
  ///   - path: Where it listens, for as long as this process lasts.
  ///   - program: Where the program listens.
  /// - Returns: Whether it can listen.
  package static func listen(version: UInt8, at path: String, for program: String) -> Bool {
    guard let socket = RawSocket.listening(at: path) else { return false }
    Thread.detachNewThread {
      while let peer = socket.accepted() {
        guard let other = RawSocket.connected(to: program), let greeting = peer.bytes(8) else {
          continue
        }
        other.send(greeting.dropLast() + [min(version, greeting.last ?? 0)])
        Thread.detachNewThread { pass(from: peer, to: other) }
        Thread.detachNewThread { pass(from: other, to: peer) }
      }
    }
    return true
  }

  /// Passes on bytes until there are no more.
  private static func pass(from one: RawSocket, to other: RawSocket) {
    while true {
      switch one.receive(65_536) {
      case .bytes(let bytes): other.send(bytes)
      case .nothingInTime: continue
      case .end:
        shutdown(other.number, Int32(SHUT_RDWR))
        return
      }
    }
  }
}
