import Foundation

/// A Unix-domain socket that sends arbitrary bytes.
final class RawSocket: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
    // A timeout that even a slow machine does not reach.
    var time = (30, 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
  }

  deinit {
    close(number)
  }

  private static func make() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }

  private static func call(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Connects to a path; returns nil if no process listens there.
  static func connected(to path: String) -> RawSocket? {
    let socket = RawSocket(make())
    return call(path) { connect(socket.number, $0, $1) } == 0 ? socket : nil
  }

  /// Listens at a path; returns nil if that fails.
  static func listening(at path: String) -> RawSocket? {
    let socket = RawSocket(make())
    guard call(path, { bind(socket.number, $0, $1) }) == 0, listen(socket.number, 16) == 0 else {
      return nil
    }
    return socket
  }

  /// Waits for a client to connect.
  func accepted() -> RawSocket? {
    while true {
      let number = accept(number, nil, nil)
      if number >= 0 { return RawSocket(number) }
      guard errno == EAGAIN || errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// Sends bytes until the peer accepts no more.
  func send(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a message with a length prefix.
  func send(message: some Collection<UInt8>) {
    let count = UInt32(message.count)
    send((0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(message))
  }

  /// The result of a read.
  enum Received {
    case bytes([UInt8])
    case end
    case nothingInTime
  }

  func receive(_ most: Int) -> Received {
    var buffer = [UInt8](repeating: 0, count: most)
    while true {
      let count = recv(number, &buffer, most, 0)
      if count > 0 { return .bytes(Array(buffer[..<count])) }
      if count == 0 || errno == ECONNRESET { return .end }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .nothingInTime : .end
    }
  }

  /// Receives a complete message; returns nil if none arrives.
  func message() -> [UInt8]? {
    guard let header = bytes(4) else { return nil }
    return bytes(header.reduce(0) { $0 << 8 | Int($1) })
  }

  /// Receives exactly the given number of bytes; returns nil if they do not arrive.
  func bytes(_ count: Int) -> [UInt8]? {
    var all: [UInt8] = []
    while all.count < count {
      guard case .bytes(let more) = receive(count - all.count) else { return nil }
      all += more
    }
    return all
  }
}
