import Foundation
import LarderCore

/// Puts new contents in the place of a file, of which a reader sees the old ones or the new ones.
///
/// The contents are written beside the file under a temporary name, brought to the disk, and then
/// renamed over it, with the owner, mode and extended attributes of the old file.
struct FileReplacement {
  let directory: FolderDescriptor
  let name: [UInt8]
  /// What the file is called in sentences.
  let key: EntryKey

  /// Replaces a file that was read.
  ///
  /// - Parameters:
  ///   - old: The file as it was read.
  ///   - bytes: What it is to hold.
  /// - Returns: Whether the file was still the one that was read; if not, nothing was written.
  /// - Throws: ``StoreError`` where something of the old file would be lost; ``FileFailure``.
  func replace(_ old: FolderReader.File, with bytes: [UInt8]) throws -> Bool {
    if old.status.links > 1 {
      throw StoreError.failed(
        "\(key.spoken) has several names (hard links), and replacing the file would separate it "
          + "from the others; nothing was written")
    }
    return try withTemporary(holding: bytes) { file, temporary in
      let present = try directory.openFile(name)
      try dress(file, like: old.status, FolderAttributes(file: present))
      guard fsync(file.number) == 0 else { throw FileFailure(errno) }
      // Someone may have written while the temporary file went to the disk.
      guard try directory.status(of: name) == old.status else { return false }
      let result = temporary.withCString { temporary in
        name.withCString { renameat(directory.number, temporary, directory.number, $0) }
      }
      guard result == 0 else { throw FileFailure(errno) }
      return true
    }
  }

  /// Makes a file where there is none.
  ///
  /// - Parameters:
  ///   - bytes: What it is to hold.
  ///   - mode: Who may do what with it.
  /// - Returns: Whether there was still none; if not, nothing was written.
  /// - Throws: ``FileFailure``.
  func create(_ bytes: [UInt8], mode: FileMode = .new) throws -> Bool {
    try withTemporary(holding: bytes) { file, temporary in
      try mode.dress(file)
      guard fsync(file.number) == 0 else { throw FileFailure(errno) }
      // A link, unlike a rename, fails if someone else made the file meanwhile.
      let result = temporary.withCString { temporary in
        name.withCString { linkat(directory.number, temporary, directory.number, $0, 0) }
      }
      guard result != 0 else {
        _ = temporary.withCString { unlinkat(directory.number, $0, 0) }
        return true
      }
      let failure = FileFailure(errno)
      guard failure.number == EEXIST else { throw failure }
      return false
    }
  }

  /// Makes a temporary file of bytes, which is gone again unless the body gave it the name.
  private func withTemporary(
    holding bytes: [UInt8], _ body: (FolderDescriptor, [UInt8]) throws -> Bool
  ) throws -> Bool {
    let (file, temporary) = try makeTemporary()
    var isPlaced = false
    defer {
      if !isPlaced { _ = temporary.withCString { unlinkat(directory.number, $0, 0) } }
    }
    try write(bytes, to: file)
    isPlaced = try body(file, temporary)
    if isPlaced { fsync(directory.number) }
    return isPlaced
  }

  /// Makes an empty file that only its owner may read, at no moment anybody else.
  private func makeTemporary() throws(FileFailure) -> (file: FolderDescriptor, name: [UInt8]) {
    while true {
      let name = TemporaryName.make()
      let file = try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      // Tells that somebody is at work on it, until the process ends in whatever way. Before that
      // another may have taken it for what a killed process left.
      flock(file.number, LOCK_EX)
      if try directory.status(of: name) != nil { return (file, name) }
    }
  }

  private func write(_ bytes: [UInt8], to file: FolderDescriptor) throws(FileFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(file.number, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(errno) }
      written += count
    }
  }

  /// Gives a new file everything but the contents of the old one.
  private func dress(
    _ file: FolderDescriptor, like old: FileStatus, _ attributes: FolderAttributes
  ) throws {
    // The owner first, as a change of owner may clear bits of the mode.
    if let new = file.status, new.owner != old.owner || new.group != old.group {
      guard fchown(file.number, old.owner, old.group) == 0 else {
        throw StoreError.readOnly(
          "\(key.spoken) belongs to another user or group, and only the system's administrator "
            + "can give it a new file; nothing was written")
      }
    }
    // The mode last, as an access list among the attributes sets part of it.
    try FolderAttributes(file: file).replace(with: attributes, of: key)
    guard fchmod(file.number, old.mode & 0o7777) == 0 else { throw FileFailure(errno) }
  }
}
