import LarderFiles
import Foundation
import LarderModel
import LarderStoreBase

extension FileReplacement {
  /// Renames a finished file to the name of the original, if the original is unchanged.
  ///
  /// Another program may write at the last moment, so the names are exchanged, and exchanged back
  /// if the file under the temporary name is not as it was read. On file systems that cannot
  /// exchange names, changes made between the last check and the rename are lost.
  ///
  /// - Parameters:
  ///   - temporary: The name of the finished file.
  ///   - file: The finished file.
  ///   - old: The original file as it was read.
  /// - Returns: Whether the finished file now has the name.
  /// - Throws: ``FileFailure``, ``OrphanedFile``, or ``StoreError`` if another program removed the
  ///   original.
  func place(
    _ temporary: [UInt8], _ file: FolderReader.File, inPlaceOf old: FolderReader.File
  ) throws -> Bool {
    do throws(FileFailure) {
      guard try directory.exchange(temporary, name) else {
        guard try FolderReader.holds(name, in: directory, old) == true else { return false }
        try directory.rename(temporary, to: name)
        return true
      }
    } catch {
      guard error.number == ENOENT else { throw error }
      // Another program deleted the file.
      return false
    }
    return try isTaken(
      temporary, old, orUnknown: .uncheckedWrite(key)
    ) { () throws(FileFailure) in try exchangeBack(temporary, file) }
  }

  /// Deletes a file, provided that it is unchanged since it was read.
  ///
  /// Another program may write to it at the last moment, so the file is first renamed to a
  /// temporary name, and renamed back if it is not as it was read.
  ///
  /// - Parameter read: The file as it was read.
  /// - Returns: Whether the file was deleted; if not, another program has changed it.
  /// - Throws: ``FileFailure`` if nothing was deleted, or ``StoreError`` with a description of the
  ///   outcome.
  func remove(asRead read: FolderReader.File) throws -> Bool {
    let temporary = TemporaryName(taking: read.status).bytes
    let giveBack = { () throws(FileFailure) in try directory.giveBack(temporary, to: name) }
    try directory.rename(name, to: temporary)
    do {
      let isExpected = try isTaken(
        temporary, read, orUnknown: .uncheckedDeletion(key), giveBack: giveBack)
      guard isExpected else { return false }
      do {
        try directory.remove(temporary)
      } catch {
        try restore(temporary, isForeign: false, giveBack)
        throw error
      }
      return true
    } catch let aside as OrphanedFile {
      throw StoreError.failed(aside.sentence(of: key))
    }
  }

  /// Returns whether the file that was given a temporary name is as it was read; if not, or if that
  /// cannot be determined, gives it its name back.
  ///
  /// - Parameters:
  ///   - temporary: The temporary name.
  ///   - read: The file as it was read.
  ///   - unknown: The error if another program removed the file.
  ///   - giveBack: A closure that gives the file its name back, and returns the reason that the file
  ///     that now has the temporary name must not be deleted, as a clause, or nil if it may be.
  /// - Returns: Whether the file is as it was read.
  /// - Throws: ``FileFailure``, ``OrphanedFile``, or ``StoreError`` if another program removed the
  ///   file.
  private func isTaken(
    _ temporary: [UInt8], _ read: FolderReader.File, orUnknown unknown: StoreError,
    giveBack: () throws(FileFailure) -> String?
  ) throws -> Bool {
    let isExpected: Bool?
    do {
      isExpected = try FolderReader.holds(temporary, in: directory, read)
    } catch {
      try restore(temporary, isForeign: false, giveBack)
      throw error
    }
    guard let isExpected else { throw unknown }
    if !isExpected { try restore(temporary, isForeign: true, giveBack) }
    return isExpected
  }

  /// Gives another program's file its name back.
  ///
  /// - Throws: ``OrphanedFile`` if that fails, or another file would be lost.
  private func restore(
    _ temporary: [UInt8], isForeign: Bool, _ giveBack: () throws(FileFailure) -> String?
  ) throws(OrphanedFile) {
    let reason: String?
    do throws(FileFailure) {
      reason = try giveBack()
    } catch {
      reason = error.message
    }
    guard let reason else { return }
    throw OrphanedFile(temporary, in: directory, isForeign: isForeign, because: reason)
  }

  /// Exchanges the names back.
  ///
  /// - Returns: The reason, as a clause, that the file under the temporary name must not be
  ///   deleted, or nil if it may be.
  private func exchangeBack(
    _ temporary: [UInt8], _ file: FolderReader.File
  ) throws(FileFailure) -> String? {
    guard try directory.status(of: temporary) != nil else { return nil }
    do throws(FileFailure) {
      _ = try directory.exchange(temporary, name)
    } catch {
      guard error.number == ENOENT else { throw error }
      // Another program removed the file in the meantime.
      return try directory.giveBack(temporary, to: name)
    }
    // Another program may have written to the new file, or replaced it, while it had the name.
    return try FolderReader.holds(temporary, in: directory, file) ?? true
      ? nil : Messages.writtenAgain
  }
}
