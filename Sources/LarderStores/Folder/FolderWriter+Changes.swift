import Foundation
import LarderCore

extension FolderWriter {
  /// Makes several changes one after the other, and stops at the first that is refused.
  ///
  /// - Returns: The entries that were written, as read back.
  func make(_ query: ChangesQuery) throws -> [Entry] {
    let changes = query.changes
    // None is made where one is going to be refused anyway.
    for (count, change) in changes.enumerated() where changes.count > 1 {
      try query.scan?.reportRead(count)
      let current = try reader.read(change.key)?.entry(change.key)
      guard WriteRequest(change).condition.allows(current) else {
        throw StoreError.conflict(current: current)
      }
    }
    var written: [Entry] = []
    let removals = changes.count { $0.value == nil }
    let done = removals == 0 ? "written" : removals == changes.count ? "deleted" : "changed"
    for (count, change) in changes.enumerated() {
      try query.scan?.reportChanged(count)
      let request = WriteRequest(change)
      try afterOthers(count, done, change.key) {
        if let value = change.value {
          written.append(try put(value, form: change.form, request))
        } else {
          try delete(change.key, request.condition)
        }
      }
    }
    return written
  }

  /// Writes the files of a stream one after the other, and stops at the first that is refused.
  ///
  /// Another run goes on where this one ended: what is there already is not written again.
  ///
  /// - Returns: How many files were written.
  func take(_ query: ImportQuery) throws -> Int {
    var count = 0
    while let entries = try query.next() {
      for entry in entries {
        let value = try Entry.valueToWrite(entry)
        let current = try reader.read(entry.key)?.entry(entry.key)
        let change = try entry.importChange(over: current, replaces: query.replaces)
        guard let change else { continue }
        try afterOthers(count, "written", entry.key) {
          _ = try put(value, form: change.form, WriteRequest(change))
        }
        count += 1
        try query.scan?.reportChanged(count)
      }
    }
    return count
  }

  /// Deletes all files whose paths start with a text, one after the other.
  func delete(under prefix: String, _ cache: FolderListingCache, _ scan: Scan?) throws {
    var walk = FolderWalk(
      root, cache, prefix: Array(prefix.utf8), after: nil, isBackward: false)
    var paths: [[UInt8]] = []
    while let path = try walk.next() { paths.append(path) }
    var count = 0
    // Also where one cannot be deleted: those before it are gone.
    defer { scan?.reportDeleted(count) }
    for path in paths {
      try scan?.reportChanged(count)
      if try delete(EntryKey(textBytes: path)) { count += 1 }
    }
  }

  /// Does one of several changes, and where it fails says how many were made before.
  ///
  /// - Parameters:
  ///   - count: How many were made.
  ///   - done: What was done then, such as "written".
  ///   - key: The file that is changed.
  ///   - body: The change.
  /// - Throws: What the body throws; a refusal of the system with the name of the file.
  private func afterOthers(
    _ count: Int, _ done: String, _ key: EntryKey, _ body: () throws -> Void
  ) throws {
    let before = count == 1 ? "one file was" : "\(count) files were"
    let others = count == 0 ? "nothing was \(done)" : "\(before) \(done) before it"
    do {
      try body()
    } catch StoreError.failed(let sentence) where count > 0 {
      throw StoreError.failed(
        sentence.replacing("; nothing was written", with: "") + "; \(others)")
    } catch let failure as FileFailure where [EACCES, EPERM, EROFS].contains(failure.number) {
      throw StoreError.readOnly(
        "\(key.spoken) cannot be \(done), as the permissions of its folder or its disk do not "
          + "allow it: \(failure.message); \(others)")
    }
  }

  /// Gives files other paths one after the other, if all of them can have theirs.
  ///
  /// - Returns: The entries under their new keys.
  func rename(_ renames: [RenameQuery]) throws -> [Entry] {
    let renames = try renames.inOrder()
    let leaving = Set(renames.map(\.entryKey))
    for rename in renames where renames.count > 1 {
      let current = try reader.read(rename.entryKey)?.entry(rename.entryKey)
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      if !leaving.contains(rename.newKey), let taken = try reader.read(rename.newKey) {
        throw StoreError.conflict(current: taken.entry(rename.newKey))
      }
    }
    return try renames.map { try rename($0) }
  }

  /// Gives a file another path below the folder, if it is what it has to be and the path is free.
  ///
  /// - Returns: The entry under its new key.
  private func rename(_ rename: RenameQuery) throws -> Entry {
    let (key, newKey) = (rename.entryKey, rename.newKey)
    tidy(try FolderPath(key))
    let current = try reader.read(key)
    guard let current, current.entry(key).fingerprint == rename.expecting else {
      throw StoreError.conflict(current: current?.entry(key))
    }
    if key == newKey { return current.entry(key) }
    let (path, newPath) = (try FolderPath(key), try FolderPath(newKey))
    let old = try root.directory(path.parents)
    let new = try directory(of: newPath, creating: true)
    guard try old.status(of: path.name) == current.status else {
      throw StoreError.conflict(current: try reader.read(key)?.entry(key))
    }
    try move(path.name, in: old, to: newPath.name, in: new, key: newKey)
    fsync(new.number)
    fsync(old.number)
    guard let stored = try reader.read(newKey) else {
      throw StoreError.failed(
        "\(newKey.spoken) was removed by someone else as soon as it was there")
    }
    return stored.entry(newKey)
  }

  /// Moves a file, which a link and its removal do without ever taking the place of another.
  private func move(
    _ name: [UInt8], in old: FolderDescriptor, to newName: [UInt8], in new: FolderDescriptor,
    key: EntryKey
  ) throws {
    let result = name.withCString { name in
      newName.withCString { linkat(old.number, name, new.number, $0, 0) }
    }
    if result == 0 {
      guard name.withCString({ unlinkat(old.number, $0, 0) }) == 0 else { throw FileFailure(errno) }
      return
    }
    let failure = FileFailure(errno)
    guard failure.number != EEXIST else {
      throw StoreError.conflict(current: try reader.read(key)?.entry(key))
    }
    // A file system without hard links.
    guard [EPERM, EOPNOTSUPP, EMLINK].contains(failure.number),
      try new.status(of: newName) == nil
    else { throw failure }
    let renamed = name.withCString { name in
      newName.withCString { renameat(old.number, name, new.number, $0) }
    }
    guard renamed == 0 else { throw FileFailure(errno) }
  }
}
