package import LarderModel

/// The list of a store's keys: the loaded part, the selection, the filter and the order.
package struct KeysModel: Sendable, Equatable {
  /// The store that is listed.
  package var store: StoreSummary
  /// The part of the list that is in memory.
  package var window = EntryWindow()
  /// The selected row in the window.
  package var cursor = ListCursor()
  /// The prefix of all keys in the list, or an empty string for the whole store.
  package var scope = ""
  /// The settings of the key tree, or `nil` for a flat list.
  package var tree: TreeModel?
  /// The typed filter, or an empty string for all keys.
  package var filterText = ""
  /// The order of the list, unless it is a tree.
  package var order = EntryOrder.key
  /// The order of the rows on screen while a newly chosen order is being loaded.
  package var orderBefore: EntryOrder?
  /// Whether the matches of a filter are not sorted by quality.
  package var isUnranked = false
  /// The key that was selected before a filter was set.
  package var selectedBeforeFilter: EntryKey?
  /// The load in progress.
  package var load: Load?
  /// Whether the user has stopped a scan, so that it does not resume by itself.
  package var isPaused = false
  /// The positions at which scans stopped before they found a full page, by direction.
  package var resume: [EntryPageQuery.Direction: EntryKey] = [:]
  /// The number of entries examined by the last scan.
  package var examined = 0
  /// The keys of entries for which it is not known whether they match the filter.
  package var undecided: Set<EntryKey> = []
  /// The screen row to put the sought key on, or `nil` if no key is being sought.
  package var seeking: Int?
  /// The key that the list is loaded around.
  package var soughtKey: EntryKey?
  /// The position of the sought key in the list, if known.
  var soughtNumber: Int?
  /// Whether the same list is being reloaded, together with the value.
  var isRereading = false
  /// Whether the rows are a sample in no particular order, shown until the first page arrives.
  package internal(set) var isSample = false
  /// The key that the user wants to go to, which is reported if it does not exist.
  package var wanted: EntryKey?
  /// The grid of a table with columns, or `nil` for other stores.
  package var grid: GridModel?
  /// The rows as they were last read.
  package internal(set) var rows: [EntryKey: ListRow] = [:]
  /// The keys whose rows are up to date.
  var rowsRead: Set<EntryKey> = []
  /// The token of the read in progress.
  var readingRows: Int?
  /// The keys that have bookmarks.
  package var bookmarks: Set<EntryKey> = []
  /// The saved filters of the store.
  package internal(set) var savedFilters: [SavedFilter] = []
  /// The marked keys, including those hidden by the filter.
  package var marked: Set<EntryKey> = []
  /// The fingerprints of the marked entries as they were displayed, if they had been read.
  ///
  /// A key may be a position, which has a different entry after a change.
  package var fingerprints: [EntryKey: Fingerprint] = [:]
  /// The token of the effect that reads marked entries without a fingerprint.
  package var readingMarks: Int?
  /// The token of the effect that lists the keys to mark.
  package var markingAll: Int?
  /// The token of the read that a question waits for.
  package var asking: Int?
  /// The start of the range of keys to mark.
  package var rangeStart: EntryKey?
  /// The rows of the range to mark, or `nil` if its start is not in the window.
  package var range: ClosedRange<Int>? {
    guard let row = rangeStart.flatMap(window.row(of:)) else { return nil }
    return min(row, cursor.index)...max(row, cursor.index)
  }
  /// The number of keys in the range, not counting branches.
  package var rangeCount: Int? {
    range.map { rows in
      window.entries.enumerated().count {
        rows.contains($0.offset) && $0.element.key.branchPrefix == nil
      }
    }
  }
  /// Whether marks were removed other than by the user, until that is reported.
  package var lostMarks: LostMarks?
  /// The changes by other programs, while the store is watched.
  package var watch: WatchModel?
  /// The expiries of the entries, while they are shown.
  package var times: TimesModel?
  /// The cache operation in progress.
  package var changingCache: CacheChange.Order?
  /// The token of the effect that polls the visible rows of a live process.
  package var following: Int?
  /// The request of the last poll, so that a reply about a different list is ignored.
  var followed: PollResult.Request?
  /// The token of the effect that waits for the process of the store to end.
  package var attending: Int?
  /// Whether the store is away, so that the rows on screen are from before.
  package var isAway = false
  /// Whether the live process did not answer the last poll.
  var isSilent = false
  /// The number of successive polls that it did not answer.
  var misses = 0
  /// The error of the last page.
  package var failure: StoreError?
  /// Whether the marked entries are being checked for existence.
  private var isLookingForMarked = false
  /// The number of entries in the store.
  package var total: Total?
  /// The token of the count in progress.
  package var counting: Int?

  /// The maximum number of marked keys.
  package static let maximumMarkCount = 10_000
  /// The maximum number of entries in a page.
  package static let pageSize = 200
  /// The maximum number of entries in a page for which the store must examine all entries.
  package static let sortedPageSize = 500

  /// A page that is being loaded.
  package struct Load: Sendable, Equatable {
    package var token: Int
    package var direction: EntryPageQuery.Direction
    /// The window that replaces the current one when the first entries arrive.
    package var replacement: EntryWindow?
    /// The key that the list is loaded around.
    package var sought: EntryKey?
  }

  /// The removal of marks other than by the user.
  package enum LostMarks: Sendable, Equatable {
    case unsaid
    /// Reported in place of a question, which the user may have answered already.
    case said
  }

  /// A number of entries.
  package enum Total: Sendable, Equatable {
    case about(Int)
    case exactly(Int)

    /// The number, whether exact or estimated.
    package var number: Int {
      switch self {
      case .about(let number), .exactly(let number): number
      }
    }

    /// The number, marked if it is an estimate.
    var short: String {
      switch self {
      case .about(let number): "~\(Thousands.text(number))"
      case .exactly(let number): Thousands.text(number)
      }
    }
  }

  package init(store: StoreSummary) {
    self.store = store
    // A list has enough columns for a table with one value and an expiry.
    let isTable =
      store.columns.count > 1
      || store.columns.count == 1 && store.keyColumns.count > 1
    if isTable, store.valueField == nil { grid = GridModel(columns: store.columns) }
  }

  /// The parsed filter.
  package var filter: EntryFilter? {
    store.filter(filterText).filter?.below(scope)
  }

  /// The current tree, or `nil` if the list is flat or has a filter.
  package var shownTree: TreeModel? { filter == nil ? tree : nil }

  /// The current order of the list.
  ///
  /// Trees are in key order. The results of a fuzzy filter are sorted by quality unless the user
  /// has chosen another order.
  package var shownOrder: EntryOrder {
    if shownTree != nil { return .key }
    let isRanked = order == .key && !isUnranked && filter?.letters.isEmpty == false
    return isRanked ? EntryOrder(.match) : order
  }

  /// Whether the list is in an order other than key order.
  package var isSorted: Bool { shownOrder.field != .key }

  /// The prefix of the selected branch, or `nil` if no branch is selected.
  package var selectedBranch: String? { selected?.key.branchPrefix }

  /// Returns whether entries with a prefix may exist that the list does not show, because of its
  /// filter or because it only shows those of one expiry state.
  func hidesSome(of prefix: String) -> Bool {
    if times?.only != nil || !prefix.utf8.starts(with: scope.utf8) { return true }
    guard let filter else { return false }
    guard filter.columns.isEmpty, let text = filter.suggestedPrefix else { return true }
    return !prefix.utf8.starts(with: text.utf8)
  }

  /// Removes all marks at the user's request.
  mutating func clearMarks() {
    marked = []
    isLookingForMarked = false
    fingerprints = [:]
    readingMarks = nil
    markingAll = nil
    rangeStart = nil
    lostMarks = nil
  }

  /// Removes the marks of entries that are not there any more.
  mutating func unmark(_ keys: [EntryKey]) {
    marked.subtract(keys)
    for key in keys { fingerprints[key] = nil }
    if marked.isEmpty { clearMarks() }
  }

  /// Takes all marks away because of something that the user did not do for that.
  ///
  /// The user is warned before the next command that would use the marks.
  mutating func loseMarks() {
    let isLoss = !marked.isEmpty || lostMarks == .unsaid
    clearMarks()
    if isLoss { lostMarks = .unsaid }
  }

  /// Stores the fingerprints of marked entries, where `nil` means that they could not be read.
  mutating func receive(_ read: [EntryChange]?, token: Int) {
    guard readingMarks == token else { return }
    readingMarks = nil
    for change in read ?? [] where marked.contains(change.key) {
      fingerprints[change.key] = change.expecting
    }
    guard isLookingForMarked, read != nil else { return }
    isLookingForMarked = false
    for key in marked where fingerprints[key] == nil { loseMark(of: key) }
  }

  /// Discards the fingerprints of the marked keys, because some entries may have been deleted.
  mutating func lookForMarked() {
    fingerprints = [:]
    rangeStart = nil
    isLookingForMarked = true
  }

  /// Removes the mark of a deleted entry.
  mutating func loseMark(of key: EntryKey) {
    guard marked.remove(key) != nil else { return }
    fingerprints[key] = nil
    if marked.isEmpty { lostMarks = .unsaid }
  }

  /// The selected entry.
  package var selected: Entry? {
    window.entries.indices.contains(cursor.index) ? window.entries[cursor.index] : nil
  }

  /// The position of the selected entry in the whole list, counted from 1, if known.
  package var ordinal: Int? {
    selected == nil ? nil : offset.map { $0 + cursor.index + 1 }
  }

  /// The number of entries before the window, if known, which at the end of the list follows from
  /// their total.
  private var offset: Int? {
    guard window.offset == nil, !window.hasLater, filterText.isEmpty, times?.only == nil,
      case .exactly(let total) = total
    else { return window.offset }
    return max(0, total - window.entries.count)
  }

  /// The collapsed branches of the tree that contain keys changed by other programs.
  package var changedBranches: Set<EntryKey> {
    guard let watch, let tree = shownTree else { return [] }
    return Set(
      watch.changes.keys.lazy.flatMap { $0.branches(by: tree.delimiter, below: scope) }
        .map { .branch($0) }.filter { !tree.opened.contains($0) })
  }

  /// Whether another program has removed the entry since it was read.
  package func isGone(_ entry: Entry) -> Bool {
    watch?.changes[entry.key]?.change == .removed
  }

  /// The position of the selected entry among the existing ones, counted from 1, or `nil` if it is
  /// not known or the entry was removed.
  package var presentOrdinal: Int? {
    guard let ordinal, let selected, !isGone(selected) else { return nil }
    guard watch != nil else { return ordinal }
    return ordinal - window.entries[..<cursor.index].count(where: isGone)
  }

  /// Returns the query for the next page needed around the visible rows, or `nil` if none is
  /// needed.
  package func neededPage(height: Int) -> EntryPageQuery? {
    guard load == nil, failure == nil, !isPaused, !isAway else { return nil }
    let margin = max(50, height * 2)
    let rows = window.entries
    if window.hasLater, rows.count - (cursor.top + height) < margin {
      return page(.forward, after: rows.last)
    }
    if window.hasEarlier, cursor.top < margin { return page(.backward, after: rows.first) }
    return nil
  }

  /// Returns the query for the page that follows a row at an end of the window.
  private func page(_ direction: EntryPageQuery.Direction, after row: Entry?) -> EntryPageQuery {
    guard isSorted else { return page(direction, after: resume[direction] ?? row?.key) }
    var query = page(direction, after: row?.key)
    query.afterRank = row.map(shownOrder.rank)
    return query
  }

  /// Returns the query for a page of this list.
  package func page(
    _ direction: EntryPageQuery.Direction, after: EntryKey?
  ) -> EntryPageQuery {
    EntryPageQuery(
      prefix: scope, filter: filter, expiring: times?.only?.span, order: shownOrder, after: after,
      limit: isSorted ? Self.sortedPageSize : Self.pageSize, direction: direction,
      detail: shownOrder.needsFacts && !shownOrder.needsValues
        || store.capabilities.contains(.departs) ? .summary : .keys)
  }
}
