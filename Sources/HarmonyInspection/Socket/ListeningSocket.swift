import Harmony
import Foundation

/// A socket at a path that other processes of this user can connect to.
///
/// It has mode 0600 from the start. It is removed when this object is closed or released, unless
/// the path has been reused by then. The leftover socket of a killed process is replaced.
final class ListeningSocket: Sendable {
  let descriptor: Descriptor
  private let path: String
  private let identity: Identity

  /// The identity of a file, which distinguishes it from others at the same path.
  private struct Identity: Equatable {
    var device: dev_t
    var number: ino_t

    init?(_ path: String) {
      var facts = stat()
      guard lstat(path, &facts) == 0 else { return nil }
      device = facts.st_dev
      number = facts.st_ino
    }
  }

  init(_ path: String) throws(InspectionError) {
    let address = try SocketAddress(path)
    let socket = try Descriptor.socket()
    // On Linux, a socket file gets the mode of its socket, less the umask.
    guard fchmod(socket.number, 0o600) == 0 else {
      throw .system(doing: "set up a socket", number: errno)
    }
    try Self.whileAlone(beside: path) { () throws(InspectionError) in
      try Self.removeLeftover(path, address)
      guard address.call({ bind(socket.number, $0, $1) }) == 0 else {
        throw errno == EADDRINUSE
          ? .inUse(path) : .system(doing: "make the socket \(path)", number: errno)
      }
      guard chmod(path, 0o600) == 0, listen(socket.number, 16) == 0 else {
        let number = errno
        unlink(path)
        throw .system(doing: "listen at \(path)", number: number)
      }
    }
    guard let identity = Identity(path) else {
      throw .system(doing: "find the socket \(path)", number: errno)
    }
    self.identity = identity
    self.path = path
    descriptor = socket
  }

  deinit {
    close()
  }

  /// Stops accepting connections and removes the file.
  func close() {
    shutdown(descriptor.number, Int32(SHUT_RDWR))
    // If the file was removed, another process may have created its own at the same path.
    if Identity(path) == identity { unlink(path) }
  }

  /// Performs an action while holding a lock on the directory, so that two processes that start at
  /// the same time do not mistake each other's socket for a leftover.
  private static func whileAlone(
    beside path: String, _ body: () throws(InspectionError) -> Void
  ) throws(InspectionError) {
    let number = open(path.folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system(doing: "open the folder of \(path)", number: errno) }
    let folder = Descriptor(number)
    while flock(folder.number, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw .system(doing: "lock the folder of \(path)", number: errno)
      }
    }
    try body()
  }

  private static func removeLeftover(
    _ path: String, _ address: SocketAddress
  ) throws(InspectionError) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFSOCK else { throw .noSocket(path) }
    let probe = try Descriptor.socket()
    // A process with a full queue is still running.
    try probe.stopWaiting()
    guard address.call({ connect(probe.number, $0, $1) }) != 0, errno == ECONNREFUSED else {
      throw .inUse(path)
    }
    unlink(path)
  }
}
