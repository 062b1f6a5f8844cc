import LarderFiles
import Foundation

/// Why a store cannot be written, found out before anybody types something that is then refused.
enum WriteObstacle {
  /// What is said of stores that were opened so.
  static let asked = "it was opened read-only"

  /// Why a database cannot be written, or nil where it can.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - obstacle: What keeps the process from writing to a path, as ``number(_:)`` says it.
  /// - Returns: The reason, as a clause.
  static func ofDatabase(_ path: String, obstacle: (String) -> Int32? = number) -> String? {
    var status = stat()
    if stat(path, &status) == 0, let reason = ofMode(status.st_mode) { return reason }
    if let number = obstacle(path) { return FileFailure(number).obstacle }
    // SQLite finds the files beside a database by its path without links.
    let resolved = ResolvedPath.of(path) ?? path
    let name = URL(fileURLWithPath: resolved).lastPathComponent
    let beside = ["-wal", "-shm", "-journal"].filter { access(resolved + $0, F_OK) == 0 }
    for ending in beside where obstacle(resolved + ending) != nil {
      return "the permissions of \(name + ending) beside it do not allow writing"
    }
    // With a log that is there already, no file has to be made.
    if beside.starts(with: ["-wal", "-shm"]) { return nil }
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    guard obstacle(folder) != nil else { return nil }
    return "its folder cannot be written, where SQLite has to make a journal"
  }

  /// Why the files of a database that is a folder are not written, as a clause.
  static func ofFiles(of database: String) -> String {
    "it is a \(database) database, which a change of one of its files would destroy; change it with a "
      + "program that knows \(database)"
  }

  /// Why the files in a folder cannot be replaced, or nil where they can.
  static func ofFolder(_ path: String) -> String? {
    number(path).map { FileFailure($0).obstacle }
  }

  /// Why a file cannot be replaced by another of its name, or nil where it can.
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

  /// Why a file of a mode is not to be written, whoever asks, or nil where it may be.
  ///
  /// Another file could be put in its place wherever its folder can be written, and the
  /// administrator is never kept from anything, a database included; but that is not what its owner
  /// has said.
  static func ofMode(_ mode: mode_t) -> String? {
    guard mode & 0o200 == 0 else { return nil }
    let digits = String(mode & 0o7777, radix: 8)
    return "its mode \(digits) does not let its owner write to it, which chmod u+w changes"
  }

  /// What keeps this process from writing to a file or into a folder, or nil where nothing does.
  static func number(_ path: String) -> Int32? {
    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? nil : errno
  }
}
