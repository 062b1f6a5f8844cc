import Foundation

/// A program that speaks an older version of the inspection protocol, or goes away at some word, as
/// far as those who look can tell: what they say is passed on to one that does neither.
package enum RelayedProgram {
  /// Listens at a path, and passes on what is said there.
  ///
  /// - Parameters:
  ///   - version: The newest version that it speaks.
  ///   - path: Where it listens, for as long as this process lasts.
  ///   - program: Where the program listens.
  ///   - isCut: Whether the connection ends rather than that something is passed on.
  /// - Returns: Whether it can listen.
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

  /// Passes on bytes until there are no more.
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
