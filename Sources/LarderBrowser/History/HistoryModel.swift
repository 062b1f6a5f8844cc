package import LarderModel

/// The recorded changes of a store, newest first; only those near the visible rows are loaded.
package struct HistoryModel: OverlayList, Equatable {
  /// The store.
  package let store: StoreSummary
  /// The loaded changes.
  package private(set) var page = HistoryPage(count: 0, offset: 0, records: [])
  /// Whether a page has been loaded.
  package private(set) var isRead = false
  /// The selected change.
  package var cursor = ListCursor()
  /// The change that is displayed below the list.
  package internal(set) var details: ChangeDetails?
  /// The outlook of each change for undo, or for redo if it is undone, by its number.
  package internal(set) var outlooks: [Int64: UndoOutlook] = [:]
  /// The reason why the history cannot be read, if any.
  package internal(set) var failure: StoreError?
  /// The token of the page that is being read, if any.
  package internal(set) var reading: Int?
  /// The token and number of the change that is being read, if any.
  package internal(set) var readingDetails: (token: Int, number: Int64)?
  /// The token and numbers of the changes that are being checked, if any.
  package internal(set) var checking: (token: Int, numbers: [Int64])?

  /// The maximum number of loaded changes.
  package static let pageLength = 300

  init(store: StoreSummary) {
    self.store = store
  }

  package var rowCount: Int { page.count }
  package var overlay: Overlay { .history(self) }

  /// Returns the change in a row, or `nil` if it is not loaded.
  package func record(at row: Int) -> JournalRecord? {
    let place = row - page.offset
    return page.records.indices.contains(place) ? page.records[place] : nil
  }

  /// Whether changes on screen, or the selected one, are being read.
  var isBusy: Bool { reading != nil || readingDetails != nil }

  /// The selected change.
  package var selected: JournalRecord? { record(at: cursor.index) }

  /// The comparison of the selected change, or `nil` if it is not loaded.
  package var shownDetails: ComparisonModel? {
    guard details?.number == selected?.step.number, case .success(let model)? = details?.comparison
    else { return nil }
    return model
  }

  /// Returns the offset of the page to read for the visible rows, or `nil` if they are loaded.
  func neededOffset(height: Int) -> Int? {
    guard isRead else { return 0 }
    let rows = visibleRows(height: height)
    let isKnown = rows.allSatisfy { record(at: $0) != nil } || rows.isEmpty
    let offset = offset(around: rows)
    // If the page was just read, the missing changes are unreadable.
    return isKnown || page.offset == offset ? nil : offset
  }

  /// Returns the offset of the page with the given rows in its middle.
  func offset(around rows: Range<Int>) -> Int {
    max(0, (rows.lowerBound + rows.upperBound - Self.pageLength) / 2)
  }

  /// Returns the visible changes that have not been checked.
  func unchecked(height: Int) -> [JournalRecord] {
    visibleRows(height: height).compactMap { record(at: $0) }
      .filter { outlooks[$0.step.number] == nil }
  }

  /// Replaces the loaded page, and keeps the selected change if it is part of the new one.
  mutating func take(_ new: HistoryPage, height: Int) {
    let number = selected?.step.number
    let place =
      number.flatMap { number in new.records.firstIndex { $0.step.number == number } }
      .map { $0 + new.offset }
    let isAtTop = cursor.index == 0
    page = new
    isRead = true
    failure = nil
    cursor.select(
      isAtTop ? 0 : place ?? cursor.index, count: new.count, height: height)
    let known = Set(new.records.map(\.step.number))
    outlooks = outlooks.filter { known.contains($0.key) }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.store == right.store && left.page == right.page && left.isRead == right.isRead
      && left.cursor == right.cursor && left.details == right.details
      && left.outlooks == right.outlooks && left.failure == right.failure
      && left.reading == right.reading && left.readingDetails?.token == right.readingDetails?.token
      && left.checking?.token == right.checking?.token
  }
}

/// The entries of a change.
package struct ChangeDetails: Sendable, Equatable {
  /// The number of the change.
  package let number: Int64
  /// The comparison of the entries before and after the change, or the error if it failed.
  package let comparison: Answer<ComparisonModel>
}

/// The outlook for undoing a change, or for redoing it if it is undone.
package enum UndoOutlook: Sendable, Equatable {
  /// The change can be undone or redone.
  case possible
  /// An entry has been changed since, by a later recorded change or by another program.
  case changed(EntryKey, later: Int64? = nil)
  /// The change cannot be undone or redone, or the check failed.
  case refused(StoreError)
  /// The change has too many entries to be checked in advance.
  case unchecked
}
