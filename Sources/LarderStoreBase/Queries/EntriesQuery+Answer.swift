import Harmony
package import LarderModel

extension Optional {
  /// Returns what was found for a key.
  ///
  /// - Throws: `CoreError.NotFound` if that is nothing.
  package func found(_ key: EntryKey) throws -> Wrapped {
    guard let self else { throw CoreError.NotFound.key(key) }
    return self
  }
}

extension EntriesQuery {
  /// The maximum total size of the values in one answer, in bytes, without the last of them.
  private static let maximumTotalSize = 4 << 20

  /// Returns the entries for the keys, up to the first that has to be requested separately because
  /// it cannot be read, or exists but has no value.
  ///
  /// - Parameter read: A closure that returns the entry for a key, or nil if there is none.
  /// - Returns: The entries, at least one.
  /// - Throws: Errors of the closure for the first key.
  package func answer(_ read: (EntryKey) throws -> Entry?) throws -> [Entry] {
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
