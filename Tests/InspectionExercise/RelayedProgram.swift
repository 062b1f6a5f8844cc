import Foundation

/// A relay to a live process that simulates an older protocol version or a lost connection.
package enum RelayedProgram {
  /// Listens at a path and forwards data to a program.
  ///
  /// - Parameters:
  ///   - version: The latest protocol version to announce.
  ///   - path: The path of the relay's socket, which is open until this process exits.
  ///   - program: The path of the program's socket.
  ///   - isCut: Whether to close the connection instead of forwarding these bytes.
  /// - Returns: Whether the socket could be created.
  package static func listen(
    version: UInt8 = .max, at path: String, for program: String,
    isCut: @escaping @Sendable (_ bytes: [UInt8]) -> Bool = { _ in false }
  ) -> Bool {
    guard let socket = RawSocket.listening(at: path) else { return false }
    Thread.detachNewThread {
      while let peer = socket.accepted() {
        guard let other = RawSocket.connected(to: program), let greeting = peer.bytes(8),
          !isCut(greeting)
        else { continue }
        other.send(greeting.dropLast() + [min(version, greeting.last ?? 0)])
        Thread.detachNewThread { pass(from: peer, to: other, isCut) }
        Thread.detachNewThread { pass(from: other, to: peer) { _ in false } }
      }
    }
    return true
  }

  /// Forwards bytes in one direction until the end.
  private static func pass(
    from one: RawSocket, to other: RawSocket, _ isCut: (_ bytes: [UInt8]) -> Bool
  ) {
    while true {
      switch one.receive(65_536) {
      case .bytes(let bytes) where !isCut(bytes): other.send(bytes)
      case .nothingInTime: continue
      case .bytes, .end:
        shutdown(one.number, Int32(SHUT_RDWR))
        shutdown(other.number, Int32(SHUT_RDWR))
        return
      }
    }
  }
}
