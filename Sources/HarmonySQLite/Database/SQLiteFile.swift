import Foundation
import Harmony

/// The metadata of a file, which shows its identity and whether it was changed.
struct FileStamp: Sendable, Hashable {
  let identity: SQLiteFile.Identity
  let size: Int64
  let modified: [Int]
  /// The time of the last status change; as root, SQLite itself sets the owner of a log.
  let changed: [Int]
  let isRegular: Bool

  init(_ status: stat) {
    identity = SQLiteFile.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether both are the same file with the same contents, according to size and modification
  /// time.
  func hasContents(of other: FileStamp?) -> Bool {
    identity == other?.identity && size == other?.size && modified == other?.modified
  }

  /// Creates the metadata of the file at a path; nil with `errno` set on failure.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// An open file that is or may be a database, with one instance for each file on disk.
///
/// Closing any descriptor of a file releases all POSIX locks that this process holds on it,
/// including those of SQLite (<https://www.sqlite.org/howtocorrupt.html>, 2.2). Therefore every
/// read of a file that may be an open database uses this class: one descriptor is shared for as
/// long as any code holds the file, and closed last. The same applies to the index of a write-ahead
/// log, the `-shm` file, which has the locks of a database in WAL mode; the log itself and rollback
/// journals are never locked.
public final class SQLiteFile: Sendable {
  /// The identity of a file on disk, regardless of its name; not reused while the file is open.
  public struct Identity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The resources that are closed last.
  private struct Kept {
    var descriptors: [Int32]
    /// The descriptors of indices of the log, by file, because an index may be recreated.
    var indexes: [Identity: [Int32]] = [:]
    var sessions: [Session] = []
  }

  /// A retired session.
  private struct Session: @unchecked Sendable {
    // Invariant: only ever released, by one thread; its connection has dropped its own reference.
    let session: SQLiteSession
  }

  private static let table = Locked(SQLiteFileTable())

  let identity: Identity
  private let kept: Locked<Kept>

  private init(_ identity: Identity, _ descriptor: Int32) {
    self.identity = identity
    kept = Locked(Kept(descriptors: [descriptor]))
  }

  deinit {
    let identity = identity
    var mine = kept.withLock { $0 }
    kept.withLock { $0 = Kept(descriptors: []) }
    // Locked, so that no other thread can open and lock the same database just before.
    let keepers = Self.table.withLock { table -> [SQLiteFile] in
      if let heir = table.file(identity) {
        heir.kept.withLock { kept in
          kept.descriptors += mine.descriptors
          kept.indexes.merge(mine.indexes) { $0 + $1 }
          kept.sessions += mine.sessions
        }
        return [heir]
      }
      table.remove(identity)
      mine.sessions = []
      return (mine.descriptors + mine.indexes.values.joined()).compactMap { descriptor in
        Self.close(descriptor, table)
      }
    }
    withExtendedLifetime(keepers) {}
  }

  /// The number of sessions that are retained until the file is closed.
  var keptSessions: Int { kept.withLock { $0.sessions.count } }

  /// Retains a session until the file is closed, because releasing it closes a descriptor of the
  /// file.
  func keep(_ session: SQLiteSession) {
    session.shrink()
    let session = Session(session: session)
    kept.withLock { $0.sessions.append(session) }
  }

  private func keep(_ descriptor: Int32, of identity: Identity) {
    kept.withLock { kept in
      if identity == self.identity { return kept.descriptors.append(descriptor) }
      kept.indexes[identity, default: []].append(descriptor)
      // SQLite does not use an index that was unlinked, so it has no locks.
      for (old, descriptors) in kept.indexes where old != identity {
        var status = stat()
        guard let first = descriptors.first, fstat(first, &status) == 0, status.st_nlink == 0
        else { continue }
        for descriptor in descriptors { Foundation.close(descriptor) }
        kept.indexes[old] = nil
      }
    }
  }

  /// Returns the file at a path, opening it for reading if necessary.
  ///
  /// - Throws: ``SQLiteError`` with the code `cannotOpen` if there is no such file or it is not a
  ///   regular file, and `permission` if it is inaccessible.
  public static func at(_ path: String) throws(SQLiteError) -> SQLiteFile {
    try check(path)
    guard let stamp = FileStamp(path: path) else { throw failure(errno, path) }
    guard stamp.isRegular else { throw .notRegular(path) }
    let index = withoutLinks(path) + "-shm"
    if let file = table.withLock({ $0.file(stamp.identity, index: index) }) { return file }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno, path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno, path) }
    let identity = FileStamp(status).identity
    return table.withLock { table in
      if let file = table.file(identity, index: index) {
        file.keep(descriptor, of: identity)
        return file
      }
      let file = SQLiteFile(identity, descriptor)
      table.add(file, index: index)
      return file
    }
  }

