import LarderModel

/// The list of changes by other programs since watching began, newest first.
package struct ChangesModel: OverlayList, Equatable {
  /// The store.
  package let store: StoreSummary
  /// The changes.
  package private(set) var log: ChangeLog
  /// The selected change.
  package var cursor = ListCursor()

  init(store: StoreSummary, log: ChangeLog) {
    self.store = store
    self.log = log
  }

  package var rowCount: Int { log.items.count }
  package var overlay: Overlay { .changes(self) }

  /// Returns the change in a row.
  package func item(at row: Int) -> ChangeLog.Item? {
    let place = log.items.count - 1 - row
    return log.items.indices.contains(place) ? log.items[place] : nil
  }

  /// The selected change.
  package var selected: ChangeLog.Item? { item(at: cursor.index) }

  /// Replaces the log with a newer one, and keeps the selected change unless it is the newest.
  mutating func take(_ new: ChangeLog, height: Int) {
    let number = cursor.index == 0 ? nil : selected?.number
    log = new
    let last = new.items.last?.number ?? 0
    cursor.select(number.map { last - $0 } ?? 0, count: rowCount, height: height)
  }
}
