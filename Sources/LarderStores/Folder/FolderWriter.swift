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
    let directory = try root.directory(path.parents, creating: current == nil)
    let temporary = TemporaryName.make()
    do {
      try write(bytes, to: temporary, in: directory, like: current?.status)
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

  private func write(
    _ bytes: [UInt8], to name: [UInt8], in directory: FolderDescriptor, like old: FileStatus?
  ) throws {
    let file = try directory.open(
      name, O_WRONLY | O_CREAT | O_EXCL, mode: old == nil ? 0o666 : 0o600)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(file.number, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(errno) }
      written += count
    }
    if let old {
      // The owner first, as a change of owner may clear bits of the mode.
      if let new = file.status, new.owner != old.owner || new.group != old.group {
        guard fchown(file.number, old.owner, old.group) == 0 else { throw FileFailure(errno) }
      }
      guard fchmod(file.number, old.mode & 0o7777) == 0 else { throw FileFailure(errno) }
    }
    guard fsync(file.number) == 0 else { throw FileFailure(errno) }
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
