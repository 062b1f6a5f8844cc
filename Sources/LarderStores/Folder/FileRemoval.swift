import LarderCore

/// Takes the name of a file away, if the file is still the one that was read.
struct FileRemoval {
  let directory: FolderDescriptor
  let name: [UInt8]

  /// Removes the file.
  ///
  /// Somebody may write at the last moment: the file gets a temporary name first, and its own back
  /// if it is not what was read.
  ///
  /// - Parameter read: The file as it was read.
  /// - Returns: Whether it was removed; if not, it is what somebody else has made of it.
  /// - Throws: ``FileFailure``; then nothing was removed.
  func remove(asRead read: FolderReader.File) throws(FileFailure) -> Bool {
    let temporary = TemporaryName(taking: read.status).bytes
    try directory.rename(name, to: temporary)
    do throws(FileFailure) {
      switch try FolderReader.holds(temporary, in: directory, read) {
      case true?:
        try directory.remove(temporary)
        return true
      // Another larder has taken it for what a killed one left.
      case nil: return true
      case false?: break
      }
    } catch {
      try giveBack(temporary)
      throw error
    }
    try giveBack(temporary)
    return false
  }

  private func giveBack(_ temporary: [UInt8]) throws(FileFailure) {
    if try directory.move(temporary, to: name, in: directory) { return }
    // Somebody has written there meanwhile, over what would have been here.
    try directory.remove(temporary)
  }
}
