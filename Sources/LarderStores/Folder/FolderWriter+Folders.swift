import Foundation
import LarderCore

extension FolderWriter {
  /// Makes the changes of a step, and tells which folders it made; those that the opposite of it
  /// made go, if nothing else is in them.
  ///
  /// - Returns: The entries that were written, as read back.
  func make(_ query: RevisionQuery) throws -> [Entry] {
    let slip = query.slip
    let known = slip.wantedFolders ?? MadeFolders()
    // A process that is killed meanwhile has recorded which folders it was about to make.
    let announcement = FolderAnnouncement(
      try missingFolders(for: query.request), known: known, to: slip, now: root.calls.now)
    try announcement.renew(made: [:])
    trail.announcement = announcement
    do {
      let written =
        switch query.request {
        case .changes(let query): try make(query)
        case .renames(let query): try rename(query.renames, query.scan)
        }
      let left = slip.stayedFolders.isEmpty ? [] : folders(around: query.request.leftKeys)
      let gone = removeEmpty(
        known.madeByOpposite(of: slip.purpose), slip.stayedFolders.filter { left.contains($0.key) })
      slip.record(known.removing(gone).adding(trail.marks, by: slip.purpose))
      // What is taken back leaves the folders as they were before.
      if slip.purpose == .change { tellEmptied(by: query.request.leftKeys) }
      return written
    } catch {
      // Also of changes of which only the first were made.
      let gone = removeEmpty(trail.marks)
      slip.record(known.adding(trail.marks, by: slip.purpose).removing(gone))
      throw error
    }
  }

  /// The folders that are not there, of those that files are about to be put in.
  private func missingFolders(for request: RevisionQuery.Request) throws -> Set<[UInt8]> {
    var missing: Set<[UInt8]> = []
    var present: Set<[UInt8]> = [[]]
    for key in request.writtenKeys {
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

  /// Removes those of some folders in which nothing is, the innermost first.
  ///
  /// - Returns: Those that are gone, or that others have made anew.
  private func removeEmpty(
    _ marks: MadeFolders.Marks, _ others: MadeFolders.Marks = [:]
  ) -> Set<[UInt8]> {
    var gone: Set<[UInt8]> = []
    // What a folder holds has a longer path.
    let paths = Set(marks.keys).union(others.keys)
    for path in paths.sorted(by: { $0.count > $1.count }) {
      let known = [marks[path], others[path]].compactMap(\.self)
      let key = EntryKey(textBytes: path)
      guard let place = try? FolderPath(key) else { continue }
      do {
        let parent = try root.directory(place.parents)
        let folder = try parent.directory([place.name])
        guard let mark = folder.mark, known.contains(where: { $0.isMet(by: mark) }) else {
          gone.insert(path)
          continue
        }
        // No other larder is about to make a file inside, and what killed ones have begun goes.
        try whileLocked([folder], key) {
          try parent.removeDirectory(place.name)
        }
        gone.insert(path)
        // Nothing is lost where the empty folder comes back.
        _ = parent.synchronize()
      } catch let failure as FileFailure where failure.isMissing {
        gone.insert(path)
      } catch {
        // Something is in it, or it cannot be removed: it stays.
      }
    }
    return gone
  }
}
