import LarderModel

/// A file under a temporary name that must not be lost and could not be renamed back.
struct OrphanedFile: Error {
  /// The current name of the file.
  let name: [UInt8]
  /// Whether the file is known to be from another program.
  let isForeign: Bool
  /// The reason that the file does not have its original name, as a clause.
  let reason: String

  /// Leaves a file in its directory, under a name that larder does not treat as that of a leftover
  /// temporary file.
  ///
  /// - Parameters:
  ///   - temporary: The current name of the file.
  ///   - directory: The directory of the file.
  ///   - isForeign: Whether the file is known to be from another program.
  ///   - reason: The reason that the file could not be renamed back, as a clause.
  init(
    _ temporary: [UInt8], in directory: FolderDescriptor, isForeign: Bool = true,
    because reason: String
  ) {
    self.isForeign = isForeign
    self.reason = reason
    guard directory.isSpare(temporary) else {
      name = temporary
      return
    }
    // By its times the file appears to be the one that was read, but that is not certain.
    let lasting = TemporaryName.lasting().bytes
    let isRenamed = (try? directory.rename(temporary, to: lasting)) != nil
    name = isRenamed ? lasting : temporary
  }

  /// Returns a message about what happened and what to do, as one sentence without a final full
  /// stop.
  ///
  /// - Parameter key: The key of the file's original name.
  /// - Returns: The sentence.
  func sentence(of key: EntryKey) -> String {
    Messages.orphaned(EntryKey(textBytes: name), of: key, isForeign: isForeign, reason)
  }
}
