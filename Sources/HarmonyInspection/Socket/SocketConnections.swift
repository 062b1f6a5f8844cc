import Foundation

/// How many have connected to a socket, as far as the system tells.
struct SocketConnections {
  /// How many the process at the socket has taken.
  private(set) var served = 0
  /// How many it has not taken yet.
  private(set) var waiting = 0

  /// Looks up the connections to a path; there are none where the system does not tell.
  init(at path: String) {
    guard let table = try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8) else { return }
    for line in table.split(separator: "\n") {
      // Num RefCount Protocol Flags Type St Inode Path
      let fields = line.split(separator: " ", maxSplits: 7)
      guard fields.count == 8, fields[7] == path else { continue }
      switch (fields[5], fields[6]) {
      // What nobody has taken has no inode yet.
      case (_, "0"): waiting += 1
      case ("03", _): served += 1
      default: break
      }
    }
  }
}
