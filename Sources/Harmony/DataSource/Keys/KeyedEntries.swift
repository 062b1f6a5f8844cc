/// Entries by key, with a sorted list of the keys once it was needed.
@usableFromInline
struct KeyedEntries<Entry: Sendable>: Sendable {
  @usableFromInline let secrets = KeySecrets.ofProcess
  @usableFromInline var entries: [StoredKey: Entry] = [:]
  /// The sorted keys, stored while few keys change, so that not every page has to sort them.
  @usableFromInline var sorted: [String]?
  /// The keys added or removed since `sorted` was computed, possibly more than once.
  @usableFromInline var changed: [String] = []
  /// The number of the sort in progress outside the lock, during which changes are recorded.
  @usableFromInline var sorting: Int?
  @usableFromInline var sortings = 0

  @inlinable
  init() {}

  /// The entry of a key; nil if there is none.
  @inlinable
  subscript(key: String) -> Entry? {
    entries[StoredKey(key, secrets)]
  }

  /// Sets or removes the entry of a key and returns the previous one.
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

  /// Records that a key was added or removed, until sorting all keys again would be faster.
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

  /// Returns all keys, sorted if that is cheap; otherwise unsorted with the number of a new sort.
  @usableFromInline
  mutating func beginSorting() -> (keys: [String], sorting: Int?) {
    if sorted != nil { return (sortedKeys(), nil) }
    sortings &+= 1
    sorting = sortings
    changed = []
    return (entries.keys.map(\.text), sortings)
  }

  /// Stores the sorted keys, unless too many changed since the sort began.
  @usableFromInline
  mutating func endSorting(_ keys: [String], _ number: Int) {
    guard sorting == number else { return }
    sorting = nil
    sorted = keys
  }

  /// Returns all keys in ascending order of their UTF-8.
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

  /// Returns sorted keys updated with the keys that were added or removed.
  func merged(_ old: [String], with changed: [String]) -> [String] {
    var keys: [String] = []
    keys.reserveCapacity(entries.count)
    var rest = old[...]
    for key in changed {
      let place = rest.place(of: key)
      keys += rest[..<place]
      rest = rest[place...]
      if let next = rest.first, next.utf8.elementsEqual(key.utf8) { rest.removeFirst() }
      // A key that was added and removed repeatedly is recorded each time.
      if let last = keys.last, last.utf8.elementsEqual(key.utf8) { continue }
      if self[key] != nil { keys.append(key) }
    }
    return keys + rest
  }

  /// Removes everything and returns the previous entries.
  @inlinable
  mutating func removeAll() -> KeyedEntries {
    let old = self
    self = KeyedEntries()
    // Numbers must not repeat, because another thread may still be sorting under an old one.
    sortings = old.sortings
    return old
  }
}
