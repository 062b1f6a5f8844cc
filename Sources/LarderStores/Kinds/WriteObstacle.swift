import LarderFiles
import Foundation

/// Reasons that a store cannot be written, determined before the user types something in vain.
enum WriteObstacle {
  /// The reason for a store that was opened read-only.
  static let asked = "it was opened read-only"

  /// Returns the reason that a database cannot be written, or nil if it can.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - obstacle: A closure that returns the error number for writing to a path, like
  ///     ``number(_:)``.
  /// - Returns: The reason, as a clause.
  static func ofDatabase(_ path: String, obstacle: (String) -> Int32? = number) -> String? {
    var status = stat()
    if stat(path, &status) == 0, let reason = ofMode(status.st_mode) { return reason }
    if let number = obstacle(path) { return FileFailure(number).obstacle }
    // SQLite looks for the files next to a database by its path without links.
    let resolved = ResolvedPath.of(path) ?? path
    let name = URL(fileURLWithPath: resolved).lastPathComponent
    let beside = ["-wal", "-shm", "-journal"].filter { access(resolved + $0, F_OK) == 0 }
    for ending in beside where obstacle(resolved + ending) != nil {
      return "the permissions of \(name + ending) beside it do not allow writing"
    }
    // With an existing write-ahead log, no files have to be created.
    if beside.starts(with: ["-wal", "-shm"]) { return nil }
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    guard obstacle(folder) != nil else { return nil }
    return "its folder cannot be written, where SQLite has to make a journal"
  }

  /// Returns the reason that the files of a database format are not written, as a clause.
  static func ofFiles(of database: String) -> String {
    "it is a \(database) database, which a change of one of its files would destroy; change it with a "
      + "program that knows \(database)"
  }

  /// Returns the reason that the files in a folder cannot be replaced, or nil if they can.
  static func ofFolder(_ path: String) -> String? {
    number(path).map { FileFailure($0).obstacle }
  }

  /// Returns the reason that a file cannot be replaced, or nil if it can.
  static func ofDocument(_ path: String) -> String? {
    let resolved = ResolvedPath.of(path) ?? path
    var status = stat()
    let isThere = stat(resolved, &status) == 0
    if isThere, let reason = ofMode(status.st_mode) { return reason }
    if let number = number(path) { return FileFailure(number).obstacle }
    if isThere {
      if status.st_nlink > 1 {
        return "it has several names (hard links), from which a new file would be separated"
      }
      if geteuid() != 0, status.st_uid != geteuid() {
        return "it belongs to another user, and a new file would not"
      }
    }
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    guard number(folder) != nil else { return nil }
    return "its folder cannot be written, where larder has to put the new file"
  }

  /// Returns the reason that the mode of a file forbids writing, or nil if it does not.
  ///
  /// The file could nevertheless be replaced if its folder is writable, and root can write any
  /// file, including a database. But the mode expresses the owner's intent.
  static func ofMode(_ mode: mode_t) -> String? {
    guard mode & 0o200 == 0 else { return nil }
    let digits = String(mode & 0o7777, radix: 8)
    return "its mode \(digits) does not let its owner write to it, which chmod u+w changes"
  }

  /// Returns the error number for writing to a file or folder, or nil if this process may write.
  static func number(_ path: String) -> Int32? {
    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? nil : errno
  }
}
