import LarderFiles
import Foundation
import LarderStoreBase

/// Reasons that a store cannot be written, determined before the user types something in vain.
enum WriteObstacle {
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
      return Messages.closedNeighbor(name + ending)
    }
    // With an existing write-ahead log, no files have to be created.
    if beside.starts(with: ["-wal", "-shm"]) { return nil }
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    guard obstacle(folder) != nil else { return nil }
    return Messages.closedDatabaseFolder
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
        return Messages.hardLinks
      }
      if geteuid() != 0, status.st_uid != geteuid() {
        return Messages.otherOwner
      }
    }
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    guard number(folder) != nil else { return nil }
    return Messages.closedFolder
  }

  /// Returns the reason that the mode of a file forbids writing, or nil if it does not.
  ///
  /// The file could nevertheless be replaced if its folder is writable, and root can write any
  /// file, including a database. But the mode expresses the owner's intent.
  static func ofMode(_ mode: mode_t) -> String? {
    guard mode & 0o200 == 0 else { return nil }
    return Messages.mode(String(mode & 0o7777, radix: 8))
  }

  /// Returns the error number for writing to a file or folder, or nil if this process may write.
  static func number(_ path: String) -> Int32? {
    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? nil : errno
  }
}
