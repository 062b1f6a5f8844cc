/// Entries by key, and the sorted keys once they have been asked for.
@usableFromInline
struct KeyedEntries<Entry: Sendable>: Sendable {
  @usableFromInline var entries: [StoredKey: Entry] = [:]
  /// Kept until a key comes or goes, so that page after page is not sorted anew.
  @usableFromInline var sorted: [String]?

  @inlinable
  init() {}

  /// The entry of a key, nil if there is none.
  @inlinable
  subscript(key: String) -> Entry? {
    entries[StoredKey(key)]
  }

  /// Sets or removes the entry of a key, and returns the one that was there.
  @inlinable
  mutating func replace(_ key: String, with entry: Entry?) -> Entry? {
    guard let entry else {
      let old = entries.removeValue(forKey: StoredKey(key))
      if old != nil { sorted = nil }
      return old
    }
    let old = entries.updateValue(entry, forKey: StoredKey(key))
    if old == nil { sorted = nil }
    return old
  }

  /// All keys, in ascending order of their UTF-8.
  @inlinable
  mutating func sortedKeys() -> [String] {
    if let sorted { return sorted }
    let keys = entries.keys.map(\.text).inOrderOfBytes()
    sorted = keys
    return keys
  }

  /// Removes everything, and returns what was there.
  @inlinable
  mutating func removeAll() -> KeyedEntries {
    let old = self
    self = KeyedEntries()
    return old
  }
}
