import CSQLite
import Foundation

/// The ways into the file system by which readers open databases: as SQLite's own, but they make no
/// write-ahead log where there is none.
///
/// SQLite makes a log and an index of it as soon as somebody reads a database in WAL mode. Readers
/// look first what is there; but its program may close the database right after they have looked.
enum SQLiteReadingFiles {
  /// For databases that are read with locks; nil where the system has no such way.
  static let locking = register("larder-reading", of: "unix") { _, name, file, flags, outFlags in
    guard let unix = sqlite3_vfs_find("unix"), let open = unix.pointee.xOpen else {
      return refuse(file)
    }
    guard flags & SQLITE_OPEN_WAL != 0 else { return open(unix, name, file, flags, outFlags) }
    // By now SQLite has the lock without which nobody takes the log and its index away. A log that
    // has no index is one that nobody has open, which is read in another way.
    guard let name, access(index(String(cString: name)), F_OK) == 0 else { return refuse(file) }
    return open(unix, name, file, flags & ~SQLITE_OPEN_CREATE, outFlags)
  }

  /// For databases that are read without locks; nil where the system has no such way.
  static let lockless = register("larder-lockless", of: "unix-none") {
    _, name, file, flags, outFlags in
    guard let unix = sqlite3_vfs_find("unix-none"), let open = unix.pointee.xOpen else {
      return refuse(file)
    }
    let isLog = flags & SQLITE_OPEN_WAL != 0
    return open(unix, name, file, isLog ? flags & ~SQLITE_OPEN_CREATE : flags, outFlags)
  }

  /// How a file is opened, as SQLite declares it.
  private typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?,
      CInt, UnsafeMutablePointer<CInt>?
    ) -> CInt

  /// Makes a way that differs from another one in how files are opened.
  ///
  /// - Returns: Its name, nil where the system does not have the other.
  private static func register(_ name: String, of original: String, _ open: @escaping Open)
    -> String?
  {
    guard let original = sqlite3_vfs_find(original), let bytes = strdup(name) else { return nil }
    // SQLite keeps both as long as the process runs.
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(bytes)
    copy.pointee.xOpen = open
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? name : nil
  }

  /// The index of a log.
  private static func index(_ log: String) -> String {
    log.hasSuffix("-wal") ? log.dropLast(4) + "-shm" : log
  }

  private static func refuse(_ file: UnsafeMutablePointer<sqlite3_file>?) -> CInt {
    // So SQLite knows that there is nothing to close.
    file?.pointee.pMethods = nil
    return SQLITE_CANTOPEN
  }
}
