import Foundation
import LarderCore

/// A process that keeps others from using a database.
struct LockHolder: Hashable, CustomStringConvertible {
  let process: pid_t
  /// What the process calls itself; nil where the system does not say.
  let name: String?

  var description: String { "\(name ?? "the process") (pid \(process))" }

  /// Where the locks of SQLite begin: <https://www.sqlite.org/fileformat2.html>, 1.2.
  private static let pendingByte = 0x4000_0000
  /// Where those are in the index of a log: <https://www.sqlite.org/walformat.html>, 2.3.
  private static let logLocks = 120...127

  /// The processes that hold a database as far as the system tells, but not this one.
  ///
  /// A lock to write comes first: with a log, readers keep nobody waiting, and hold some locks as
  /// long as they have the database open. Where the locks cannot be read, or belong to processes
  /// that cannot be seen from here, nobody is named.
  static func ofDatabase(_ path: String) -> [LockHolder] {
    let resolved = ResolvedPath.of(path) ?? path
    guard let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
    let locks = table.split(separator: "\n").compactMap { SystemLock($0) }
    let log = locks.filter { $0.isOn(resolved + "-shm") && logLocks.contains($0.start) }
    let file = locks.filter {
      $0.isOn(resolved) && (pendingByte..<(pendingByte + 512)).contains($0.start)
    }
    let writers = (log + file).filter(\.isExclusive)
    let hasLog = access(resolved + "-shm", F_OK) == 0
    return holders(writers.isEmpty && !hasLog ? file : writers)
  }

  private static func holders(_ locks: [SystemLock]) -> [LockHolder] {
    Set(locks.map(\.process)).subtracting([getpid()]).sorted().map {
      LockHolder(process: $0, name: name(of: $0))
    }
  }

  private static func name(of process: pid_t) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    // Any process may call itself anything.
    let name = text?.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return name.flatMap { $0.isEmpty ? nil : String(String.UnicodeScalarView($0)) }
  }
}

/// A line of `/proc/locks`.
private struct SystemLock {
  let process: pid_t
  let isExclusive: Bool
  let start: Int
  private let device: Substring
  private let inode: UInt64

  /// Reads a line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:1311 1073741825 1073741825`; nil for
  /// one of a process that only waits, and for a lock that belongs to no process.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
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
  /// Some file systems have other numbers in the table than programs see; there the process has to
  /// have the file open.
  func isOn(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, UInt64(status.st_ino) == inode else { return false }
    let number = UInt64(status.st_dev)
    let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
    let minor = number & 0xFF | (number >> 12) & ~0xFF
    let parts = device.split(separator: ":").map { UInt64($0, radix: 16) }
    return parts == [major, minor] || isOpen(status)
  }

  private func isOpen(_ file: stat) -> Bool {
    let folder = "/proc/\(process)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.contains { number in
      var status = stat()
      return stat("\(folder)/\(number)", &status) == 0 && status.st_ino == file.st_ino
        && status.st_dev == file.st_dev
    }
  }
}
