import Foundation

/// The connections to a socket, as far as the system reports them.
struct SocketConnections {
  /// Whether the listening process has accepted any connection.
  private(set) var isServing = false
  /// Whether there is a connection that it has not accepted yet.
  private(set) var isWaiting = false

  /// Reads the state of the connections to a path; both are false if the system does not report it.
  init(at path: String) {
    // The system does not list all at one moment, and may leave one out while others come and go.
    for _ in 0..<3 {
      let table = try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8)
      for line in table?.split(separator: "\n") ?? [] {
        // Num RefCount Protocol Flags Type St Inode Path
        let fields = line.split(separator: " ", maxSplits: 7)
        guard fields.count == 8, fields[7] == path else { continue }
        // A connection that was not accepted yet has no inode.
        if fields[6] == "0" { isWaiting = true } else if fields[5] == "03" { isServing = true }
      }
    }
  }
}
