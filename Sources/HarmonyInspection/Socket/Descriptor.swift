import Foundation

/// A descriptor that is closed with this object.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// A new socket, which programs that are started do not inherit.
  static func socket() throws(InspectionError) -> Descriptor {
    let number = Foundation.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .system(doing: "make a socket", number: errno) }
    return Descriptor(number)
  }

  /// Lets reads and writes return at once where they would wait.
  func stopWaiting() throws(InspectionError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) >= 0 else {
      throw .system(doing: "set up a socket", number: errno)
    }
  }

  /// Lets reads or writes give up after some time, or never after 0 seconds.
  func limit(_ option: Int32, seconds: Double) {
    let whole = seconds.rounded(.down)
    // A `timeval`, which not every order of imports lets be made by its name.
    var time = (Int(whole), Int(((seconds - whole) * 1e6).rounded(.up)))
    setsockopt(number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout.size(ofValue: time)))
  }

  /// The process at the other end: who has connected, or who has begun to listen.
  func process() throws(InspectionError) -> InspectedProcess {
    let (id, user) = try credentials()
    return InspectedProcess(id: id, user: user)
  }

  /// The user that the process at the other end runs as.
  func peer() throws(InspectionError) -> uid_t {
    try credentials().user
  }

  private func credentials() throws(InspectionError) -> (process: pid_t, user: uid_t) {
    // The process, the user and the group.
    var credentials: (pid_t, uid_t, gid_t) = (0, uid_t.max, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw .system(doing: "ask who is at the other end", number: errno)
    }
    return (credentials.0, credentials.1)
  }

  /// Refuses the process at the other end unless it may look, or may be looked at.
  ///
  /// - Parameter isClient: Whether this is the end that connected.
  /// - Throws: ``InspectionError/stranger(user:)``.
  func checkPeer(isClient: Bool) throws(InspectionError) {
    let user = try peer()
    guard Self.mayTalk(to: user, as: geteuid(), isClient: isClient) else {
      throw .stranger(user: user)
    }
  }

  /// Whether a process talks to one of another user: to its own and the administrator's, and as the
  /// administrator it connects to any.
  static func mayTalk(to peer: uid_t, as user: uid_t, isClient: Bool) -> Bool {
    peer == user || peer == 0 || isClient && user == 0
  }
}
