import CSQLite
import Foundation

/// Variants of SQLite's file systems (VFS) for readers, which never create a write-ahead log.
///
/// SQLite creates a log and its index when a database in WAL mode is read. Readers check first
/// which files exist, but another program may close the database right after that check.
enum SQLiteReadingFiles {
  /// The VFS for reading with locks; nil if the system does not support it.
  static let locking = register("larder-reading", of: "unix") { _, name, file, flags, outFlags in
    guard let unix = sqlite3_vfs_find("unix"), let open = unix.pointee.xOpen else {
      return refuse(file)
    }
    guard flags & SQLITE_OPEN_WAL != 0 else { return open(unix, name, file, flags, outFlags) }
    // By now SQLite holds the lock that prevents other programs from removing the log and its
    // index. A log without an index is not in use and has to be read in another way.
    guard let name, access(index(String(cString: name)), F_OK) == 0 else { return refuse(file) }
    return open(unix, name, file, flags & ~SQLITE_OPEN_CREATE, outFlags)
  }

  /// The VFS for reading without locks; nil if the system does not support it.
  static let lockless = register("larder-lockless", of: "unix-none") {
    _, name, file, flags, outFlags in
    guard let unix = sqlite3_vfs_find("unix-none"), let open = unix.pointee.xOpen else {
      return refuse(file)
    }
    let isLog = flags & SQLITE_OPEN_WAL != 0
    return open(unix, name, file, isLog ? flags & ~SQLITE_OPEN_CREATE : flags, outFlags)
  }

  /// The type of SQLite's function that opens a file.
  private typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?,
      CInt, UnsafeMutablePointer<CInt>?
    ) -> CInt

  /// Registers a copy of a VFS with another function to open files.
  ///
  /// - Returns: The name of the VFS; nil if the system does not have the original.
  private static func register(_ name: String, of original: String, _ open: @escaping Open)
    -> String?
  {
    guard let original = sqlite3_vfs_find(original), let bytes = strdup(name) else { return nil }
    // SQLite uses both until the process ends.
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(bytes)
    copy.pointee.xOpen = open
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? name : nil
  }

  /// Returns the path of a log's index.
  private static func index(_ log: String) -> String {
    log.hasSuffix("-wal") ? log.dropLast(4) + "-shm" : log
  }

  private static func refuse(_ file: UnsafeMutablePointer<sqlite3_file>?) -> CInt {
    // Tells SQLite that there is nothing to close.
    file?.pointee.pMethods = nil
    return SQLITE_CANTOPEN
  }
}
