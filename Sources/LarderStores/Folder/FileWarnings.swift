import LarderModel

/// Warnings about changes that were made but may not survive a power loss, or could not preserve
/// all properties of a file.
final class FileWarnings {
  /// The operation on a file.
  enum Change: String {
    case added, replaced, deleted, renamed
  }

  private let told: WarningCollector?
  private var losses: [String] = []
  private var doubts: [String] = []
  /// The maximum number of losses to report individually.
  private static let maximum = 5

  /// Creates an empty list.
  ///
  /// - Parameter told: The collector of warnings about losses, which do not make a change fail.
  init(_ told: WarningCollector?) {
    self.told = told
  }

  /// Adds the problems of a file that was written.
  func add(_ written: FileReplacement.Written, _ key: EntryKey, _ change: Change) {
    if !written.losses.isEmpty {
      losses.append(
        Messages.done(key.spoken, change.rawValue, but: Messages.without(written.losses)))
    }
    if let doubt = written.doubt { add(doubt: doubt, key, change) }
  }

  /// Adds the problem that a change may not survive a power loss.
  func add(doubt: String, _ key: EntryKey, _ change: Change) {
    doubts.append(Messages.done(key.spoken, change.rawValue, but: doubt))
  }

  /// Reports the losses so far.
  func tell() {
    for loss in losses.prefix(Self.maximum) { told?.add(loss) }
    let others = losses.count - Self.maximum
    if others > 0 { told?.add(Messages.moreLosses(others)) }
    losses = []
  }

  /// Reports folders that have become empty.
  func tell(emptied folders: Set<[UInt8]>) {
    guard let first = folders.min(by: { $0.lexicographicallyPrecedes($1) }) else { return }
    told?.add(Messages.emptied(EntryKey(textBytes: first), count: folders.count))
  }

  /// Throws an error if a change may not survive a power loss, with the first problem and the
  /// number of others.
  ///
  /// - Throws: ``StoreError``, as the changes are not reliable.
  func check() throws(StoreError) {
    guard let first = doubts.first else { return }
    throw .notDurable(first + Messages.moreDoubts(doubts.count - 1))
  }
}
