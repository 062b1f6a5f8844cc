import LarderModel

/// A file that has a temporary name, may be missed, and could not get its own name back.
struct KeptAside: Error {
  /// The name that it has now.
  let name: [UInt8]
  /// Whether it is known to be what another program wrote.
  let isForeign: Bool
  /// Why it does not have its own name, as a clause.
  let reason: String

  /// Leaves a file where it is, under a name that larder never takes for that of a spare one.
  ///
  /// - Parameters:
  ///   - temporary: The name that it has.
  ///   - directory: Where it is.
  ///   - isForeign: Whether it is known to be what another program wrote.
  ///   - reason: Why it does not get its own name back, as a clause.
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
    // By its times it is what was read, which nobody knows.
    let lasting = TemporaryName.lasting().bytes
    let isRenamed = (try? directory.rename(temporary, to: lasting)) != nil
    name = isRenamed ? lasting : temporary
  }

  /// What happened and what to do, as one sentence without a final full stop.
  ///
  /// - Parameter key: The file whose name it had.
  /// - Returns: The sentence.
  func sentence(of key: EntryKey) -> String {
    let what =
      isForeign
      ? "what another program wrote to \(key.spoken) meanwhile" : "what \(key.spoken) held"
    // Whole, however long it is.
    let aside = EntryKey(textBytes: name).notation(.typed)
    return "\(what) could not be put back there, \(reason), and is in \(aside) beside it, where "
      + "larder leaves it alone: give it its name back"
  }
}
