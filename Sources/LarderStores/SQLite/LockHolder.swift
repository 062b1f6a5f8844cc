import LarderFiles
import Foundation

/// A process that prevents others from using a database.
struct LockHolder: Hashable, CustomStringConvertible {
  let process: pid_t
  /// The name that the process gives itself; nil if the system does not report it.
  let name: String?

  var description: String { "\(name ?? "the process") (pid \(process))" }

  /// The offset of SQLite's locks: <https://www.sqlite.org/fileformat2.html>, 1.2.
  private static let pendingByte = 0x4000_0000
  /// The offsets of locks in the index of a WAL: <https://www.sqlite.org/walformat.html>, 2.3.
  private static let logLocks = 120...127

  /// Returns the other processes that hold a database, as far as the system reports them.
  ///
  /// Exclusive locks come first: with a WAL, readers do not block writers, and hold some locks for
  /// as long as they have the database open. The result is empty if the locks cannot be read, or
  /// belong to processes that are invisible from here or to open files.
  static func ofDatabase(_ path: String) -> [LockHolder] {
    let resolved = ResolvedPath.of(path) ?? path
    // The kernel returns its table page by page, and omits locks if others are released in between.
    // Each read takes well under a millisecond.
    for _ in 0..<50 {
      let found = found(resolved)
      if !found.isEmpty { return found }
    }
    return []
  }

  private static func found(_ resolved: String) -> [LockHolder] {
    guard let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
    let locks = table.split(separator: "\n").compactMap { KernelLock($0) }
    let log = locks.filter { $0.isOn(resolved + "-shm") && logLocks.contains($0.start) }
    let file = locks.filter {
      $0.isOn(resolved) && (pendingByte..<(pendingByte + 512)).contains($0.start)
    }
    let writers = (log + file).filter(\.isExclusive)
    let hasLog = access(resolved + "-shm", F_OK) == 0
    let found = writers.isEmpty && !hasLog ? file : writers
    return Set(found.map(\.process)).subtracting([getpid()]).sorted().map {
      LockHolder(process: $0, name: name(of: $0))
    }
  }

  private static func name(of process: pid_t) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    // A process can give itself any name.
    let name = text?.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return name.flatMap { $0.isEmpty ? nil : String(String.UnicodeScalarView($0)) }
  }
}
