import LarderFiles
import Foundation
import Harmony

/// A file that a program left next to a store.
package struct SidecarFile: Sendable, Hashable {
  /// The kind of a side file.
  package enum Kind: Sendable, Hashable {
    /// A write-ahead log, shared-memory index or journal of a missing database.
    case orphan(database: String)
    /// The rollback journal of a transaction that was interrupted when its program was killed.
    case journal(database: String)
    /// The backup that Android creates while it writes preferences, and restores if it was killed.
    case backup(of: String)
    /// A temporary file of a killed larder process.
    case temporary
    /// The lock file of a defaults domain without a property list.
    case lock(of: String)

    /// The name of the store that the file belongs to, or nil if it is unknown.
    var owner: String? {
      switch self {
      case .orphan(let name), .journal(let name), .backup(let name), .lock(let name): name
      case .temporary: nil
      }
    }
  }

  /// The path of the file.
  package let path: String
  /// The kind of the file.
  package let kind: Kind
}

/// A search for files that programs left next to stores.
package enum SidecarFiles {
  private static let databaseEnds = ["-wal", "-shm", "-journal"]
  private static let lockEnd = ".harmony-lock"
  /// The magic number of a journal that SQLite rolls back.
  private static let journalStart: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Returns the side files in a folder, including those of missing stores and the temporary files
  /// of killed larder processes.
  ///
  /// - Parameters:
  ///   - folder: The folder; subfolders are not searched.
  ///   - store: The name of the store to find side files of, or nil for all stores.
  /// - Returns: The files, sorted by name; empty if the folder cannot be read.
  package static func find(in folder: String, of store: String? = nil) -> [SidecarFile] {
    guard let directory = try? FolderDescriptor(root: folder) else { return [] }
    var names: [[UInt8]] = []
    try? FolderListing.forEachName(in: directory) { name, _ throws(FileFailure) in
      names.append(name)
    }
    let texts = Set(names.compactMap { String(validating: $0, as: UTF8.self) })
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    var found: [SidecarFile] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let text = String(validating: name, as: UTF8.self),
        let kind = kind(text, besides: texts, isSpare: directory.isSpare(name))
      else { continue }
      if let store, let owner = kind.owner, owner != store { continue }
      switch kind {
      // Any other journal is of a completed transaction, or not a journal.
      case .journal where !isJournal(name, in: directory): continue
      case .temporary where isInUse(name, in: directory): continue
      default: break
      }
      found.append(SidecarFile(path: start + text, kind: kind))
    }
    return found
  }

  private static func isJournal(_ name: [UInt8], in directory: FolderDescriptor) -> Bool {
    guard let file = try? directory.open(name, O_RDONLY | O_NONBLOCK) else { return false }
    var bytes = [UInt8](repeating: 0, count: journalStart.count)
    return pread(file.number, &bytes, bytes.count, 0) == bytes.count && bytes == journalStart
  }

  /// Returns whether a running larder process is using a temporary file.
  private static func isInUse(_ name: [UInt8], in directory: FolderDescriptor) -> Bool {
    guard let file = try? directory.open(name, O_RDONLY | O_NONBLOCK) else { return false }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func kind(
    _ name: String, besides names: Set<String>, isSpare: Bool
  ) -> SidecarFile.Kind? {
    if isSpare { return .temporary }
    for end in databaseEnds where name.hasSuffix(end) && name.count > end.count {
      let database = String(name.dropLast(end.count))
      if !names.contains(database) { return .orphan(database: database) }
      return end == "-journal" ? .journal(database: database) : nil
    }
    let backup = PreferencesKind.backupSuffix
    if name.hasSuffix(".xml" + backup) { return .backup(of: String(name.dropLast(backup.count))) }
    if name.hasSuffix(lockEnd) {
      let defaults = name.dropLast(lockEnd.count) + ".plist"
      if !names.contains(String(defaults)) { return .lock(of: String(defaults)) }
    }
    return nil
  }
}
