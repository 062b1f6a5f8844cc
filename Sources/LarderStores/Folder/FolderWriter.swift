import Foundation
import LarderCore

/// Replaces, adds and deletes files below a folder.
///
/// A file is written beside the old one under a temporary name, brought to the disk, and then
/// renamed over it: at every moment the old contents or the new ones are there, never a part.
struct FolderWriter {
  let root: FolderDescriptor
  private let reader: FolderReader

  init(_ root: FolderDescriptor) {
    self.root = root
    reader = FolderReader(root: root)
  }

  /// Writes a value under a key, if the file is what it has to be.
  ///
  /// - Returns: The entry as it was read back.
  func put(_ value: StoredValue, _ request: WriteRequest) throws -> Entry {
    let key = request.key
    let path = try FolderPath(key)
    let bytes = try Self.bytes(value, key)
    let current = try reader.read(key)
    let entry = current?.entry(key)
    guard request.condition.allows(entry) else { throw StoreError.conflict(current: entry) }
    if let current, current.bytes == bytes { return current.entry(key) }
    if let current, current.status.links > 1 {
      throw StoreError.failed(
        "\(key.spoken) has several names (hard links), and replacing the file would separate it "
          + "from the others; nothing was written")
    }
    let directory = try self.directory(of: path, creating: current == nil)
    let temporary = TemporaryName.make()
    do {
      let file = try write(bytes, to: temporary, in: directory, isOpen: current == nil)
      if let current {
        let old = try directory.openFile(path.name)
        try dress(file, like: current.status, FolderAttributes(file: old), key)
      }
      guard fsync(file.number) == 0 else { throw FileFailure(errno) }
      try replace(path.name, with: temporary, in: directory, key, current)
    } catch {
      _ = temporary.withCString { unlinkat(directory.number, $0, 0) }
      throw error
    }
    fsync(directory.number)
    guard let stored = try reader.read(key) else {
      throw StoreError.failed("\(key.spoken) was removed by someone else as soon as it was written")
    }
    return stored.entry(key)
  }

  /// Deletes a file, if it is what it has to be; a missing one is deleted already.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func delete(
    _ key: EntryKey, _ condition: WriteRequest.Condition = .anything
  ) throws -> Bool {
    guard case .unchanged = condition else { return try remove(key, asRead: nil) }
    let current = try reader.read(key)
    let entry = current?.entry(key)
    guard condition.allows(entry) else { throw StoreError.conflict(current: entry) }
    return try remove(key, asRead: current)
  }

  /// Removes a file, if it is still the one that was read.
  func remove(_ key: EntryKey, asRead read: FolderReader.File?) throws -> Bool {
    let path = try FolderPath(key)
    do {
      let directory = try root.directory(path.parents)
      let status = try directory.status(of: path.name)
      if let read, read.status != status {
        throw StoreError.conflict(current: try reader.read(key)?.entry(key))
      }
      guard let status else { return false }
      // A link may go, as what it leads to stays.
      if !status.isLink { try FolderReader.checkRegular(status, key) }
      guard path.name.withCString({ unlinkat(directory.number, $0, 0) }) == 0 else {
        throw FileFailure(errno)
      }
      fsync(directory.number)
      return true
    } catch let failure as FileFailure where failure.isMissing {
      if read != nil { throw StoreError.conflict(current: nil) }
      return false
    }
  }

  /// The directory that a file is to be in.
  private func directory(
    of path: FolderPath, creating isCreating: Bool
  ) throws -> FolderDescriptor {
    do throws(FileFailure) {
      return try root.directory(path.parents, creating: isCreating)
    } catch {
      if error.isMissing, let obstacle = try obstacle(on: path) { throw obstacle }
      throw error
    }
  }

  /// What keeps a path from going on to its file, or nil where nothing does.
  private func obstacle(on path: FolderPath) throws -> StoreError? {
    var directory = root
    for (place, name) in path.parents.enumerated() {
      guard let status = try directory.status(of: name) else { return nil }
      guard status.isDirectory else {
        let part = path.names[...place].joined(separator: [UInt8(ascii: "/")])
        return .failed(
          "\(EntryKey(textBytes: Array(part)).spoken) is \(status.noun), and nothing can be "
            + "below it; nothing was written")
      }
      directory = try directory.directory([name])
    }
    return nil
  }

  /// Makes a file of bytes, which others may read only if it is open to them from the start.
  private func write(
    _ bytes: [UInt8], to name: [UInt8], in directory: FolderDescriptor, isOpen: Bool
  ) throws -> FolderDescriptor {
    let file = try directory.open(
      name, O_WRONLY | O_CREAT | O_EXCL, mode: isOpen ? 0o666 : 0o600)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(file.number, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(errno) }
      written += count
    }
    return file
  }

  /// Gives a new file everything but the contents of the old one.
  private func dress(
    _ file: FolderDescriptor, like old: FileStatus, _ attributes: FolderAttributes, _ key: EntryKey
  ) throws {
    // The owner first, as a change of owner may clear bits of the mode.
    if let new = file.status, new.owner != old.owner || new.group != old.group {
      guard fchown(file.number, old.owner, old.group) == 0 else { throw FileFailure(errno) }
    }
    // The mode last, as an access list among the attributes sets part of it.
    try FolderAttributes(file: file).replace(with: attributes, of: key)
    guard fchmod(file.number, old.mode & 0o7777) == 0 else { throw FileFailure(errno) }
  }

  /// Puts the temporary file in the place of the old one, or of none.
  private func replace(
    _ name: [UInt8], with temporary: [UInt8], in directory: FolderDescriptor, _ key: EntryKey,
    _ old: FolderReader.File?
  ) throws {
    let number = directory.number
    guard let old else {
      // A link, unlike a rename, fails if someone else made the file meanwhile.
      let result = temporary.withCString { temporary in
        name.withCString { linkat(number, temporary, number, $0, 0) }
      }
      if result != 0 {
        let failure = FileFailure(errno)
        guard failure.number == EEXIST else { throw failure }
        throw StoreError.conflict(current: try reader.read(key)?.entry(key))
      }
      _ = temporary.withCString { unlinkat(number, $0, 0) }
      return
    }
    // Someone may have written while the temporary file went to the disk.
    guard try directory.status(of: name) == old.status else {
      throw StoreError.conflict(current: try reader.read(key)?.entry(key))
    }
    let result = temporary.withCString { temporary in
      name.withCString { renameat(number, temporary, number, $0) }
    }
    guard result == 0 else { throw FileFailure(errno) }
  }

  private static func bytes(_ value: StoredValue, _ key: EntryKey) throws(StoreError) -> [UInt8] {
    switch value {
    case .text(let text): Array(text.utf8)
    case .malformedText(let bytes), .data(let bytes): bytes
    default:
      throw .failed(
        "\(key.spoken) is a file, which holds text or data, not a \(value.type.rawValue)")
    }
  }
}
