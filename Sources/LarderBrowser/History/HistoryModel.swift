package import LarderModel

/// The recorded changes of a store, newest first, of which those around the screen are read.
package struct HistoryModel: OverlayList, Equatable {
  /// The store.
  package let store: StoreSummary
  /// The changes that were read.
  package private(set) var page = HistoryPage(count: 0, offset: 0, records: [])
  /// Whether a page was read.
  package private(set) var isRead = false
  /// The selected change.
  package var cursor = ListCursor()
  /// The change that is shown below the list.
  package internal(set) var details: StepDetails?
  /// Whether changes can be undone, or redone where they are undone, by their numbers.
  package internal(set) var outlooks: [Int64: StepOutlook] = [:]
  /// Why the history cannot be read.
  package internal(set) var failure: StoreError?
  /// The token of the page that is being read.
  package internal(set) var reading: Int?
  /// The token and the number of the change that is being read.
  package internal(set) var readingDetails: (token: Int, number: Int64)?
  /// The token and the numbers of the changes that are being checked.
  package internal(set) var checking: (token: Int, numbers: [Int64])?

  /// The maximum number of changes in memory.
  package static let pageLength = 300

  init(store: StoreSummary) {
    self.store = store
  }

  package var rowCount: Int { page.count }
  package var overlay: Overlay { .history(self) }

  /// The change of a row; nil until it is read.
  package func record(at row: Int) -> JournalRecord? {
    let place = row - page.offset
    return page.records.indices.contains(place) ? page.records[place] : nil
  }

  /// Whether the changes on screen, or the selected one, are being read.
  var isBusy: Bool { reading != nil || readingDetails != nil }

  /// The selected change.
  package var selected: JournalRecord? { record(at: cursor.index) }

  /// The entries of the selected change, once they are read.
  package var shownDetails: ComparisonModel? {
    guard details?.number == selected?.step.number, case .success(let model)? = details?.comparison
    else { return nil }
    return model
  }

  /// Where the page begins that has to be read for the rows on screen; nil where they are read.
  func neededOffset(height: Int) -> Int? {
    guard isRead else { return 0 }
    let rows = visibleRows(height: height)
    let isKnown = rows.allSatisfy { record(at: $0) != nil } || rows.isEmpty
    let offset = offset(around: rows)
    // A page that was just read is missing the changes that cannot be read at all.
    return isKnown || page.offset == offset ? nil : offset
  }

  /// Where the page begins that has the rows on screen in its middle.
  func offset(around rows: Range<Int>) -> Int {
    max(0, (rows.lowerBound + rows.upperBound - Self.pageLength) / 2)
  }

  /// The changes on screen of which it is not known whether they can be undone.
  func unchecked(height: Int) -> [JournalRecord] {
    visibleRows(height: height).compactMap { record(at: $0) }
      .filter { outlooks[$0.step.number] == nil }
  }

  /// Takes a page; the selected change stays selected where it is in it.
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

/// What a change did to its entries.
package struct StepDetails: Sendable, Equatable {
  /// The number of the change.
  package let number: Int64
  /// The entries before the change and after it, or why they cannot be shown.
  package let comparison: Answer<ComparisonModel>
}

/// Whether a change can be undone, or redone where it is undone.
package enum StepOutlook: Sendable, Equatable {
  /// It can.
  case possible
  /// An entry is not as the change left it.
  case changed(EntryKey)
  /// It cannot be, or it is not known whether it can.
  case refused(StoreError)
  /// It has too many entries to be checked before it is undone.
  case unchecked
}
