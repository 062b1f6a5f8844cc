import LarderFiles
import Foundation
import LarderModel
import LarderStoreBase

/// A writer that replaces, adds and deletes files in a folder.
///
/// A file is written under a temporary name in the same directory, flushed to the disk, and then
/// renamed over the original, so that it always has either the old or the new contents.
struct FolderWriter {
  let root: FolderDescriptor
  let reader: FolderReader
  let sentences: FileMessages
  /// The directories that this writer has created.
  let trail = CreatedFolders()
  private let leftovers: FolderLeftovers
  private let patience: Duration
  let warnings: FileWarnings

  /// Creates a writer for a folder.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - leftovers: The record of directories whose leftover temporary files were removed.
  ///   - path: The path of the folder, for error messages.
  ///   - patience: The maximum time to wait for other processes of larder.
  ///   - warnings: The collector of warnings about properties that could not be preserved.
  init(
    _ root: FolderDescriptor, _ leftovers: FolderLeftovers, path: String = "",
    patience: Duration = .seconds(5), warnings: WarningCollector? = nil
  ) {
    self.root = root
    sentences = FileMessages(path, isFolder: true)
    self.leftovers = leftovers
    self.patience = patience
    self.warnings = FileWarnings(warnings)
    reader = FolderReader(root: root)
  }

  /// Writes a value, if the current file satisfies the condition.
  ///
  /// - Parameters:
  ///   - value: A string or data.
  ///   - form: The metadata for a new file, as in its entry. An existing file gets only the
  ///     modification time and otherwise keeps its own metadata.
  ///   - request: The key, and the condition on the current file.
  ///   - isExact: Whether to reject a string that would be read back as data.
  /// - Returns: The entry as it was written.
  /// - Throws: ``StoreError``; nothing was written.
  func put(
    _ value: StoredValue, form: String? = nil, _ request: WriteRequest, isExact: Bool = false
  ) throws -> Entry {
    let key = request.key
    let path = try FolderPath(toWrite: key)
    let bytes = try bytes(of: value, key, isExact: isExact)
    return try inDirectory({ try directory(of: path, toPut: request) }) { directory in
      try put(bytes, as: path, in: directory, form: form, request)
    }
  }

  /// Returns the contents of a file with a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key, for error messages.
  ///   - isExact: Whether to reject a string that would be read back as data.
  /// - Returns: The bytes.
  /// - Throws: ``StoreError`` if files cannot represent the value.
  func bytes(of value: StoredValue, _ key: EntryKey, isExact: Bool) throws -> [UInt8] {
    guard let bytes = value.fileBytes else {
      throw StoreError.wrongFileType(key, value.type)
    }
    // A file does not store its type, which is derived from the contents.
    if isExact, value.type == .text, FolderReader.value(bytes).type != .text {
      throw StoreError.textReadAsData(key)
    }
    return bytes
  }

  private func put(
    _ bytes: [UInt8], as path: FolderPath, in directory: FolderDescriptor, form: String?,
    _ request: WriteRequest
  ) throws -> Entry {
    let key = request.key
    return try whileLocked([directory], key) {
      var current = try reader.read(key)
      if let links = current?.status.links, links > 1 {
        // One of the names may be a temporary one left by a process that was killed.
        leftovers.remove(in: directory, isAgain: true)
        current = try reader.read(key)
      }
      let entry = current?.entry(key)
      guard request.condition.allows(entry) else { throw StoreError.conflict(current: entry) }
      let form = form.flatMap(FileForm.init(text:))
      // A new time is written even if the contents are equal, since it may determine the expiry.
      if let current, current.bytes == bytes,
        form?.modified.map({ $0 == current.form.modified }) ?? true
      {
        return current.entry(key)
      }
      let file = FileReplacement(directory: directory, name: path.name, key: key)
      let written =
        if let current {
          try file.replace(current, with: bytes, modified: form?.modified)
        } else {
          try file.create(bytes, form: form)
        }
      guard let written else {
        throw StoreError.conflict(current: try reader.read(key)?.entry(key))
      }
      warnings.add(written, key, current == nil ? .added : .replaced)
      return written.file.entry(key)
    }
  }

  /// Deletes a file, if it satisfies the condition; does nothing if the file is missing.
  ///
  /// - Returns: Whether the file existed.
  @discardableResult
  func delete(
    _ key: EntryKey, _ condition: WriteRequest.Condition = .anything
  ) throws -> Bool {
    let path = try FolderPath(key)
    guard let directory = try presentDirectory(of: path) else {
      guard case .unchanged = condition else { return false }
      throw StoreError.conflict(current: nil)
    }
    return try whileLocked([directory], key) {
      guard case .unchanged = condition else {
        return try remove(path.name, key, in: directory, asRead: nil)
      }
      let current = try reader.read(key)
      let entry = current?.entry(key)
      guard condition.allows(entry) else { throw StoreError.conflict(current: entry) }
      return try remove(path.name, key, in: directory, asRead: current)
    }
  }

