/// Entries by key, and the sorted keys once they have been asked for.
@usableFromInline
struct KeyedEntries<Entry: Sendable>: Sendable {
  @usableFromInline let secrets = KeySecrets.ofProcess
  @usableFromInline var entries: [StoredKey: Entry] = [:]
  /// Kept while few keys come and go, so that page after page is not sorted again.
  @usableFromInline var sorted: [String]?
  /// The keys that came or went since the others were sorted, some of them several times.
  @usableFromInline var changed: [String] = []
  /// The number of the sorting that goes on elsewhere, while what comes or goes is taken down for it.
  @usableFromInline var sorting: Int?
  @usableFromInline var sortings = 0

  @inlinable
  init() {}

  /// The entry of a key, nil if there is none.
  @inlinable
  subscript(key: String) -> Entry? {
    entries[StoredKey(key, secrets)]
  }

  /// Sets or removes the entry of a key, and returns the one that was there.
  @inlinable
  mutating func replace(_ key: String, with entry: Entry?) -> Entry? {
    guard let entry else {
      let old = entries.removeValue(forKey: StoredKey(key, secrets))
      if old != nil { note(key) }
      return old
    }
    let old = entries.updateValue(entry, forKey: StoredKey(key, secrets))
    if old == nil { note(key) }
    return old
  }

  /// Takes down that a key came or went, as long as sorting all of them again takes longer.
  @usableFromInline
  mutating func note(_ key: String) {
    guard sorted != nil || sorting != nil else { return }
    if changed.count < (sorted?.count ?? entries.count) / 8 {
      changed.append(key)
    } else {
      sorted = nil
      sorting = nil
      changed = []
    }
  }

  /// All keys, where they need not be sorted; else unsorted, to be sorted while nobody waits.
  @usableFromInline
  mutating func beginSorting() -> (keys: [String], sorting: Int?) {
    if sorted != nil { return (sortedKeys(), nil) }
    sortings &+= 1
    sorting = sortings
    changed = []
    return (entries.keys.map(\.text), sortings)
  }

  /// Keeps the keys that were sorted, unless too many came or went meanwhile.
  @usableFromInline
  mutating func endSorting(_ keys: [String], _ number: Int) {
    guard sorting == number else { return }
    sorting = nil
    sorted = keys
  }

  /// All keys, in ascending order of their UTF-8.
  @usableFromInline
  mutating func sortedKeys() -> [String] {
    if let sorted, changed.isEmpty { return sorted }
    let keys =
      sorted.map { merged($0, with: changed.inOrderOfBytes()) }
      ?? entries.keys.map(\.text).inOrderOfBytes()
    sorted = keys
    sorting = nil
    changed = []
    return keys
  }

  /// Sorted keys as they are now, after some of them came or went.
  func merged(_ old: [String], with changed: [String]) -> [String] {
    var keys: [String] = []
    keys.reserveCapacity(entries.count)
    var rest = old[...]
    for key in changed {
      let place = rest.place(of: key)
      keys += rest[..<place]
      rest = rest[place...]
      if let next = rest.first, next.utf8.elementsEqual(key.utf8) { rest.removeFirst() }
      // A key that came and went and came is in the list of changes as often.
      if let last = keys.last, last.utf8.elementsEqual(key.utf8) { continue }
      if self[key] != nil { keys.append(key) }
    }
    return keys + rest
  }

  /// Removes everything, and returns what was there.
  @inlinable
  mutating func removeAll() -> KeyedEntries {
    let old = self
    self = KeyedEntries()
    // A number must not come again, as somebody may still sort under it.
    sortings = old.sortings
    return old
  }
}
