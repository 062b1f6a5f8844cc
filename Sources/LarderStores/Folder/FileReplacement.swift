import LarderFiles
import Foundation
import LarderModel
import LarderStoreBase

/// The atomic replacement of a file: a reader sees either the old or the new contents.
///
/// The contents are written to a temporary file in the same directory, flushed to the disk, and
/// renamed over the original, with its owner, mode, flags and extended attributes. No other process
/// of larder may write to the directory at the same time.
struct FileReplacement {
  let directory: FolderDescriptor
  let name: [UInt8]
  /// The key of the file, for error messages.
  let key: EntryKey

  /// A file that was written.
  struct Written {
    let file: FolderReader.File
    /// The properties that could not be set, as clauses such as "its time: not permitted".
    let losses: [String]
    /// The reason that the file may not survive a power loss, as a clause.
    let doubt: String?
  }

  /// Replaces a file if it is unchanged since it was read.
  ///
  /// - Parameters:
  ///   - old: The file as it was read.
  ///   - bytes: The new contents.
  ///   - modified: The modification time to set, or nil for the current time.
  /// - Returns: The new file, or nil if another program has changed the original.
  /// - Throws: ``StoreError`` if properties of the original would be lost or its mode forbids
  ///   writing, and ``FileFailure``.
  func replace(
    _ old: FolderReader.File, with bytes: [UInt8], modified: FileTime? = nil
  ) throws -> Written? {
    if old.status.links > 1 {
      throw StoreError.linked(key)
    }
    if let reason = WriteObstacle.ofMode(old.status.mode) {
      throw StoreError.notReplaced(key, reason)
    }
    return try withTemporary(holding: bytes, taking: old.status) { file, temporary in
      var losses: [String]
      do {
        let present = try directory.openFile(name)
        // Some flags can only be set on an empty file.
        losses = FileFlags(of: present)?.set(of: file) ?? []
        try file.write(bytes)
        try copyMetadata(file, like: old.status, FolderAttributes(file: present))
      } catch let failure as FileFailure where failure.isMissing {
        return nil
      }
      losses += modified?.set(of: file).map { ["its time: \($0.message)"] } ?? []
      if let failure = file.synchronize() { throw failure }
      guard let status = file.status else { throw FileFailure(errno) }
      try TemporaryName.check(name, of: status, key)
      // Another program may have written while the temporary file was flushed.
      guard try directory.status(of: name) == old.status else { return nil }
      let finished = FolderReader.File(bytes: bytes, status: status)
      return try place(temporary, finished, inPlaceOf: old) ? losses : nil
    }
  }

  /// Creates a file if none exists.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - form: The permissions and other metadata, or nil for the defaults of the process and the
  ///     directory.
  /// - Returns: The file, or nil if another program created one, which is left unchanged.
  /// - Throws: ``FileFailure``.
  func create(_ bytes: [UInt8], form: FileForm? = nil) throws -> Written? {
    // If a form specifies the permissions, the file must not be readable by others before they are
    // set.
    let mode: mode_t = form == nil ? 0o666 : 0o600
    return try withTemporary(holding: bytes, mode: mode) { file, temporary in
      var losses = form?.flags?.set(of: file) ?? []
      try file.write(bytes)
      losses += try form?.copyMetadata(file) ?? []
      if let failure = file.synchronize() { throw failure }
      if let status = file.status { try TemporaryName.check(name, of: status, key) }
      // Unlike a plain rename, this fails if another program created the file in the meantime.
      guard try directory.move(temporary, to: name, in: directory) else { return nil }
      return losses
    }
  }

  /// Creates a temporary file, which is removed unless the body moves it to its final name.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - old: The file that gets the temporary name in exchange, or nil if there is none.
  ///   - mode: The maximum permissions, which apply from creation.
  ///   - body: A closure that writes the file and moves it to its final name. It returns the
  ///     properties that could not be set, or nil if the file was not moved.
  /// - Returns: The file, or nil if it was not moved.
  /// - Throws: Errors of the body, and ``FileFailure``.
  private func withTemporary(
    holding bytes: [UInt8], taking old: FileStatus? = nil, mode: mode_t = 0o600,
    _ body: (FolderDescriptor, [UInt8]) throws -> [String]?
  ) throws -> Written? {
    let (file, temporary) = try directory.makeTemporary(taking: old, mode: mode)
    let result: Result<[String]?, any Error> = Result { try body(file, temporary) }
    if case .failure(let aside as OrphanedFile) = result {
      throw StoreError.failed(aside.sentence(of: key))
    }
    // Also removes an original that was exchanged out; after a plain rename, nothing has the name.
    try? directory.remove(temporary)
    guard let losses = try result.get() else { return nil }
    let doubt = directory.synchronize()?.doubt
    guard let status = file.status else { throw FileFailure(errno) }
    // The write succeeded, even if the metadata cannot be read.
    let written = try? FolderReader.file(bytes, status, file, in: directory)
    return Written(
      file: written ?? .init(bytes: bytes, status: status), losses: losses, doubt: doubt)
  }

  /// Copies everything but the contents from the original to the new file.
  private func copyMetadata(
    _ file: FolderDescriptor, like old: FileStatus, _ attributes: FolderAttributes
  ) throws {
    // Set the owner first, as changing it may clear bits of the mode.
    if let new = file.status, new.owner != old.owner || new.group != old.group {
      guard fchown(file.number, old.owner, old.group) == 0 else {
        throw StoreError.otherOwner(key)
      }
    }
    // Set the mode last, as an access control list among the attributes changes part of it.
    try FolderAttributes(file: file).replace(with: attributes, of: key)
    guard fchmod(file.number, old.mode & 0o7777) == 0 else { throw FileFailure(errno) }
  }
}
