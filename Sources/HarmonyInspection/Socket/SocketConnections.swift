import Foundation

/// The number of connections to a socket, as far as the system reports it.
struct SocketConnections {
  /// The number of connections that the listening process has accepted.
  private(set) var served = 0
  /// The number of connections that it has not accepted yet.
  private(set) var waiting = 0

  /// Counts the connections to a path; none if the system does not report them.
  init(at path: String) {
    // The system does not list all at one moment, and may leave one out while others come and go.
    var inodes: Set<Substring> = []
    for _ in 0..<3 {
      let table = try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8)
      guard let table else { return }
      var count = 0
      for line in table.split(separator: "\n") {
        // Num RefCount Protocol Flags Type St Inode Path
        let fields = line.split(separator: " ", maxSplits: 7)
        guard fields.count == 8, fields[7] == path else { continue }
        switch (fields[5], fields[6]) {
        // A connection that was not accepted yet has no inode.
        case (_, "0"): count += 1
        case ("03", let inode): inodes.insert(inode)
        default: break
        }
      }
      waiting = max(waiting, count)
    }
    served = inodes.count
  }
}
