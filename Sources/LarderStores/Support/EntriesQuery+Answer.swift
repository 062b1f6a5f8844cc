import LarderModel

extension EntriesQuery {
  /// The most that the values of one answer take, but for the last of them.
  private static let maximumTotalSize = 4 << 20

  /// Answers with what a source finds under the keys, up to the first that has to be asked for by
  /// itself: one that cannot be read, or that has no value although it is there.
  ///
  /// - Parameter read: Finds the entry of a key, nil where there is none.
  /// - Returns: The entries.
  /// - Throws: What is thrown for the first key.
  func answer(_ read: (EntryKey) throws -> Entry?) throws -> [Entry] {
    var entries: [Entry] = []
    var size = 0
    for key in keys where size < Self.maximumTotalSize {
      let entry: Entry?
      do {
        entry = try read(key)
      } catch  where !entries.isEmpty {
        break
      }
      if let entry, entry.value == nil, !leavesOutLarge { break }
      size += min(entry?.size ?? 0, leavesOutLarge ? maximumSize ?? .max : .max)
      entries.append(entry ?? Entry(key: key))
    }
    return entries
  }
}
