package import LarderModel

/// The part of a store's ordered entries that is in memory: a run without gaps.
///
/// Never the whole store: when it grows past its capacity at one end, entries go at the other, and
/// are read again when somebody comes back.
package struct EntryWindow: Sendable, Equatable {
  /// The maximum number of entries kept.
  package static let capacity = 2_000

  /// The entries, in the order of the store.
  package private(set) var entries: [Entry] = []
  /// Whether the store may have entries before the first one here.
  package private(set) var hasEarlier = false
  /// Whether the store may have entries after the last one here.
  package private(set) var hasLater = true
  /// How many entries come before the first one here, where that is known.
  package private(set) var offset: Int? = 0

  /// A window on the start of a store, with nothing read yet.
  package init() {}

  /// A window on the end of a store, with nothing read yet.
  package static var atEnd: EntryWindow {
    var window = EntryWindow()
    window.hasEarlier = true
    window.hasLater = false
    window.offset = nil
    return window
  }

  /// A window somewhere in a store, with nothing read yet.
  package static var around: EntryWindow {
    var window = EntryWindow()
    window.hasEarlier = true
    window.offset = nil
    return window
  }

  /// Takes the number of a row in the whole list, counted from 1.
  mutating func setNumber(_ number: Int, ofRow row: Int) {
    offset = max(0, number - 1 - row)
  }

  /// Adds a page after the last entry.
  ///
  /// - Returns: How far the entries that were there moved: a negative number where some went.
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

  /// Adds a page before the first entry; the page is in descending order, as it was read.
  ///
  /// - Returns: How far the entries that were there moved.
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

  /// The row of a key, or nil where it is not in the window.
  package func row(of key: EntryKey) -> Int? {
    entries.firstIndex { $0.key == key }
  }

  /// Whether the keys are in the order that keys of any store have, so that others find a place.
  var isSorted: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.key < $1.key } }

  /// Puts an entry where its key belongs in a sorted window, if that place is in memory.
  ///
  /// - Returns: The row that it got, nil where it belongs elsewhere or is there already.
  mutating func insert(_ entry: Entry) -> Int? {
    let row = entries.firstIndex { !($0.key < entry.key) } ?? entries.count
    if row < entries.count, entries[row].key == entry.key { return nil }
    if row == 0, hasEarlier { return nil }
    if row == entries.count, hasLater { return nil }
    entries.insert(entry, at: row)
    return row
  }

  /// Takes an entry out.
  package mutating func remove(_ key: EntryKey) {
    entries.removeAll { $0.key == key }
  }

  /// Puts an entry in the place of the one with its key.
  package mutating func replace(_ entry: Entry) {
    guard let row = row(of: entry.key) else { return }
    entries[row] = entry
  }

  /// Takes other entries in place of all that are here, from the same place of the store on.
  mutating func take(_ entries: [Entry], hasLater: Bool) {
    self.entries = Array(entries.prefix(Self.capacity))
    self.hasLater = hasLater || entries.count > Self.capacity
    // What comes before them may have become more or less.
    if hasEarlier { offset = nil }
  }
}
