import LarderFiles
import Foundation
import LarderModel

extension FolderWriter {
  /// Makes a change, and records the folders that are missing for it, which an undo removes again
  /// if they are empty.
  ///
  /// - Returns: The entries that were written, as read back.
  func make(_ query: RecordedChangeQuery) throws -> [Entry] {
    let (change, record) = (query.change, query.record)
    let recorded = record.recorded.flatMap(FoldersToCreate.init(encoded:))?.paths ?? []
    // Record the folders before creating them, so that an undo finds them if this process is
    // killed.
    if record.purpose != .undo {
      let missing = try missingFolders(for: change)
      let paths = record.isWhole ? missing : missing.union(recorded)
      if paths != recorded { try record.record(FoldersToCreate(paths: paths).encoded) }
    }
    do {
      let written =
        switch change {
        case .changes(let query): try make(query)
        case .renames(let query): try rename(query.renames, query.scan)
        }
      if record.purpose == .undo {
        removeEmpty(recorded)
      } else {
        warnOfEmptyFolders(by: change.leftKeys)
      }
      return written
    } catch {
      // Also if some of several changes were made: only empty folders are removed.
      removeEmpty(trail.paths)
      throw error
    }
  }

  /// Returns the folders that have to be created for the files of a change.
  private func missingFolders(for change: StoreChange) throws -> Set<[UInt8]> {
    var missing: Set<[UInt8]> = []
    var present: Set<[UInt8]> = [[]]
    for key in change.writtenKeys {
      // An invalid key throws an error when the file is written.
      guard var parents = (try? FolderPath(key))?.parents else { continue }
      while !present.contains(CreatedFolders.path(parents)) {
        let path = CreatedFolders.path(parents)
        guard !missing.contains(path) else { break }
        if (try? root.directory(parents)) != nil {
          present.insert(path)
        } else {
          missing.insert(path)
        }
        parents = parents.dropLast()
      }
    }
    return missing
  }

  /// Adds a warning about folders that became empty when files were removed.
  ///
  /// They are not removed: the user asked to change only the files, and another program may need
  /// the folders.
  func warnOfEmptyFolders(by keys: [EntryKey]) {
    var empty: Set<[UInt8]> = []
    // Longest paths first, so that subfolders come before the folders that contain them.
    for path in folders(around: keys).sorted(by: { $0.count > $1.count }) {
      let names = path.split(separator: UInt8(ascii: "/")).map(Array.init)
      guard let folder = try? root.directory(names) else { continue }
      let isEmpty =
        (try? FolderListing.forEachName(in: folder) { name, _ throws(FileFailure) in
          // Stop at the first name that counts.
          guard empty.contains(path + [UInt8(ascii: "/")] + name) || folder.isSpare(name) else {
            throw FileFailure(ENOTEMPTY)
          }
        }) != nil
      if isEmpty { empty.insert(path) }
    }
    warnings.tell(emptied: empty)
  }

  /// Returns the current or former folders of some files.
  private func folders(around keys: [EntryKey]) -> Set<[UInt8]> {
    var folders: Set<[UInt8]> = []
    for key in keys {
      guard var parents = (try? FolderPath(key))?.parents else { continue }
      while !parents.isEmpty, folders.insert(CreatedFolders.path(parents)).inserted {
        parents = parents.dropLast()
      }
    }
    return folders
  }

  /// Removes the empty ones among some folders, innermost first.
  private func removeEmpty(_ paths: Set<[UInt8]>) {
    // Longest paths first, so that subfolders come before the folders that contain them.
    for path in paths.sorted(by: { $0.count > $1.count }) {
      let key = EntryKey(textBytes: path)
      guard let place = try? FolderPath(key), let parent = try? root.directory(place.parents),
        let folder = try? parent.directory([place.name])
      else { continue }
      // The lock keeps other processes of larder from creating a file inside, and locking removes
      // leftover temporary files.
      try? whileLocked([folder], key) {
        try parent.removeDirectory(place.name)
        // Ignore errors: it does no harm if the empty folder reappears after a power loss.
        _ = parent.synchronize()
      }
    }
  }
}
