import Foundation

/// What a database file and the files beside it look like, and how a reader has to open them.
///
/// A reader must create no file. SQLite creates `-wal` and `-shm` for a database in WAL mode as
/// soon as someone reads it, so the ways to open are chosen here by what is there already.
struct SQLiteFileState: Sendable {
  /// How a reader opens the file.
  enum Access: Sendable, Equatable {
    /// With SQLite's locks: a database with a rollback journal.
    case shared
    /// With SQLite's locks, beside a living write-ahead log.
    case sharedLog
    /// Without locks, as a file that does not change: WAL mode, but no log to read.
    case immutable
    /// Without locks and with the log indexed in memory: a log that nobody has open.
    case abandonedLog

    /// Whether SQLite sees by itself that others have written.
    var isLive: Bool { self == .shared || self == .sharedLog }
  }

  /// The bytes that SQLite makes an index of at first.
  private static let leastIndexSize = 32_768

  let stamp: FileStamp
  let header: [UInt8]
  let log: FileStamp?
  /// The start of the index of a living log, which changes with every commit; nil for other files,
  /// or where it cannot be read.
  let index: [UInt8]?
  let access: Access

  /// Looks at the file that `path` leads to, whose path without links is `resolvedPath`.
  ///
  /// - Throws: ``SQLiteError`` where the file is gone.
  init(path: String, resolvedPath: String, file: SQLiteFile) throws(SQLiteError) {
    guard let stamp = FileStamp(path: path) else {
      throw SQLiteError(.cannotOpen, String(cString: strerror(errno)), path: path)
    }
    self.stamp = stamp
    header = file.firstBytes(100)
    log = FileStamp(path: resolvedPath + "-wal")
    // Beside an empty log, an index that is not whole is what a full disk has left.
    let leastIndexSize = log?.size == 0 ? Self.leastIndexSize : 0
    let hasIndex = FileStamp(path: resolvedPath + "-shm").map { $0.size >= leastIndexSize } ?? false
    let isLogged = header.count == 100 && (header[18] == 2 || header[19] == 2)
    access =
      switch log {
      case nil: isLogged ? .immutable : .shared
      case .some where hasIndex: .sharedLog
      case .some(let log): log.size > 0 ? .abandonedLog : isLogged ? .immutable : .shared
      }
    index = access == .sharedLog ? Self.index(resolvedPath + "-shm") : nil
  }

  /// Both copies of the header of an index, and how far its log was moved into the database:
  /// <https://www.sqlite.org/walformat.html>, 2.1.
  private static let indexHeaderSize = 136
  /// The largest log that is worth an index of one's own.
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
    // Whoever has the database open keeps it, as the locks of the process would go with it.
    defer { SQLiteFile.close(descriptor) }
    return start(of: descriptor)
  }

  private static func start(of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: indexHeaderSize)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == bytes.count ? bytes : nil
  }

  /// Whether a living log can be read without locks, if nobody writes meanwhile.
  var canBeReadWithoutLocks: Bool {
    access == .sharedLog && index != nil && (log.map { $0.size <= Self.maximumLog } ?? false)
  }

  /// Whether nobody has written, not even within one tick of the disk's clock, between two looks at a
  /// database with a living log.
  func isUntouched(in other: SQLiteFileState) -> Bool {
    access == .sharedLog && other.access == .sharedLog && stamp == other.stamp
      && header == other.header && index != nil && index == other.index
      && log?.hasContents(of: other.log) == true
  }

  /// Whether the database keeps a write-ahead log.
  var isLogged: Bool {
    log != nil || (header.count == 100 && (header[18] == 2 || header[19] == 2))
  }

  /// Whether a session that was opened for `self` may go on when the file looks like `other`.
  func allows(_ other: SQLiteFileState) -> Bool {
    guard access == other.access, stamp.identity == other.stamp.identity else { return false }
    if access.isLive { return true }
    return stamp == other.stamp && header == other.header
      && (log?.hasContents(of: other.log) ?? (other.log == nil))
  }
}
