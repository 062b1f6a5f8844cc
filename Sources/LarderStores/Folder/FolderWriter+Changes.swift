import LarderFiles
import Foundation
import LarderModel
import LarderStoreBase

extension FolderWriter {
  /// Makes several changes in order, and stops at the first that fails.
  ///
  /// - Returns: The entries that were written, as read back.
  func make(_ query: ChangesQuery) throws -> [Entry] {
    let changes = query.changes
    // Check all changes first, so that none is made if one is certain to fail.
    if changes.count > 1 { _ = try checked(query) }
    var written: [Entry] = []
    let removals = changes.count { $0.value == nil }
    let done = removals == 0 ? "written" : removals == changes.count ? "deleted" : "changed"
    for (count, change) in changes.enumerated() {
      try query.scan?.reportChanged(count)
      let request = WriteRequest(change)
      // A caller that follows a deletion with a scan reports the count itself.
      let isCounted = done == "deleted" && query.scan != nil
      try query.scan.blaming(change.key) {
        try afterOthers(count, done, change.key, isCounted: isCounted) {
          if let value = change.value {
            written.append(
              try put(value, form: change.form, request, isExact: query.areExact))
          } else {
            try delete(change.key, request.condition)
          }
        }
      }
    }
    // Ignore a cancellation at this point: all changes have been made.
    try? query.scan?.reportChanged(changes.count)
    return written
  }

  /// Returns the files as they would be after some changes, without writing.
  ///
  /// - Throws: ``StoreError`` if one of the changes is not possible.
  func tryOut(_ query: ChangesQuery) throws -> [Entry] {
    let written = try checked(query)
    // A deletion may remove a file whose name is needed for a folder, so the check would be
    // unreliable.
    guard !query.changes.contains(where: { $0.value == nil }) else { return written }
    for entry in written {
      if let obstacle = try obstacle(on: FolderPath(entry.key)) { throw obstacle }
    }
    return written
  }

  /// Returns the files as they would be after some changes, each checked separately.
  private func checked(_ query: ChangesQuery) throws -> [Entry] {
    var written: [Entry] = []
    var paths: [FolderPath] = []
    for (count, change) in query.changes.enumerated() {
      try query.scan?.reportRead(count)
      try query.scan.blaming(change.key) {
        let current = try reader.read(change.key)?.entry(change.key)
        guard WriteRequest(change).condition.allows(current) else {
          throw StoreError.conflict(current: current)
        }
        guard let value = change.value else { return }
        let path = try FolderPath(toWrite: change.key)
        let directory = try presentDirectory(of: path)
        if let directory { try checkNoDatabase([directory], change.key) }
        let bytes = try bytes(of: value, change.key, isExact: query.areExact)
        written.append(
          Entry(key: change.key, value: FolderReader.value(bytes), form: change.form))
        paths.append(path)
      }
    }
    let files = Set(paths)
    for (entry, path) in zip(written, paths) {
      let folders = path.parents.indices.lazy.map { FolderPath(names: Array(path.parents[...$0])) }
      guard let folder = folders.first(where: files.contains) else { continue }
      query.scan?.report(fault: entry.key)
      throw StoreError.blocked(by: folder)
    }
    return written
  }

  /// Writes the files of a stream one by one, and stops at the first that fails.
  ///
  /// Files that already have the right contents are not written again, so an import can be repeated
  /// to continue it.
  ///
  /// - Returns: The number of files written.
  func take(_ query: ImportQuery) throws -> Int {
    var count = 0
    while let entries = try query.next() {
      for entry in entries {
        let isWritten = try query.scan.blaming(entry.key) {
          try afterOthers(count, "written", entry.key) {
            let value = try Entry.valueToWrite(entry)
            let current = try reader.read(entry.key)?.entry(entry.key)
            let change = try entry.importChange(over: current, replaces: query.replaces)
            guard let change else { return false }
            _ = try put(value, form: change.form, WriteRequest(change), isExact: true)
            return true
          }
        }
        guard isWritten else { continue }
        count += 1
        try query.scan?.reportChanged(count)
      }
    }
    return count
  }

  /// Deletes all files whose paths have a prefix, one by one.
  func delete(under prefix: String, _ cache: FolderListingCache, _ scan: Scan?) throws {
    var walk = FolderWalk(
      root, cache, prefix: Array(prefix.utf8), after: nil, isBackward: false)
    var paths: [[UInt8]] = []
    while let path = try walk.next() {
      let key = EntryKey(textBytes: path)
      guard !key.isOfFolder else { throw StoreError.closedFolder(key, "deleted") }
      let place = try FolderPath(key)
      let directory = try presentDirectory(of: place)
      let status = try directory?.status(of: place.name)
      // Check all files first, so that none is deleted if one is certain to fail.
      if let status, !status.isLink, let type = status.specialType {
        throw StoreError.specialFile(key, type)
      }
      if let directory { try checkNoDatabase([directory], key) }
      paths.append(path)
    }
    var count = 0
    // Also report the count on failure: the previous files have been deleted.
    defer {
      scan?.reportDeleted(count)
      warnOfEmptyFolders(by: paths.map(EntryKey.init(textBytes:)))
    }
    for path in paths {
      try scan?.reportChanged(count)
      do {
        if try delete(EntryKey(textBytes: path)) { count += 1 }
      } catch {
        // The error need not include the count, which is reported to the scan.
        guard count > 0, error is FileFailure || error is StoreError else { throw error }
        throw sentences.storeError(error, .writing).after(nil)
      }
    }
  }