  /// Throws if SQLite or the system would misinterpret the path.
  static func check(_ path: String) throws(SQLiteError) {
    if path.isEmpty { throw .emptyPath(path) }
    if path == ":memory:", FileStamp(path: path) == nil { throw .inMemory(path) }
    if path.utf8.contains(0) { throw .zeroByte(in: path) }
  }

  /// Throws if the journal or log of a database is, for example, a named pipe: SQLite would block
  /// until another program writes to it, and could not be interrupted.
  static func checkBeside(_ path: String) throws(SQLiteError) {
    let resolved = withoutLinks(path)
    for end in ["-journal", "-wal"] {
      guard let stamp = FileStamp(path: resolved + end), !stamp.isRegular else { continue }
      throw .companion(resolved + end, of: path)
    }
  }

  /// Returns the path without symbolic links, from which SQLite derives the names of related files.
  static func withoutLinks(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns a descriptor of a file that is already open, so that it need not be opened again.
  ///
  /// - Parameters:
  ///   - device: The ID of the device that contains the file.
  ///   - inode: The inode number of the file.
  /// - Returns: The descriptor, for positional reads, and the object that keeps it open; nil if the
  ///   file is neither an open database nor an index of its log that was opened before.
  public static func borrow(
    device: UInt64, inode: UInt64
  ) -> (descriptor: Int32, lender: SQLiteFile)? {
    let identity = Identity(device: device, inode: inode)
    guard let file = table.withLock({ $0.keeper(of: identity) }) else { return nil }
    let descriptor = file.kept.withLock { kept in
      identity == file.identity ? kept.descriptors.first : kept.indexes[identity]?.first
    }
    return descriptor.map { ($0, file) }
  }

  /// A descriptor for positional reads, which is open as long as the file is.
  public var descriptor: Int32? { kept.withLock { $0.descriptors.first } }

  /// Closes a descriptor, or retains it until the database that it belongs to is closed.
  public static func close(_ descriptor: Int32) {
    // Locked, so that no other thread can open and lock the same database just before.
    let keeper = table.withLock { close(descriptor, $0) }
    withExtendedLifetime(keeper) {}
  }

  /// Closes a descriptor, or passes it to the file that has to retain it.
  ///
  /// - Returns: That file, which must not be released while the table is locked.
  private static func close(_ descriptor: Int32, _ table: SQLiteFileTable) -> SQLiteFile? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      Foundation.close(descriptor)
      return nil
    }
    let identity = FileStamp(status).identity
    let keeper = table.keeper(of: identity)
    if let keeper { keeper.keep(descriptor, of: identity) } else { Foundation.close(descriptor) }
    return keeper
  }

  /// Returns the current contents of the file.
  public func contents() -> [UInt8] {
    var status = stat()
    guard let descriptor,
      fstat(descriptor, &status) == 0
    else { return [] }
    return firstBytes(Int(status.st_size))
  }

  /// Returns up to `count` bytes from the start of the file.
  public func firstBytes(_ count: Int) -> [UInt8] {
    bytes(at: 0, count: count)
  }

  /// Returns up to `count` bytes from an offset; fewer if the file ends before.
  public func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard let descriptor, count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let read = pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset) + off_t(filled))
        if read < 0 && errno == EINTR { continue }
        guard read > 0 else { return }
        filled += read
      }
    }
  }

  private static func failure(_ number: Int32, _ path: String) -> SQLiteError {
    SQLiteError(
      number == EACCES || number == EPERM ? .permission : .cannotOpen,
      String(cString: strerror(number)), path: path)
  }
}
