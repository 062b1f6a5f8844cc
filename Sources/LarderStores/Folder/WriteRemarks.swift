import LarderModel

/// What is to be said of changes that were made: that one may not last, or is not all that it was to
/// be.
final class WriteRemarks {
  /// What was done to a file.
  enum Change: String {
    case added, replaced, deleted, renamed
  }

  private let told: Remarks?
  private var losses: [String] = []
  private var doubts: [String] = []
  /// How many losses are told one by one.
  private static let maximum = 5

  /// Creates an empty list.
  ///
  /// - Parameter told: Who is told of losses, which do not make a change fail.
  init(_ told: Remarks?) {
    self.told = told
  }

  /// Adds what is to be said of a file that was written.
  func add(_ written: FileReplacement.Written, _ key: EntryKey, _ change: Change) {
    if !written.losses.isEmpty {
      let losses = written.losses.joined(separator: "; ")
      self.losses.append("\(key.spoken) was \(change), but could not be given \(losses)")
    }
    if let doubt = written.doubt { add(doubt: doubt, key, change) }
  }

  /// Adds that a change may not last.
  func add(doubt: String, _ key: EntryKey, _ change: Change) {
    doubts.append("\(key.spoken) was \(change), but \(doubt)")
  }

  /// Tells of the losses so far.
  func tell() {
    for loss in losses.prefix(Self.maximum) { told?.add(loss) }
    let others = losses.count - Self.maximum
    if others > 0 {
      told?.add("\(others) more \(others == 1 ? "entry" : "entries") could not be given everything")
    }
    losses = []
  }

  /// Tells of folders that nothing is in any more.
  func tell(emptied folders: Set<[UInt8]>) {
    guard let first = folders.min(by: { $0.lexicographicallyPrecedes($1) }) else { return }
    let name = EntryKey(textBytes: first).spoken
    told?.add(
      (folders.count == 1
        ? "the folder \(name) is empty now, and stays"
        : "\(folders.count) folders, such as \(name), are empty now, and stay")
        + "; larder lists files alone")
  }

  /// Says the first doubt, and how many others there are.
  ///
  /// - Throws: ``StoreError`` where there is any: nobody can rely on what was done.
  func check() throws(StoreError) {
    guard let first = doubts.first else { return }
    let others = doubts.count - 1
    let more = others == 0 ? "" : " (and \(others) more such \(others == 1 ? "remark" : "remarks"))"
    throw .notDurable(first + more)
  }
}
