import Foundation
import LarderCore

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

  /// The files of a folder that are beside some store, whether or not that is there.
  ///
  /// - Parameter folder: The folder; what is below it is not looked at.
  /// - Returns: What was found, in the order of their names; nothing where it cannot be read.
  package static func find(in folder: String) -> [SideFile] {
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
      // An empty journal is one of a transaction that has ended.
      if case .journal = kind, (try? directory.status(of: name))?.size == 0 { continue }
      found.append(SideFile(path: start + text, kind: kind))
    }
    return found
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