  /// Makes one of several changes, and adds the number of previous changes to an error.
  ///
  /// - Parameters:
  ///   - count: The number of changes made before this one.
  ///   - done: The participle for the changes, such as "written".
  ///   - key: The file to change, if an error should name it.
  ///   - isCounted: Whether the caller reports the number of previous changes.
  ///   - body: The change.
  /// - Returns: The result of the body.
  /// - Throws: Errors of the body; a permission error also names the file.
  func afterOthers<Result>(
    _ count: Int, _ done: String = "written", _ key: EntryKey? = nil, isCounted: Bool = false,
    _ body: () throws -> Result
  ) throws -> Result {
    let others: String? =
      count == 0 ? "nothing was \(done)" : isCounted ? nil : Messages.filesBefore(count, done)
    do {
      return try body()
    } catch {
      if let key, let failure = error as? FileFailure,
        [EACCES, EPERM, EROFS].contains(failure.number)
      {
        throw StoreError.deniedFile(key, done, failure).after(others)
      }
      guard count > 0, error is FileFailure || error is StoreError else { throw error }
      throw sentences.storeError(error, .writing).after(others)
    }
  }

  /// Moves files to other paths one by one, if all of them can be moved.
  ///
  /// - Returns: The entries with their new keys.
  func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) throws -> [Entry] {
    let renames = try renames.inOrder()
    if renames.count > 1 { _ = try checked(renames) }
    return try renames.enumerated().map { count, rename in
      try scan?.reportChanged(count)
      return try afterOthers(count) { try self.rename(rename) }
    }
  }

  /// Returns the files with their new paths, if each is as expected and its new path is free.
  func checked(_ renames: [RenameQuery]) throws -> [Entry] {
    let leaving = Set(renames.map(\.entryKey))
    return try renames.map { rename in
      let file = try reader.read(rename.entryKey)
      guard let file else { throw StoreError.conflict(current: nil) }
      var entry = file.entry(rename.entryKey)
      guard entry.fingerprint == rename.expecting else { throw StoreError.conflict(current: entry) }
      if !leaving.contains(rename.newKey), let taken = try reader.read(rename.newKey) {
        throw StoreError.conflict(current: taken.entry(rename.newKey))
      }
      let path = try FolderPath(toWrite: rename.newKey)
      try TemporaryName.check(path.name, of: file.status, rename.newKey)
      entry.key = rename.newKey
      return entry
    }
  }

  /// Moves a file to another path in the folder, if it is as expected and the path is free.
  ///
  /// - Returns: The entry with its new key.
  private func rename(_ rename: RenameQuery) throws -> Entry {
    let (key, newKey) = (rename.entryKey, rename.newKey)
    let (path, newPath) = (try FolderPath(key), try FolderPath(newKey))
    guard let old = try presentDirectory(of: path) else { throw StoreError.conflict(current: nil) }
    let current = try whileLocked([old], key) { try reader.read(key) }
    guard let current, current.entry(key).fingerprint == rename.expecting else {
      throw StoreError.conflict(current: current?.entry(key))
    }
    if key == newKey { return current.entry(key) }
    _ = try FolderPath(toWrite: newKey)
    try TemporaryName.check(newPath.name, of: current.status, newKey)
    return try inDirectory({ try directory(creating: newPath) }) { new in
      try move(current, path, key, in: old, to: newPath, newKey, in: new)
    }
  }

  /// Moves a file between directories, if it is unchanged since it was read.
  private func move(
    _ current: FolderReader.File, _ path: FolderPath, _ key: EntryKey, in old: FolderDescriptor,
    to newPath: FolderPath, _ newKey: EntryKey, in new: FolderDescriptor
  ) throws -> Entry {
    try whileLocked([old, new], key) {
      guard try old.status(of: path.name) == current.status else {
        throw StoreError.conflict(current: try reader.read(key)?.entry(key))
      }
      guard try old.move(path.name, to: newPath.name, in: new) else {
        throw StoreError.conflict(current: try reader.read(newKey)?.entry(newKey))
      }
      // Another program may have written to the file at the last moment.
      guard (try? FolderReader.holds(newPath.name, in: new, current)) == true else {
        let found = try? new.status(of: newPath.name)
        let isRenumbered = found?.isRenumbered(since: current.status) == true
        try moveBack(newPath, newKey, in: new, to: path, key, in: old)
        if isRenumbered {
          throw StoreError.renumbered(key)
        }
        throw StoreError.conflict(current: try reader.read(key)?.entry(key))
      }
      synchronize(new, newKey, .renamed)
      if old.status != new.status { synchronize(old, newKey, .renamed) }
      return current.entry(newKey)
    }
  }

  /// Moves a file back because it is not as it was read.
  ///
  /// - Throws: ``StoreError`` with the location of the file if that fails.
  private func moveBack(
    _ newPath: FolderPath, _ newKey: EntryKey, in new: FolderDescriptor, to path: FolderPath,
    _ key: EntryKey, in old: FolderDescriptor
  ) throws(StoreError) {
    let reason: String
    do throws(FileFailure) {
      guard let taken = try new.giveBack(newPath.name, to: path.name, in: old) else { return }
      reason = taken
    } catch {
      // Another program removed the file in the meantime.
      if error.number == ENOENT { return }
      reason = error.message
    }
    throw .notRenamedBack(key, from: newKey, reason)
  }
}
