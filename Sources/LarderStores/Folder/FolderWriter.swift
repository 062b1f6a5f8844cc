import LarderFiles
import Foundation
import LarderModel

/// Replaces, adds and deletes files below a folder.
///
/// A file is written beside the old one under a temporary name, brought to the disk, and then
/// renamed over it: at every moment the old contents or the new ones are there, never a part.
struct FolderWriter {
  let root: FolderDescriptor
  let reader: FolderReader
  let sentences: FileSentences
  /// The directories that it makes.
  let trail = FolderTrail()
  private let leftovers: FolderLeftovers
  private let patience: Duration
  let remarks: WriteRemarks

  /// Writes below a folder.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - leftovers: What killed writers have left, as far as it was removed.
  ///   - path: What the folder is called in sentences.
  ///   - patience: How long to wait for other larders.
  ///   - remarks: Who is told what could not be kept of files that were written.
  init(
    _ root: FolderDescriptor, _ leftovers: FolderLeftovers, path: String = "",
    patience: Duration = .seconds(5), remarks: Remarks? = nil
  ) {
    self.root = root
    sentences = FileSentences(path, isFolder: true)
    self.leftovers = leftovers
    self.patience = patience
    self.remarks = WriteRemarks(remarks)
    reader = FolderReader(root: root)
  }

  /// Writes a value under a key, if the file is what it has to be.
  ///
  /// - Parameters:
  ///   - value: Text or data.
  ///   - form: What a new file gets beside its contents, as its entry said it; one that is there
  ///     gets the time, and keeps the rest of its own.
  ///   - request: Where to write it, and what has to be there.
  ///   - isExact: Whether text that would be data from then on is refused.
  /// - Returns: The entry as it was written.
  /// - Throws: ``StoreError``; then nothing was written.
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

