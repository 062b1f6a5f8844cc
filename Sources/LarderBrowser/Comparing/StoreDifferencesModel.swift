package import LarderModel
package import LarderOperations
import LarderFormats

/// The list of entries that differ between two stores.
package struct StoreDifferencesModel: OverlayList, Equatable {
  /// One of the two stores.
  package struct Side: Sendable, Equatable {
    /// The store.
    package let store: StoreReference
    /// The name in messages.
    package let name: String
  }

  /// An entry that differs between the stores.
  package struct Row: Sendable, Equatable {
    /// The difference.
    package let difference: ListedDifference
    /// The fingerprint in the first store, as far as it was read.
    let left: Fingerprint?
    /// The fingerprint in the second store, as far as it was read.
    let right: Fingerprint?
  }

  /// The numbers of entries that have been compared.
  package struct Counts: Sendable, Equatable {
    /// The number of differences of each kind.
    package var changes: [EntryDifference.Change: Int] = [:]
    /// The number of equal entries.
    package var same = 0
    /// The number of unreadable entries.
    package var unreadable = 0
    /// The number of differences that exceed the maximum of the list.
    package var unlisted = 0
  }

  /// The first store.
  package let left: Side
  /// The second store.
  package let right: Side
  /// The way in which keys are displayed.
  package let keyStyle: KeyStyle
  /// The counts so far.
  package internal(set) var counts = Counts()
  /// The progress of the comparison.
  package internal(set) var stage: ComparisonStage?
  /// The text that listed keys must contain.
  package private(set) var filter = ""
  /// The selected row.
  package var cursor = ListCursor()
  /// The token of the running comparison, if any.
  package internal(set) var comparing: Int?
  /// The reason why the comparison ended early, which is `cancelled` if the user stopped it.
  package internal(set) var failure: StoreError?
  /// The copies made from the list that can be undone, the last one last.
  private var copies: [Copy] = []
  /// The copies that were undone and can be redone, the next one last.
  private var undoneCopies: [Copy] = []

  private var rows: [Row] = []
  /// The listed rows, as indices into `rows`.
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

  /// The maximum number of listed differences.
  package static let maximumRowCount = 10_000

  init(_ left: Side, _ right: Side, _ keyStyle: KeyStyle) {
    self.left = left
    self.right = right
    self.keyStyle = keyStyle
  }

  package var rowCount: Int { shown.count }
  package var overlay: Overlay { .differences(self) }

  /// Returns the difference in a row.
  package func row(at place: Int) -> Row? {
    shown.indices.contains(place) ? rows[shown[place]] : nil
  }

  /// The selected difference.
  package var selected: Row? { row(at: cursor.index) }

  /// Appends differences to the list.
  mutating func add(_ new: [Row], _ counts: Counts) {
    self.counts = counts
    for row in new {
      rows.append(row)
      if isShown(row) { shown.append(rows.count - 1) }
    }
  }

  /// Filters the list by a text that keys must contain.
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

  /// Removes the row of an entry that was copied and is now the same in both stores.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - change: The number of the change in the journal, or `nil` if it cannot be undone.
  ///   - store: The store that the entry was copied to.
  ///   - height: The number of rows on screen.
  mutating func settle(
    _ key: EntryKey, by change: Int64?, in store: StoreReference, height: Int
  ) {
    guard let row = remove(key, height: height) else { return }
    undoneCopies = []
    if let change { copies.append(Copy(store: store, change: change, row: row)) }
  }

  /// Returns the copy that the next undo or redo applies to.
  func nextCopy(isRedo: Bool) -> Copy? { isRedo ? undoneCopies.last : copies.last }

  /// Lists a difference again after its copy was undone, or removes it after a redo.
  ///
  /// The list is unchanged if the change is not the next one to be undone or redone.
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

  /// Removes all results, before a new comparison.
  mutating func clear() {
    (rows, shown, counts, failure, stage) = ([], [], Counts(), nil, nil)
  }
}
