import LarderModel

/// The list of what others changed since watching began, over the panes; the newest is first.
package struct ChangesModel: OverlayList, Equatable {
  /// The store.
  package let store: StoreSummary
  /// What was changed.
  package private(set) var log: ChangeLog
  /// The selected change.
  package var cursor = ListCursor()

  init(store: StoreSummary, log: ChangeLog) {
    self.store = store
    self.log = log
  }

  package var rowCount: Int { log.items.count }
  package var overlay: Overlay { .changes(self) }

  /// The change of a row.
  package func item(at row: Int) -> ChangeLog.Item? {
    let place = log.items.count - 1 - row
    return log.items.indices.contains(place) ? log.items[place] : nil
  }

  /// The selected change.
  package var selected: ChangeLog.Item? { item(at: cursor.index) }

  /// Takes changes that were seen since; the selected one stays selected, unless it is the newest.
  mutating func take(_ new: ChangeLog, height: Int) {
    let number = cursor.index == 0 ? nil : selected?.number
    log = new
    let last = new.items.last?.number ?? 0
    cursor.select(number.map { last - $0 } ?? 0, count: rowCount, height: height)
  }
}
