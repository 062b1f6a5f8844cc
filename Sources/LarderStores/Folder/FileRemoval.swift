import LarderFiles
import LarderModel

/// The deletion of a file, provided that it is unchanged since it was read.
///
/// No other process of larder may write to the directory at the same time.
struct FileRemoval {
  let directory: FolderDescriptor
  let name: [UInt8]
  /// The key of the file, for error messages.
  let key: EntryKey

  /// Deletes the file.
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
    try directory.rename(name, to: temporary)
    let isExpected: Bool?
    do {
      isExpected = try FolderReader.holds(temporary, in: directory, read)
    } catch {
      try giveBack(temporary, isForeign: false)
      throw error
    }
    guard let isExpected else {
      throw StoreError.failed(
        "\(key.spoken) was taken away by another program while larder was about to delete it: "
          + "whether it still was what larder had read is not known")
    }
    guard isExpected else {
      try giveBack(temporary, isForeign: true)
      return false
    }
    do {
      try directory.remove(temporary)
    } catch {
      try giveBack(temporary, isForeign: false)
      throw error
    }
    return true
  }

  /// Renames the file back to its original name.
  ///
  /// - Throws: ``StoreError`` with the location of the file if that fails.
  private func giveBack(_ temporary: [UInt8], isForeign: Bool) throws(StoreError) {
    let reason: String
    do throws(FileFailure) {
      guard let taken = try directory.giveBack(temporary, to: name) else { return }
      reason = taken
    } catch {
      reason = error.message
    }
    let aside = OrphanedFile(temporary, in: directory, isForeign: isForeign, because: reason)
    throw .failed(aside.sentence(of: key))
  }
}
