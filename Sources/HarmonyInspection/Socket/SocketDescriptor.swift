import Foundation
import Harmony

extension Descriptor {
  /// Creates a socket with the close-on-exec flag.
  static func socket() throws(InspectionError) -> Descriptor {
    let number = Foundation.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .system(doing: "make a socket", number: errno) }
    return Descriptor(number)
  }

  /// Makes reads and writes non-blocking.
  func stopWaiting() throws(InspectionError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) >= 0 else {
      throw .system(doing: "set up a socket", number: errno)
    }
  }

  /// Sets a timeout for reads or writes; 0 seconds means none.
  func limit(_ option: Int32, seconds: Double) {
    let whole = seconds.rounded(.down)
    // A `timeval`, which cannot be named with every order of imports.
    var time = (Int(whole), Int(((seconds - whole) * 1e6).rounded(.up)))
    setsockopt(number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout.size(ofValue: time)))
  }

  /// Returns the process at the other end: the one that connected, or that started listening.
  func process() throws(InspectionError) -> InspectedProcess {
    let (id, user) = try credentials()
    return InspectedProcess(id: id, user: user)
  }

  /// Returns the ID of the user that the process at the other end runs as.
  func peer() throws(InspectionError) -> uid_t {
    try credentials().user
  }

  private func credentials() throws(InspectionError) -> (process: pid_t, user: uid_t) {
    // The process, user and group IDs.
    var credentials: (pid_t, uid_t, gid_t) = (0, uid_t.max, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw .system(doing: "ask who is at the other end", number: errno)
    }
    return (credentials.0, credentials.1)
  }

  /// Rejects the process at the other end if it is not trusted.
  ///
  /// - Parameter isClient: Whether this is the end that connected.
  /// - Throws: ``InspectionError/stranger(user:)``.
  func checkPeer(isClient: Bool) throws(InspectionError) {
    let user = try peer()
    guard Self.mayTalk(to: user, as: geteuid(), isClient: isClient) else {
      throw .stranger(user: user)
    }
  }

  /// Returns whether processes of two users may communicate: those of the same user and the
  /// administrator may, and as the administrator a client connects to any process.
  static func mayTalk(to peer: uid_t, as user: uid_t, isClient: Bool) -> Bool {
    peer == user || peer == 0 || isClient && user == 0
  }
}
