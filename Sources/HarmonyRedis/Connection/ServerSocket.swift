import Foundation
import Harmony

/// A resolved address of a socket.
struct SocketAddress: Sendable {
  private let bytes: [UInt8]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = Array(bytes)
  }

  /// Creates the address of a Unix socket; nil if the path is empty, too long or contains NUL.
  init?(path: String) {
    var address = sockaddr_un()
    let path = Array(path.utf8)
    guard !path.isEmpty, !path.contains(0),
      path.count < MemoryLayout.size(ofValue: address.sun_path)
    else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    bytes = withUnsafeBytes(of: &address) { Array($0) }
  }

  /// Starts connecting a new non-blocking socket.
  func startConnecting() throws(RedisError) -> Descriptor {
    // Every address begins with its family.
    let family = bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }
    let number = socket(
      Int32(family),
      Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw .system(.createSocket, errno) }
    let socket = Descriptor(number)
    if Int32(family) != AF_UNIX {
      var isOn: Int32 = 1
      let size = socklen_t(MemoryLayout.size(ofValue: isOn))
      setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
      setsockopt(number, SOL_SOCKET, SO_KEEPALIVE, &isOn, size)
    }
    let result = bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(number, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    // An interrupted call continues in the background like one in progress.
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
      throw .system(.connect, errno)
    }
    return socket
  }

  fileprivate static func look(
    up host: String, _ port: Int, _ flags: Int32
  ) -> Result<[SocketAddress], RedisError> {
    var hints = addrinfo()
    hints.ai_flags = flags | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, "\(port)", &hints, &first)
    defer { if let first { freeaddrinfo(first) } }
    guard result == 0 else {
      return .failure(.notFound(host, result))
    }
    var addresses: [SocketAddress] = []
    var next = first
    while let info = next?.pointee {
      if let address = info.ai_addr {
        addresses.append(
          SocketAddress(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))))
      }
      next = info.ai_next
    }
    return .success(addresses)
  }
}

/// The addresses of a server, in the order in which to try them.
///
/// A name is looked up on another thread, because the system has no time limit for that.
final class AddressLookup: Sendable {
  private let answer = Locked<Result<[SocketAddress], RedisError>?>(nil)

  /// The addresses; nil if they are not known yet.
  var result: Result<[SocketAddress], RedisError>? { answer.withLock { $0 } }

  /// Starts looking up an address, and rings an alarm at the end.
  init(_ address: RedisAddress, _ alarm: Alarm) throws(RedisError) {
    switch address {
    case .unix(let path):
      guard let address = SocketAddress(path: path) else {
        throw .notSocketPath(path)
      }
      answer.withLock { $0 = .success([address]) }
    case .tcp(let host, let port):
      guard !host.isEmpty, !host.utf8.contains(0), (1...65_535).contains(port) else {
        throw .notAddress(address)
      }
      if case .success(let addresses) = SocketAddress.look(up: host, port, AI_NUMERICHOST) {
        answer.withLock { $0 = .success(addresses) }
        return
      }
      let thread = Thread { [self] in
        let addresses = SocketAddress.look(up: host, port, 0)
        answer.withLock { $0 = addresses }
        alarm.ring()
      }
      thread.name = "redis name"
      thread.start()
    }
  }
}
