package import LarderModel

/// A contiguous part of a store's ordered entries that is in memory.
///
/// The size is limited: when the window grows past its capacity at one end, it drops entries at the
/// other, which are read again when the user scrolls back.
package struct EntryWindow: Sendable, Equatable {
  /// The maximum number of entries in memory.
  package static let capacity = 2_000

  /// The entries, in the order of the store.
  package private(set) var entries: [Entry] = []
  /// Whether the store may have entries before the first one in the window.
  package private(set) var hasEarlier = false
  /// Whether the store may have entries after the last one in the window.
  package private(set) var hasLater = true
  /// The number of entries before the first one in the window, or `nil` if it is not known.
  package private(set) var offset: Int? = 0

  /// An empty window at the start of a store.
  package init() {}

  /// An empty window at the end of a store.
  package static var atEnd: EntryWindow {
    var window = EntryWindow()
    window.hasEarlier = true
    window.hasLater = false
    window.offset = nil
    return window
  }

  /// An empty window within a store.
  package static var around: EntryWindow {
    var window = EntryWindow()
    window.hasEarlier = true
    window.offset = nil
    return window
  }

  /// Sets the position of a row in the whole list, counted from 1.
  mutating func setNumber(_ number: Int, ofRow row: Int) {
    offset = max(0, number - 1 - row)
  }

  /// Appends a page.
  ///
  /// - Returns: The number of rows that the existing entries moved by, which is negative if entries
  ///   were dropped at the start.
  package mutating func append(_ page: [Entry], isLast: Bool) -> Int {
    entries.append(contentsOf: page)
    hasLater = !isLast
    let excess = entries.count - Self.capacity
    guard excess > 0 else { return 0 }
    entries.removeFirst(excess)
    hasEarlier = true
    offset = offset.map { $0 + excess }
    return -excess
  }

  /// Prepends a page, which is in descending order, as it was read.
  ///
  /// - Returns: The number of rows that the existing entries moved by.
  package mutating func prepend(_ page: [Entry], isFirst: Bool) -> Int {
    entries.insert(contentsOf: page.reversed(), at: 0)
    hasEarlier = !isFirst
    offset = isFirst ? 0 : offset.map { max(0, $0 - page.count) }
    let excess = entries.count - Self.capacity
    if excess > 0 {
      entries.removeLast(excess)
      hasLater = true
    }
    return page.count
  }

  /// Returns the row of a key, or `nil` if it is not in the window.
  package func row(of key: EntryKey) -> Int? {
    entries.firstIndex { $0.key == key }
  }

  /// Whether the entries are in the natural order of keys, so that new ones can be inserted.
  var isSorted: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.key < $1.key } }

  /// Inserts an entry into a sorted window, if its position is in memory.
  ///
  /// - Returns: The row of the entry, or `nil` if it is outside of the window or already present.
  mutating func insert(_ entry: Entry) -> Int? {
    let row = entries.firstIndex { !($0.key < entry.key) } ?? entries.count
    if row < entries.count, entries[row].key == entry.key { return nil }
    if row == 0, hasEarlier { return nil }
    if row == entries.count, hasLater { return nil }
    entries.insert(entry, at: row)
    return row
  }

  /// Removes an entry.
  package mutating func remove(_ key: EntryKey) {
    entries.removeAll { $0.key == key }
  }

  /// Replaces the entry that has the same key.
  package mutating func replace(_ entry: Entry) {
    guard let row = row(of: entry.key) else { return }
    entries[row] = entry
  }

  /// Replaces all entries with others that begin at the same position of the store.
  mutating func take(_ entries: [Entry], hasLater: Bool) {
    self.entries = Array(entries.prefix(Self.capacity))
    self.hasLater = hasLater || entries.count > Self.capacity
    // The number of entries before them may have changed.
    if hasEarlier { offset = nil }
  }
}
