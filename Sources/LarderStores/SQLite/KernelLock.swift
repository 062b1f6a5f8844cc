import Foundation

/// A line of `/proc/locks`.
struct KernelLock {
  /// The process that holds the lock.
  let process: pid_t
  let isExclusive: Bool
  let start: Int
  private let device: Substring
  private let inode: UInt64

  /// Parses a line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:1311 1073741825 1073741825`; nil
  /// for a process that only waits, and for other kinds of locks.
  init?(_ line: some StringProtocol) {
    let words = Substring(line).split(separator: " ")
    guard words.count >= 8, words[1] == "POSIX", let process = pid_t(words[4]), process > 0,
      let start = Int(words[6])
    else { return nil }
    let place = words[5].split(separator: ":")
    guard place.count == 3, let inode = UInt64(place[2]) else { return nil }
    self.process = process
    self.start = start
    self.inode = inode
    isExclusive = words[3] == "WRITE"
    device = words[5].dropLast(place[2].count + 1)
  }

  /// Whether the lock is on a file.
  ///
  /// On some file systems, the table has other device numbers than `stat` returns. There the
  /// process has to have the file open.
  func isOn(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, UInt64(status.st_ino) == inode else { return false }
    let number = UInt64(status.st_dev)
    let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
    let minor = number & 0xFF | (number >> 12) & ~0xFF
    let parts = device.split(separator: ":").map { UInt64($0, radix: 16) }
    if parts == [major, minor] { return true }
    let folder = "/proc/\(process)/fd"
    let open = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return open?.contains { descriptor in
      var other = stat()
      return stat("\(folder)/\(descriptor)", &other) == 0
        && (other.st_ino, other.st_dev) == (status.st_ino, status.st_dev)
    } ?? false
  }
}
