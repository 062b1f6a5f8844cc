package import LarderModel
package import LarderOperations
import LarderFormats

/// The entries in which two stores differ, over the panes.
package struct StoreDifferencesModel: OverlayList, Equatable {
  /// One of the two stores.
  package struct Side: Sendable, Equatable {
    /// The store.
    package let store: StoreReference
    /// The name in messages.
    package let name: String
  }

  /// An entry that is not the same in both.
  package struct Row: Sendable, Equatable {
    /// The difference.
    package let difference: ListedDifference
    /// The fingerprint in the first store, as far as it was read.
    let left: Fingerprint?
    /// The same in the second store.
    let right: Fingerprint?
  }

  /// How many entries were compared so far.
  package struct Counts: Sendable, Equatable {
    /// The entries of each kind of difference.
    package var changes: [EntryDifference.Change: Int] = [:]
    /// The entries that are the same.
    package var same = 0
    /// The entries that cannot be read.
    package var unreadable = 0
    /// How many differences are not listed, as there are too many.
    package var unlisted = 0
  }

  /// The first store.
  package let left: Side
  /// The store that it is compared with.
  package let right: Side
  /// How keys are shown.
  package let keyStyle: KeyStyle
  /// What was counted so far.
  package internal(set) var counts = Counts()
  /// How far the comparison is.
  package internal(set) var stage: ComparisonStage?
  /// The text that keys have to contain.
  package private(set) var filter = ""
  /// The selected row.
  package var cursor = ListCursor()
  /// The token of the comparison, while it runs.
  package internal(set) var comparing: Int?
  /// Why the comparison ended early; `cancelled` if the user stopped it.
  package internal(set) var failure: StoreError?
  /// The copies made from the list that can be undone, the last one last.
  private var copies: [Copy] = []
  /// The copies that were undone and can be redone, the next one last.
  private var undoneCopies: [Copy] = []

  private var rows: [Row] = []
  /// The listed rows, as places in `rows`.
  private var shown: [Int] = []

  /// A copy of an entry from one store to the other.
  struct Copy: Sendable, Equatable {
    /// The store that the entry was copied to.
    let store: StoreReference
    /// The number of the change in the journal of that store.
    let change: Int64
    /// The difference that the copy settled.
    let row: Row
  }

  /// The maximum number of differences that are listed.
  package static let maximumRowCount = 10_000

  init(_ left: Side, _ right: Side, _ keyStyle: KeyStyle) {
    self.left = left
    self.right = right
    self.keyStyle = keyStyle
  }

  package var rowCount: Int { shown.count }
  package var overlay: Overlay { .differences(self) }

  /// The difference of a row.
  package func row(at place: Int) -> Row? {
    shown.indices.contains(place) ? rows[shown[place]] : nil
  }

  /// The selected difference.
  package var selected: Row? { row(at: cursor.index) }

  /// Adds differences, which come after those that are listed.
  mutating func add(_ new: [Row], _ counts: Counts) {
    self.counts = counts
    for row in new {
      rows.append(row)
      if isShown(row) { shown.append(rows.count - 1) }
    }
  }

  /// Lists only keys that contain a text.
  mutating func filter(by text: String, height: Int) {
    let key = selected?.difference.key
    filter = text
    shown = rows.indices.filter { isShown(rows[$0]) }
    let place = shown.firstIndex { rows[$0].difference.key == key }
    cursor.select(place ?? 0, count: shown.count, height: height)
  }

  private func isShown(_ row: Row) -> Bool {
    filter.isEmpty
      || row.difference.key.shown(keyStyle).lowercased().contains(filter.lowercased())
  }

  /// Removes the row of an entry that was copied: both stores have the same now.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - change: The number of the change in the journal; nil where it cannot be undone.
  ///   - store: The store that the entry was copied to.
  ///   - height: The number of rows on screen.
  mutating func settle(
    _ key: EntryKey, by change: Int64?, in store: StoreReference, height: Int
  ) {
    guard let row = remove(key, height: height) else { return }
    undoneCopies = []
    if let change { copies.append(Copy(store: store, change: change, row: row)) }
  }

  /// The copy that the next undo or redo is about.
  func nextCopy(isRedo: Bool) -> Copy? { isRedo ? undoneCopies.last : copies.last }

  /// Lists the difference again that an undone copy had settled, or removes it after a redo.
  ///
  /// A change that is not the next one to be undone, or redone, leaves the list as it is.
  mutating func replayed(
    _ change: Int64, in store: StoreReference, isRedo: Bool, height: Int
  ) {
    guard let copy = nextCopy(isRedo: isRedo), copy.change == change, copy.store == store else {
      return
    }
    if isRedo {
      undoneCopies.removeLast()
      copies.append(copy)
      _ = remove(copy.row.difference.key, height: height)
    } else {
      copies.removeLast()
      undoneCopies.append(copy)
      insert(copy.row, height: height)
    }
  }

  private mutating func remove(_ key: EntryKey, height: Int) -> Row? {
    guard let place = rows.firstIndex(where: { $0.difference.key == key }) else { return nil }
    let row = rows.remove(at: place)
    shown = rows.indices.filter { isShown(rows[$0]) }
    counts.changes[row.difference.change, default: 1] -= 1
    counts.same += 1
    cursor.select(cursor.index, count: shown.count, height: height)
    return row
  }

  private mutating func insert(_ row: Row, height: Int) {
    let key = row.difference.key
    guard !rows.contains(where: { $0.difference.key == key }) else { return }
    let place = rows.firstIndex { $0.difference.key > key } ?? rows.count
    rows.insert(row, at: place)
    shown = rows.indices.filter { isShown(rows[$0]) }
    counts.changes[row.difference.change, default: 0] += 1
    counts.same -= 1
    cursor.select(shown.firstIndex(of: place) ?? 0, count: shown.count, height: height)
  }

  /// Forgets all that was found, to compare again.
  mutating func clear() {
    (rows, shown, counts, failure, stage) = ([], [], Counts(), nil, nil)
    (copies, undoneCopies) = ([], [])
  }
}
