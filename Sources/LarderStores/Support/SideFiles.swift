import LarderFiles
import Foundation
import Harmony

/// A file beside a store that a program left there.
package struct SideFile: Sendable, Hashable {
  /// What it is.
  package enum Kind: Sendable, Hashable {
    /// A log, an index or a journal of a database that is not there.
    case orphan(database: String)
    /// The journal of a transaction that a killed program left in a database.
    case journal(database: String)
    /// What Android keeps while it writes preferences, and where they are from if it was killed.
    case backup(of: String)
    /// What a killed writer of larder left.
    case temporary
    /// What writers of defaults take turns by, where there are no defaults.
    case lock(of: String)

    /// The name of the store that the file belongs to; nil where it does not tell.
    var owner: String? {
      switch self {
      case .orphan(let name), .journal(let name), .backup(let name), .lock(let name): name
      case .temporary: nil
      }
    }
  }

  /// Its path.
  package let path: String
  /// What it is.
  package let kind: Kind
}

/// The files beside stores that programs leave there.
package enum SideFiles {
  private static let databaseEnds = ["-wal", "-shm", "-journal"]
  private static let lockEnd = ".harmony-lock"
  /// The first bytes of a journal that SQLite rolls back.
  private static let journalStart: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// The files of a folder that are beside some store, whether or not that is there, and those that a
  /// larder has left there which was killed.
  ///
  /// - Parameters:
  ///   - folder: The folder; what is below it is not looked at.
  ///   - store: The name of the file whose neighbours are meant; nil for those of all.
  /// - Returns: What was found, in the order of their names; nothing where it cannot be read.
  package static func find(in folder: String, of store: String? = nil) -> [SideFile] {
    guard let directory = try? FolderDescriptor(root: folder) else { return [] }
    var names: [[UInt8]] = []
    try? FolderListing.forEachName(in: directory) { name, _ throws(FileFailure) in
      names.append(name)
    }
    let texts = Set(names.compactMap { String(validating: $0, as: UTF8.self) })
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    var found: [SideFile] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let text = String(validating: name, as: UTF8.self),
        let kind = kind(text, besides: texts, isSpare: directory.isSpare(name))
      else { continue }
      if let store, let owner = kind.owner, owner != store { continue }
      switch kind {
      // Any other is of a transaction that has ended, or no journal.
      case .journal where !isJournal(name, in: directory): continue
      case .temporary where isInUse(name, in: directory): continue
      default: break
      }
      found.append(SideFile(path: start + text, kind: kind))
    }
    return found
  }

  private static func isJournal(_ name: [UInt8], in directory: FolderDescriptor) -> Bool {
    guard let file = try? directory.open(name, O_RDONLY | O_NONBLOCK) else { return false }
    var bytes = [UInt8](repeating: 0, count: journalStart.count)
    return pread(file.number, &bytes, bytes.count, 0) == bytes.count && bytes == journalStart
  }

  /// Whether a larder that is running writes to one of its temporary files.
  private static func isInUse(_ name: [UInt8], in directory: FolderDescriptor) -> Bool {
    guard let file = try? directory.open(name, O_RDONLY | O_NONBLOCK) else { return false }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func kind(
    _ name: String, besides names: Set<String>, isSpare: Bool
  ) -> SideFile.Kind? {
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
