import LarderFiles
import Foundation

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
  /// that cannot be seen from here, nobody is named. A lock that belongs to an open file and not to
  /// a process is held by whoever has that file open.
  static func ofDatabase(_ path: String) -> [LockHolder] {
    let resolved = ResolvedPath.of(path) ?? path
    // The system gives out its table page by page, and leaves locks out where others are released
    // meanwhile. Each reading takes well under a millisecond.
    for _ in 0..<50 {
      let found = found(resolved)
      if !found.isEmpty { return found }
    }
    return []
  }

  private static func found(_ resolved: String) -> [LockHolder] {
    guard let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
    let locks = table.split(separator: "\n").compactMap { SystemLock($0) }
    let log = locks.filter { $0.isOn(resolved + "-shm") && logLocks.contains($0.start) }
    let file = locks.filter {
      $0.isOn(resolved) && (pendingByte..<(pendingByte + 512)).contains($0.start)
    }
    let writers = (log + file).filter(\.isExclusive)
    let hasLog = access(resolved + "-shm", F_OK) == 0
    let found = writers.isEmpty && !hasLog ? file : writers
    return holders(found, [resolved, resolved + "-shm"])
  }

  private static func holders(_ locks: [SystemLock], _ paths: [String]) -> [LockHolder] {
    var processes = Set(locks.compactMap(\.process))
    let ofFiles = locks.filter { $0.process == nil }
    if !ofFiles.isEmpty { processes.formUnion(OpenFileLocks(paths).processes(holding: ofFiles)) }
    return processes.subtracting([getpid()]).sorted().map {
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
