import Foundation
import Harmony

@testable import HarmonyInspection

/// A client that does not follow the protocol.
final class RawPeer: Sendable {
  private let descriptor: Descriptor

  init(_ path: String) throws {
    descriptor = try Descriptor.socket()
    let address = try SocketAddress(path)
    guard address.call({ connect(descriptor.number, $0, $1) }) == 0 else { throw POSIXError(.EIO) }
  }

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// Sends bytes until the other end stops reading.
  func send(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends the length of a message, then the message.
  func send(message: String) {
    send(UInt32(message.utf8.count).bigEndianBytes + Array(message.utf8))
  }

  func greet() { send(InspectionVersion.greeting) }

  /// Receives a number of bytes, or fewer if the other end closes.
  func receive(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor.number, &buffer, buffer.count, 0)
      guard got > 0 else { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  /// Receives a message, or nil if the other end closes.
  func message() -> String? {
    let header = receive(4)
    guard header.count == 4 else { return nil }
    let length = header.reduce(0) { $0 << 8 | Int($1) }
    return String(decoding: receive(length), as: UTF8.self)
  }

  /// Waits until the other end has closed, without reading.
  func waitForEnd() {
    var wait = pollfd(fd: descriptor.number, events: 0, revents: 0)
    while poll(&wait, 1, -1) < 0 || wait.revents & Int16(POLLHUP) == 0 {}
  }

  /// Whether the other end has closed, after reading all its output.
  func isEnded() -> Bool {
    while !receive(65_536).isEmpty {}
    return true
  }
}
