import Foundation

/// The state of a database file and its related files, which determines how a reader opens them.
///
/// A reader must not create files. SQLite creates `-wal` and `-shm` when a database in WAL mode is
/// read, so the method of opening depends on which files already exist.
struct SQLiteFileState: Sendable {
  /// The method by which a reader opens the file.
  enum Access: Sendable, Equatable {
    /// With SQLite's locks: a database with a rollback journal.
    case shared
    /// With SQLite's locks: a write-ahead log that another program has open.
    case sharedLog
    /// Without locks, as an immutable file: WAL mode without a log.
    case immutable
    /// Without locks and with the log's index in memory: a log that no program has open.
    case abandonedLog

    /// Whether SQLite itself detects writes of other programs.
    var isLive: Bool { self == .shared || self == .sharedLog }
  }

  /// The initial size of an index that SQLite creates.
  private static let minimumIndexSize = 32_768

  let stamp: FileStamp
  let header: [UInt8]
  let log: FileStamp?
  /// The start of the index of an open log, which changes with every commit; nil for other files,
  /// or if it cannot be read.
  let index: [UInt8]?
  let access: Access

  /// Reads the state of the file at `path`, which is `resolvedPath` without symbolic links.
  ///
  /// - Throws: ``SQLiteError`` if the file no longer exists.
  init(path: String, resolvedPath: String, file: SQLiteFile) throws(SQLiteError) {
    guard let stamp = FileStamp(path: path) else {
      throw SQLiteError(.cannotOpen, String(cString: strerror(errno)), path: path)
    }
    self.stamp = stamp
    header = file.firstBytes(100)
    log = FileStamp(path: resolvedPath + "-wal")
    // An incomplete index of an empty log is the leftover of a full disk.
    let minimumIndexSize = log?.size == 0 ? Self.minimumIndexSize : 0
    let hasIndex =
      FileStamp(path: resolvedPath + "-shm").map { $0.size >= minimumIndexSize } ?? false
    let isLogged = header.count == 100 && (header[18] == 2 || header[19] == 2)
    access =
      switch log {
      case nil: isLogged ? .immutable : .shared
      case .some where hasIndex: .sharedLog
      case .some(let log): log.size > 0 ? .abandonedLog : isLogged ? .immutable : .shared
      }
    index = access == .sharedLog ? Self.index(resolvedPath + "-shm") : nil
  }

  /// The size of both copies of an index header and the checkpoint information:
  /// <https://www.sqlite.org/walformat.html>, 2.1.
  private static let indexHeaderSize = 136
  /// The maximum size of a log to build a private index of.
  private static let maximumLog: Int64 = 64 << 20

  private static func index(_ path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    if let (descriptor, lender) = SQLiteFile.borrow(device: device, inode: inode) {
      return withExtendedLifetime(lender) { start(of: descriptor) }
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    // An open database retains the descriptor, because closing it would release the process's
    // locks.
    defer { SQLiteFile.close(descriptor) }
    return start(of: descriptor)
  }

  private static func start(of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: indexHeaderSize)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == bytes.count ? bytes : nil
  }

  /// Whether an open log can be read without locks, provided that no program writes in the
  /// meantime.
  var canBeReadWithoutLocks: Bool {
    access == .sharedLog && index != nil && (log.map { $0.size <= Self.maximumLog } ?? false)
  }

  /// Returns whether no program has written between two states of a database with an open log, even
  /// within one tick of the file system's clock.
  func isUntouched(in other: SQLiteFileState) -> Bool {
    access == .sharedLog && other.access == .sharedLog && stamp == other.stamp
      && header == other.header && index != nil && index == other.index
      && log?.hasContents(of: other.log) == true
  }

  /// Whether the database uses a write-ahead log.
  var isLogged: Bool {
    log != nil || (header.count == 100 && (header[18] == 2 || header[19] == 2))
  }

  /// Returns whether a session opened for this state can continue with another state.
  func allows(_ other: SQLiteFileState) -> Bool {
    guard access == other.access, stamp.identity == other.stamp.identity else { return false }
    if access.isLive { return true }
    return stamp == other.stamp && header == other.header
      && (log?.hasContents(of: other.log) ?? (other.log == nil))
  }
}