  /// The contents of a file with a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key, which a refusal names.
  ///   - isExact: Whether text has to be text when it is read, too.
  /// - Returns: The bytes.
  /// - Throws: ``StoreError`` where no file has that value.
  func bytes(of value: StoredValue, _ key: EntryKey, isExact: Bool) throws -> [UInt8] {
    let bytes = try Self.bytes(value, key)
    // A file does not say what it is, so that some text would be data from then on.
    if isExact, value.type == .text, FolderReader.value(bytes).type != .text {
      throw StoreError.failed(
        "\(key.spoken) holds text with a NUL or text that is not UTF-8, which is data in a file; "
          + "store it as data")
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
        // One of the names may be that under which a killed process made the file.
        leftovers.remove(in: directory, isAgain: true)
        current = try reader.read(key)
      }
      let entry = current?.entry(key)
      guard request.condition.allows(entry) else { throw StoreError.conflict(current: entry) }
      let form = form.flatMap(FileForm.init(text:))
      // Also where the bytes are the same: a file may count from when it was written.
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
      remarks.add(written, key, current == nil ? .added : .replaced)
      return written.file.entry(key)
    }
  }

  /// Deletes a file, if it is what it has to be; a missing one is deleted already.
  ///
  /// - Returns: Whether there was one.
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

  /// Removes a file, if it is still the one that was read.
  func remove(_ key: EntryKey, asRead read: FolderReader.File) throws -> Bool {
    let path = try FolderPath(key)
    guard let directory = try presentDirectory(of: path) else {
      throw StoreError.conflict(current: nil)
    }
    return try whileLocked([directory], key) {
      try remove(path.name, key, in: directory, asRead: read)
    }
  }

  /// Removes a file from a directory to which no other larder writes meanwhile.
  private func remove(
    _ name: [UInt8], _ key: EntryKey, in directory: FolderDescriptor,
    asRead read: FolderReader.File?
  ) throws -> Bool {
    do {
      let status = try directory.status(of: name)
      if let read {
        guard read.status == status,
          try FileRemoval(directory: directory, name: name, key: key).remove(asRead: read)
        else { throw StoreError.conflict(current: try reader.read(key)?.entry(key)) }
      } else {
        guard let status else { return false }
        // A link may go, as what it leads to stays.
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

  /// Brings the names in a directory to the disk, or notes that this failed.
  func synchronize(_ directory: FolderDescriptor, _ key: EntryKey, _ change: WriteRemarks.Change) {
    if let failure = directory.synchronize() { remarks.add(doubt: failure.doubt, key, change) }
  }

  /// Tells what could not be kept of files that were written, also where a later change failed.
  func tellLosses() {
    remarks.tell()
  }

  /// Says what is to be said of changes although they were made.
  ///
  /// - Throws: ``StoreError``, where there is anything to say.
  func finish() throws(StoreError) {
    try remarks.check()
  }

  /// Does something while no other larder writes to some directories, in which nothing is left
  /// then of what killed writers have begun.
  ///
  /// - Throws: ``StoreError`` where another larder takes too long, and what the body throws.
  func whileLocked<Result>(
    _ directories: [FolderDescriptor], _ key: EntryKey, _ body: () throws -> Result
  ) throws -> Result {
    try checkNoDatabase(directories, key)
    return try FolderLock.whileLocked(directories, patience: patience, path: key.spoken) {
      for directory in directories { leftovers.remove(in: directory) }
      return try body()
    }
  }

  /// Refuses to change one of the files of a database.
  func checkNoDatabase(_ directories: [FolderDescriptor], _ key: EntryKey) throws(StoreError) {
    guard let name = directories.lazy.compactMap(\.databaseName).first else { return }
    throw .readOnly(
      "the folder of \(key.spoken) stays as it is: \(WriteObstacle.ofFiles(of: name)); nothing was "
        + "written")
  }

  /// The directory that a file is in; nil where it cannot be there.
  func presentDirectory(of path: FolderPath) throws(FileFailure) -> FolderDescriptor? {
    do throws(FileFailure) {
      return try root.directory(path.parents)
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }

  /// How often a directory may go while something is put in it.
  private static let attempts = 8

  /// Puts something in a directory, and again where the directory went meanwhile: another larder
  /// that takes a change back removes those that it has made, if they are empty.
  ///
  /// - Parameters:
  ///   - directory: Opens the directory, or makes it.
  ///   - body: Puts something in it.
  /// - Returns: What the body returns.
  /// - Throws: What they throw.
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

  /// The directory that a file is put in, which is made where there may be no file.
  private func directory(
    of path: FolderPath, toPut request: WriteRequest
  ) throws -> FolderDescriptor {
    if let directory = try presentDirectory(of: path) { return directory }
    guard request.condition.allows(nil) else { throw StoreError.conflict(current: nil) }
    return try directory(creating: path)
  }

  /// The directory that a file is to be in, which is made where there is none.
  func directory(creating path: FolderPath) throws -> FolderDescriptor {
    do throws(FileFailure) {
      return try root.directory(path.parents, creating: trail)
    } catch {
      if error.isMissing, let obstacle = try obstacle(on: path) { throw obstacle }
      throw error
    }
  }

  /// What keeps a path from going on to its file, or nil where nothing does.
  func obstacle(on path: FolderPath) throws -> StoreError? {
    var directory = root
    for (place, name) in path.parents.enumerated() {
      guard let status = try directory.status(of: name) else { return nil }
      guard status.isDirectory else {
        return Self.blocked(by: FolderPath(names: Array(path.names[...place])), status.noun)
      }
      directory = try directory.directory([name])
    }
    return nil
  }

  /// That a path cannot be a folder, as it is something else.
  static func blocked(by path: FolderPath, _ noun: String) -> StoreError {
    let part = path.names.joined(separator: [UInt8(ascii: "/")])
    return .failed(
      "\(EntryKey(textBytes: Array(part)).spoken) is \(noun), and nothing can be below it; nothing "
        + "was written")
  }

  private static func bytes(_ value: StoredValue, _ key: EntryKey) throws(StoreError) -> [UInt8] {
    guard let bytes = value.fileBytes else {
      throw .failed(
        "\(key.spoken) is a file, which holds text or data and nothing of type \(value.type.rawValue)"
      )
    }
    return bytes
  }
}
