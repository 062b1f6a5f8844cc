import LarderFiles
import Foundation
import HarmonySQLite
import LarderModel

/// Converts the errors of a database to messages for users.
struct SQLiteMessages: Sendable {
  let path: String
  /// Returns why the database at a path cannot be written, as far as that is known without trying.
  var obstacle: @Sendable (_ path: String) -> String? = { WriteObstacle.ofDatabase($0) }

  /// Whether this process can read a file.
  var isReadable: @Sendable (_ path: String) -> Bool = {
    faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) == 0 || errno != EACCES
  }

  /// Returns a database error as a store's, and any other error unchanged.
  func translate(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return error.code == .interrupted ? CancellationError() : storeError(error)
  }

  /// Returns an error as a store's.
  func storeError(_ error: any Error) -> StoreError {
    guard let error = error as? SQLiteError else { return StoreError(error) }
    switch error.code {
    case .interrupted: return .cancelled
    case .busy, .locked: return .busy(busySentence)
    case .notADatabase:
      return .corrupt("\(path) is not a readable database: it is encrypted or damaged")
    case .corrupt where isOfSchema(error):
      return .cannotOpen(
        "\(path) cannot be read: SQLite \(SQLiteVersion.number) does not understand its schema "
          + "(\(error.message)). A newer SQLite may; open it with the program that made it")
    case .corrupt:
      return .corrupt("\(path) is damaged: \(error.message)")
    case .ioError where error.extendedCode == .shortRead:
      return .corrupt("\(path) is truncated: some of its pages are missing")
    case .ioError, .cannotOpen:
      // A WAL also needs space for its index, which all readers share.
      guard [ENOSPC, EDQUOT].contains(error.systemError) else { return unusable(error) }
      return .failed(full)
    case .full: return .failed(full)
    case .tooBig: return .failed("a row of \(path) is too large to read")
    case .permission: return unusable(error)
    case .readOnly where error.extendedCode == .readOnlyRollback: return .cannotOpen(unfinished)
    case .readOnly:
      let reason = obstacle(path) ?? "its permissions or its folder's do not allow it"
      return .readOnly("\(path) cannot be written: \(reason); nothing was written")
    case .mismatch,
      .constraint where error.extendedCode == .constraintOfType:
      return .notSupported(
        "the database rejected the change: \(error.message); nothing was written")
    case .constraint:
      return .failed("the database rejected the change: \(error.message); nothing was written")
    case .error where error.message.hasPrefix("no such "):
      return .failed(
        "\(error.message), which a trigger, a view or an index of \(path) uses; nothing was "
          + "written. Create it again, or drop what uses it, with the program that owns the "
          + "database or with sqlite3")
    default: return .failed("SQLite error: \(error.message)")
    }
  }

  /// Whether SQLite does not understand part of the schema, such as one of a newer version.
  ///
  /// SQLite uses the same code for damaged pages, without a reason, and for tables without a root
  /// page.
  private func isOfSchema(_ error: SQLiteError) -> Bool {
    guard error.message.hasPrefix("malformed database schema ("),
      let dash = error.message.range(of: ") - ")
    else { return false }
    let reason = error.message[dash.upperBound...]
    return !["invalid rootpage", "orphan index"].contains { reason.hasPrefix($0) }
  }

  /// The message that only a writer can roll back what a killed process left unfinished.
  private var unfinished: String {
    let what =
      "\(path) has an unfinished write beside it (\(path)-journal, which must not be deleted), and "
      + "only a process that may write can roll it back"
    guard let reason = obstacle(path) else {
      return "\(what); open it without --read-only, or with its own program"
    }
    return "\(what), but \(reason). Copy both files to where they can be written, and open the copy"
  }

  private var full: String { "the disk that holds \(path) is full; nothing was written" }

  private func unusable(_ error: SQLiteError) -> StoreError {
    if error.code != .ioError, let beside = unreadableFile {
      // The `-shm` file is the index of the WAL and holds no changes itself.
      let role =
        beside.hasSuffix("-shm")
        ? "is needed to find its latest changes" : "holds its latest changes"
      return .cannotOpen(
        "\(path) cannot be opened: \(beside) beside it \(role), but its permissions do not allow "
          + "reading. Ask its owner, or the owner of the program that uses the database")
    }
    return error.code == .ioError
      ? .failed("\(path) could not be read or written: \(error.message)")
      : .cannotOpen("\(path) cannot be opened: \(error.message)")
  }

  /// The name of a file beside the database that is needed to read it, but is not readable.
  private var unreadableFile: String? {
    // SQLite resolves links before it looks for the files beside a database.
    let resolved = ResolvedPath.of(path) ?? path
    guard isReadable(resolved) else { return nil }
    return ["-wal", "-shm", "-journal"].first { !isReadable(resolved + $0) }
      .map { URL(fileURLWithPath: resolved).lastPathComponent + $0 }
  }

  /// The message that the database is locked, and by which processes, as far as they are known.
  private var busySentence: String {
    let holders = LockHolder.ofDatabase(path)
    guard !holders.isEmpty else {
      return "\(path) is locked by an unknown process; close the program that uses it, or try again"
    }
    let names = holders.map(\.description).joined(separator: " and ")
    return "\(path) is locked by \(names); close \(holders.count == 1 ? "it" : "them") or try again"
  }
}
