import Foundation

/// A line of `/proc/locks`.
struct SystemLock {
  /// The process that holds the lock; nil if the lock belongs to an open file.
  let process: pid_t?
  let isExclusive: Bool
  let start: Int
  private let device: Substring
  private let inode: UInt64

  /// Parses a line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:1311 1073741825 1073741825`; nil
  /// for a process that only waits, and for other kinds of locks.
  init?(_ line: some StringProtocol) {
    let words = Substring(line).split(separator: " ")
    guard words.count >= 8, let number = pid_t(words[4]), let start = Int(words[6]) else {
      return nil
    }
    switch words[1] {
    case "POSIX" where number > 0: process = number
    case "OFDLCK": process = nil
    default: return nil
    }
    let place = words[5].split(separator: ":")
    guard place.count == 3, let inode = UInt64(place[2]) else { return nil }
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
    guard parts != [major, minor] else { return true }
    guard let process else {
      return !OpenFileLocks([path]).processes(holding: [self]).isEmpty
    }
    return !OpenFileLocks([path]).descriptors(of: process).isEmpty
  }

  /// Whether two lines are about the same lock, regardless of its holder.
  func isSame(as other: Self) -> Bool {
    (start, inode, isExclusive) == (other.start, other.inode, other.isExclusive)
      && device == other.device
  }
}

/// The use of some files by other processes.
struct OpenFileLocks {
  private let files: [stat]

  init(_ paths: [String]) {
    files = paths.compactMap { path in
      var status = stat()
      return stat(path, &status) == 0 ? status : nil
    }
  }

  /// Returns the processes that have one of the files open and hold one of the locks through it.
  ///
  /// Processes of other users cannot be inspected.
  func processes(holding locks: [SystemLock]) -> [pid_t] {
    Self.names(in: "/proc").compactMap { pid_t($0) }.filter { process in
      descriptors(of: process).contains { descriptor in
        let path = "/proc/\(process)/fdinfo/\(descriptor)"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").contains { line in
          guard line.hasPrefix("lock:"), let held = SystemLock(line.dropFirst(5).trimmed) else {
            return false
          }
          return held.process == nil && locks.contains { $0.isSame(as: held) }
        }
      }
    }
  }

  /// Returns the descriptors with which a process has one of the files open.
  func descriptors(of process: pid_t) -> [String] {
    let folder = "/proc/\(process)/fd"
    return Self.names(in: folder).filter { number in
      var status = stat()
      return stat("\(folder)/\(number)", &status) == 0
        && files.contains { $0.st_ino == status.st_ino && $0.st_dev == status.st_dev }
    }
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}

extension Substring {
  fileprivate var trimmed: Substring { drop { $0 == " " || $0 == "\t" } }
}
