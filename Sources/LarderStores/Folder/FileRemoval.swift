import LarderFiles
import LarderModel

/// Takes the name of a file away, if the file is still the one that was read.
///
/// No other larder may write to the directory meanwhile.
struct FileRemoval {
  let directory: FolderDescriptor
  let name: [UInt8]
  /// What the file is called in sentences.
  let key: EntryKey

  /// Removes the file.
  ///
  /// Somebody may write at the last moment: the file gets a temporary name first, and its own back
  /// if it is not what was read.
  ///
  /// - Parameter read: The file as it was read.
  /// - Returns: Whether it was removed; if not, it is what somebody else has made of it.
  /// - Throws: ``FileFailure``; then nothing was removed. ``StoreError``, which says what became of
  ///   the file.
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

  /// Gives the file its name back.
  ///
  /// - Throws: ``StoreError`` where it cannot have it, which says where the file is.
  private func giveBack(_ temporary: [UInt8], isForeign: Bool) throws(StoreError) {
    let reason: String
    do throws(FileFailure) {
      guard let taken = try directory.giveBack(temporary, to: name) else { return }
      reason = taken
    } catch {
      reason = error.message
    }
    let aside = KeptAside(temporary, in: directory, isForeign: isForeign, because: reason)
    throw .failed(aside.sentence(of: key))
  }
}