  /// Deletes a file, if it is unchanged since it was read.
  func remove(_ key: EntryKey, asRead read: FolderReader.File) throws -> Bool {
    let path = try FolderPath(key)
    guard let directory = try presentDirectory(of: path) else {
      throw StoreError.conflict(current: nil)
    }
    return try whileLocked([directory], key) {
      try remove(path.name, key, in: directory, asRead: read)
    }
  }

  /// Deletes a file from a directory that is locked against other processes of larder.
  private func remove(
    _ name: [UInt8], _ key: EntryKey, in directory: FolderDescriptor,
    asRead read: FolderReader.File?
  ) throws -> Bool {
    do {
      let status = try directory.status(of: name)
      if let read {
        guard read.status == status,
          try FileReplacement(directory: directory, name: name, key: key)
            .remove(asRead: read)
        else { throw StoreError.conflict(current: try reader.read(key)?.entry(key)) }
      } else {
        guard let status else { return false }
        // Deleting a link is safe, as its target remains.
        if !status.isLink { try FolderReader.checkRegular(status, key) }
        try directory.remove(name)
      }
      synchronize(directory, key, .deleted)
      return true
    } catch let failure as FileFailure where failure.isMissing {
      if read != nil { throw StoreError.conflict(current: nil) }
      return false
    }
  }

  /// Flushes the names in a directory to the disk, or records a warning if that fails.
  func synchronize(_ directory: FolderDescriptor, _ key: EntryKey, _ change: FileWarnings.Change) {
    if let failure = directory.synchronize() { warnings.add(doubt: failure.doubt, key, change) }
  }

  /// Calls a closure while no other process of larder writes to some directories, after removing
  /// leftover temporary files from them.
  ///
  /// - Throws: ``StoreError`` on a timeout, and errors of the body.
  func whileLocked<Result>(
    _ directories: [FolderDescriptor], _ key: EntryKey, _ body: () throws -> Result
  ) throws -> Result {
    try checkNoDatabase(directories, key)
    return try FolderLock.whileLocked(directories, patience: patience, path: key.spoken) {
      for directory in directories { leftovers.remove(in: directory) }
      return try body()
    }
  }

  /// Throws an error if the directories contain the files of a database.
  func checkNoDatabase(_ directories: [FolderDescriptor], _ key: EntryKey) throws(StoreError) {
    guard let name = directories.lazy.compactMap(\.databaseName).first else { return }
    throw .databaseFolder(of: key, WriteObstacle.ofFiles(of: name))
  }

  /// Returns the directory of a file, or nil if it does not exist.
  func presentDirectory(of path: FolderPath) throws(FileFailure) -> FolderDescriptor? {
    do throws(FileFailure) {
      return try root.directory(path.parents)
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }

  /// The number of attempts if the directory is deleted while something is put in it.
  private static let attempts = 8

  /// Puts something in a directory, and tries again if the directory was deleted in the meantime:
  /// another process of larder that undoes a change removes the empty folders it created.
  ///
  /// - Parameters:
  ///   - directory: A closure that opens or creates the directory.
  ///   - body: A closure that puts something in it.
  /// - Returns: The result of the body.
  /// - Throws: Errors of the closures.
  func inDirectory<Result>(
    _ directory: () throws -> FolderDescriptor, _ body: (FolderDescriptor) throws -> Result
  ) throws -> Result {
    for _ in 1..<Self.attempts {
      do {
        return try body(try directory())
      } catch let failure as FileFailure where failure.number == ENOENT {
        continue
      }
    }
    return try body(try directory())
  }

  /// Returns the directory to put a file in, and creates it if the condition allows a new file.
  private func directory(
    of path: FolderPath, toPut request: WriteRequest
  ) throws -> FolderDescriptor {
    if let directory = try presentDirectory(of: path) { return directory }
    guard request.condition.allows(nil) else { throw StoreError.conflict(current: nil) }
    return try directory(creating: path)
  }

  /// Returns the directory to put a file in, and creates it if it does not exist.
  func directory(creating path: FolderPath) throws -> FolderDescriptor {
    do throws(FileFailure) {
      return try root.directory(path.parents, creating: trail)
    } catch {
      if error.isMissing, let obstacle = try obstacle(on: path) { throw obstacle }
      throw error
    }
  }

  /// Returns the error for a path that leads through something other than a folder, or nil if it
  /// does not.
  func obstacle(on path: FolderPath) throws -> StoreError? {
    var directory = root
    for (place, name) in path.parents.enumerated() {
      guard let status = try directory.status(of: name) else { return nil }
      guard status.isDirectory else {
        return StoreError.blocked(by: FolderPath(names: Array(path.names[...place])), status.noun)
      }
      directory = try directory.directory([name])
    }
    return nil
  }
}
