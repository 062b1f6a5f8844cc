import LarderFiles
import Foundation
import LarderModel

/// Puts new contents in the place of a file, of which a reader sees the old ones or the new ones.
///
/// The contents are written beside the file under a temporary name, brought to the disk, and then
/// renamed over it, with the owner, mode, flags and extended attributes of the old file. No other
/// larder may write to the directory meanwhile.
struct FileReplacement {
  let directory: FolderDescriptor
  let name: [UInt8]
  /// What the file is called in sentences.
  let key: EntryKey

  /// A file that was written.
  struct Written {
    let file: FolderReader.File
    /// What it could not be given, as clauses such as "its time: not permitted".
    let losses: [String]
    /// Why it may not last, as a clause.
    let doubt: String?
  }

  /// Replaces a file that was read.
  ///
  /// - Parameters:
  ///   - old: The file as it was read.
  ///   - bytes: What it is to hold.
  ///   - modified: Since when it is to be as it is, where that is not now.
  /// - Returns: The new file; nil where the file was not the one any more that was read: then it is
  ///   what somebody else has made of it.
  /// - Throws: ``StoreError`` where something of the old file would be lost, or its mode says that it
  ///   is not to be written; ``FileFailure``.
  func replace(
    _ old: FolderReader.File, with bytes: [UInt8], modified: FileForm.Time? = nil
  ) throws -> Written? {
    if old.status.links > 1 {
      throw StoreError.failed(
        "\(key.spoken) has several names (hard links), and replacing the file would separate it "
          + "from the others; nothing was written")
    }
    if let reason = WriteObstacle.ofMode(old.status.mode) {
      throw StoreError.readOnly("\(key.spoken) stays as it is: \(reason); nothing was written")
    }
    return try withTemporary(holding: bytes, taking: old.status) { file, temporary in
      var losses: [String]
      do {
        let present = try directory.openFile(name)
        // Some can be given to an empty file only.
        losses = FileFlags(of: present)?.set(of: file) ?? []
        try file.write(bytes)
        try dress(file, like: old.status, FolderAttributes(file: present))
      } catch let failure as FileFailure where failure.isMissing {
        return nil
      }
      losses += modified?.set(of: file).map { ["its time: \($0.message)"] } ?? []
      if let failure = file.synchronize() { throw failure }
      guard let status = file.status else { throw FileFailure(errno) }
      try TemporaryName.check(name, of: status, key)
      // Someone may have written while the temporary file went to the disk.
      guard try directory.status(of: name) == old.status else { return nil }
      let finished = FolderReader.File(bytes: bytes, status: status)
      return try place(temporary, finished, inPlaceOf: old) ? losses : nil
    }
  }

  /// Makes a file where there is none.
  ///
  /// - Parameters:
  ///   - bytes: What it is to hold.
  ///   - form: Who may do what with it, and what else it carries; nil for what the process, and the
  ///     directory, give to any new file.
  /// - Returns: The file; nil where there is one by now, which stays.
  /// - Throws: ``FileFailure``.
  func create(_ bytes: [UInt8], form: FileForm? = nil) throws -> Written? {
    // Nobody may read what somebody else said who may.
    let mode: mode_t = form == nil ? 0o666 : 0o600
    return try withTemporary(holding: bytes, mode: mode) { file, temporary in
      var losses = form?.flags?.set(of: file) ?? []
      try file.write(bytes)
      losses += try form?.dress(file) ?? []
      if let failure = file.synchronize() { throw failure }
      if let status = file.status { try TemporaryName.check(name, of: status, key) }
      // Fails, unlike a plain rename, if someone else made the file meanwhile.
      guard try directory.move(temporary, to: name, in: directory) else { return nil }
      return losses
    }
  }

  /// Makes a temporary file, which is gone again unless the body gave it the name.
  ///
  /// - Parameters:
  ///   - bytes: What it is to hold.
  ///   - old: The file that is going to get the temporary name in exchange; nil where there is none.
  ///   - mode: Who may read and write it at most, from its first moment.
  ///   - body: Writes it and gives it the name; returns what it could not be given, or nil where it
  ///     did not get the name.
  /// - Returns: The file, if it has the name.
  /// - Throws: What the body throws; ``FileFailure``.
  private func withTemporary(
    holding bytes: [UInt8], taking old: FileStatus? = nil, mode: mode_t = 0o600,
    _ body: (FolderDescriptor, [UInt8]) throws -> [String]?
  ) throws -> Written? {
    let (file, temporary) = try directory.makeTemporary(taking: old, mode: mode)
    let result: Result<[String]?, any Error> = Result { try body(file, temporary) }
    if case .failure(let aside as KeptAside) = result {
      throw StoreError.failed(aside.sentence(of: key))
    }
    // Also what came out in exchange; where the file got the name there is nothing.
    try? directory.remove(temporary)
    guard let losses = try result.get() else { return nil }
    let doubt = directory.synchronize()?.doubt
    guard let status = file.status else { throw FileFailure(errno) }
    // It is written, whatever can be said of it.
    let written = try? FolderReader.file(bytes, status, file, in: directory)
    return Written(
      file: written ?? .init(bytes: bytes, status: status), losses: losses, doubt: doubt)
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
