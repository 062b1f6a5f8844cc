import LarderFiles
import Foundation
import LarderModel

extension FolderWriter {
  /// Makes a change, and records which folders were missing for it; an undo removes these if they
  /// are empty.
  ///
  /// - Returns: The entries that were written, as read back.
  func make(_ query: RecordedChangeQuery) throws -> [Entry] {
    let (change, record) = (query.change, query.record)
    let recorded = record.recorded.flatMap(MadeFolders.init(encoded:))?.paths ?? []
    // Before any is made, so that undo knows those of a process that was killed.
    if record.purpose != .undo {
      let missing = try missingFolders(for: change)
      let paths = record.isWhole ? missing : missing.union(recorded)
      if paths != recorded { try record.record(MadeFolders(paths: paths).encoded) }
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
        tellEmptied(by: change.leftKeys)
      }
      return written
    } catch {
      // Also of changes of which only the first were made.
      removeEmpty(trail.paths)
      throw error
    }
  }

  /// The folders that are not there, of those that files are about to be put in.
  private func missingFolders(for change: StoreChange) throws -> Set<[UInt8]> {
    var missing: Set<[UInt8]> = []
    var present: Set<[UInt8]> = [[]]
    for key in change.writtenKeys {
      // A key that is no path is refused where the file is to be written.
      guard var parents = (try? FolderPath(key))?.parents else { continue }
      while !present.contains(FolderTrail.path(parents)) {
        let path = FolderTrail.path(parents)
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

  /// Tells which folders nothing is in any more since files left them.
  ///
  /// They stay, as nobody asked for more than the files, and another program may want them there.
  func tellEmptied(by keys: [EntryKey]) {
    var empty: Set<[UInt8]> = []
    // What a folder holds has a longer path.
    for path in folders(around: keys).sorted(by: { $0.count > $1.count }) {
      let names = path.split(separator: UInt8(ascii: "/")).map(Array.init)
      guard let folder = try? root.directory(names) else { continue }
      let isEmpty =
        (try? FolderListing.forEachName(in: folder) { name, _ throws(FileFailure) in
          // The first is enough.
          guard empty.contains(path + [UInt8(ascii: "/")] + name) || folder.isSpare(name) else {
            throw FileFailure(ENOTEMPTY)
          }
        }) != nil
      if isEmpty { empty.insert(path) }
    }
    remarks.tell(emptied: empty)
  }

  /// The folders that some files are in, or were.
  private func folders(around keys: [EntryKey]) -> Set<[UInt8]> {
    var folders: Set<[UInt8]> = []
    for key in keys {
      guard var parents = (try? FolderPath(key))?.parents else { continue }
      while !parents.isEmpty, folders.insert(FolderTrail.path(parents)).inserted {
        parents = parents.dropLast()
      }
    }
    return folders
  }

  /// Removes those of some folders that are empty, the innermost first.
  private func removeEmpty(_ paths: Set<[UInt8]>) {
    // What a folder holds has a longer path.
    for path in paths.sorted(by: { $0.count > $1.count }) {
      let key = EntryKey(textBytes: path)
      guard let place = try? FolderPath(key), let parent = try? root.directory(place.parents),
        let folder = try? parent.directory([place.name])
      else { continue }
      // No other larder is about to make a file inside, and what killed ones have begun goes.
      try? whileLocked([folder], key) {
        try parent.removeDirectory(place.name)
        // Nothing is lost where the empty folder comes back.
        _ = parent.synchronize()
      }
    }
  }
}
