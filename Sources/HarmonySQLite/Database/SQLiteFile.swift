import Foundation
import Harmony

/// A file as it stands on the disk: which one it is, and whether it has been touched.
struct FileStamp: Sendable, Hashable {
  let identity: SQLiteFile.Identity
  let size: Int64
  let modified: [Int]
  /// When the file or its owner or mode changed; SQLite itself sets the owner of a log as root.
  let changed: [Int]
  let isRegular: Bool

  init(_ status: stat) {
    identity = SQLiteFile.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether both are the same file with the same contents, as far as the disk tells.
  func hasContents(of other: FileStamp?) -> Bool {
    identity == other?.identity && size == other?.size && modified == other?.modified
  }

  /// The stamp of the file that a path leads to, or nil with `errno` set.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// An open file that is or may be a database, one for each file of the disk.
///
/// Closing any descriptor of a file gives up all POSIX locks that this process holds on it, also
/// those of SQLite (<https://www.sqlite.org/howtocorrupt.html>, 2.2). So whoever looks into a
/// file that may be an open database does it through here: one descriptor is shared for as long
/// as anyone has the file, and closed last.
public final class SQLiteFile: Sendable {
  /// Which file of the disk it is, whatever its name; not used again while the file is open.
  public struct Identity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private struct Weak: Sendable {
    weak var file: SQLiteFile?
  }

  /// What is closed last.
  private struct Kept {
    var descriptors: [Int32]
    var sessions: [Session] = []
  }

  /// A session that nobody uses any more.
  private struct Session: @unchecked Sendable {
    // Invariant: only ever released, by one thread; its connection gave up its own reference.
    let session: SQLiteSession
  }

  private static let open = Locked<[Identity: Weak]>([:])

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
    // Under the lock, so that nobody can open the same database and lock it just before.
    let heir = Self.open.withLock { open in
      if let heir = open[identity]?.file {
        heir.kept.withLock {
          $0.descriptors += mine.descriptors
          $0.sessions += mine.sessions
        }
        return Optional(heir)
      }
      open[identity] = nil
      mine.sessions = []
      for descriptor in mine.descriptors { Foundation.close(descriptor) }
      return nil
    }
    withExtendedLifetime(heir) {}
  }

  /// Keeps a session, which would close a descriptor of the file, until the file goes.
  func keep(_ session: SQLiteSession) {
    session.shrink()
    let session = Session(session: session)
    kept.withLock { $0.sessions.append(session) }
  }

  private func keep(_ descriptor: Int32) {
    kept.withLock { $0.descriptors.append(descriptor) }
  }

  /// The file that a path leads to, opened for reading if it is not open already.
  ///
  /// - Throws: ``SQLiteError`` with `cannotOpen` where there is no such file, it is not a regular
  ///   one, or its permissions do not allow it.
  public static func at(_ path: String) throws(SQLiteError) -> SQLiteFile {
    guard let stamp = FileStamp(path: path) else { throw failure(errno) }
    guard stamp.isRegular else { throw SQLiteError(.cannotOpen, "it is not a regular file") }
    if let file = open.withLock({ $0[stamp.identity]?.file }) { return file }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    let identity = FileStamp(status).identity
    return open.withLock { open in
      if let file = open[identity]?.file {
        file.keep(descriptor)
        return file
      }
      let file = SQLiteFile(identity, descriptor)
      open[identity] = Weak(file: file)
      return file
    }
  }

  /// The file of a number on a device if it is open here, so that nobody has to open it again.
  public static func alreadyOpen(device: UInt64, inode: UInt64) -> SQLiteFile? {
    open.withLock { $0[Identity(device: device, inode: inode)]?.file }
  }

  /// A descriptor for reading at a place, which is open as long as the file is.
  public var descriptor: Int32? { kept.withLock { $0.descriptors.first } }

  /// Closes a descriptor, or keeps it until the database that it belongs to is closed.
  public static func close(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      Foundation.close(descriptor)
      return
    }
    let identity = FileStamp(status).identity
    // Under the lock, so that nobody can open the same database and lock it just before.
    let keeper = open.withLock { open in
      let file = open[identity]?.file
      if let file { file.keep(descriptor) } else { Foundation.close(descriptor) }
      return file
    }
    withExtendedLifetime(keeper) {}
  }

  /// All bytes of the file, as many as it has when they are read.
  public func contents() -> [UInt8] {
    var status = stat()
    guard let descriptor,
      fstat(descriptor, &status) == 0
    else { return [] }
    return firstBytes(Int(status.st_size))
  }

  /// Up to `count` bytes from the start of the file.
  public func firstBytes(_ count: Int) -> [UInt8] {
    bytes(at: 0, count: count)
  }

  /// Up to `count` bytes from a place on, fewer where the file ends before.
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

  private static func failure(_ number: Int32) -> SQLiteError {
    SQLiteError(
      number == EACCES || number == EPERM ? .permission : .cannotOpen,
      String(cString: strerror(number)))
  }
}
