package import LarderModel

/// The list of a store's keys: the part that is loaded, the selection and the filter.
package struct KeysModel: Sendable, Equatable {
  /// What the list is of.
  package var store: StoreSummary
  /// The part of the list that is in memory.
  package var window = EntryWindow()
  /// The selected row of the window.
  package var cursor = ListCursor()
  /// What all keys of the list begin with; empty for the keys of the whole store.
  package var scope = ""
  /// How the list is shown as a tree; nil where it is flat.
  package var tree: TreeModel?
  /// What the filter was typed as; empty for all keys.
  package var filterText = ""
  /// The order that the list is shown in where it is no tree.
  package var order = EntryOrder.key
  /// The order that the list was in before the present one was chosen.
  package var orderBefore: EntryOrder?
  /// Whether what a filter finds is not to be in the order of its best matches.
  package var isUnranked = false
  /// What was selected before there was a filter.
  package var selectedBeforeFilter: EntryKey?
  /// The page that is being read.
  package var load: Load?
  /// Whether a scan was stopped by the user, so that it does not go on by itself.
  package var isPaused = false
  /// Where a scan stopped before it found a full page, by direction.
  package var resume: [EntryPageQuery.Direction: EntryKey] = [:]
  /// How many entries the last scan looked at.
  package var examined = 0
  /// The entries of which it could not be told whether they match the filter.
  package var undecided: Set<EntryKey> = []
  /// The row of the screen to put the key on that the list is read around, until it is there.
  package var seeking: Int?
  /// That key.
  package var soughtKey: EntryKey?
  /// Its number in the list, where that is known.
  var soughtNumber: Int?
  /// Whether the list that is sought is the same one, read again together with the value.
  var isRereading = false
  /// The key that the user wants to go to, and is told of if it is not there.
  package var wanted: EntryKey?
  /// The grid of a table with columns; nil for other stores.
  package var grid: GridModel?
  /// The rows as they were last read.
  package internal(set) var rows: [EntryKey: ListRow] = [:]
  /// The keys whose rows are current.
  var rowsRead: Set<EntryKey> = []
  /// The token of the read under way.
  var readingRows: Int?
  /// The keys that have bookmarks.
  package var bookmarks: Set<EntryKey> = []
  /// The keys that were marked, also those that the filter hides.
  package var marked: Set<EntryKey> = []
  /// What was on screen under marked keys when they were marked, where it had been read.
  ///
  /// A key may be a position, under which there is another entry after a change.
  package var fingerprints: [EntryKey: Fingerprint] = [:]
  /// The token of the reading of what is under marked keys that had not been read.
  package var readingMarks: Int?
  /// The token of the listing of keys that are to be marked.
  package var markingAll: Int?
  /// The token of the reading that a question waits for.
  package var asking: Int?
  /// Where a range of keys to mark begins.
  package var rangeStart: EntryKey?
  /// The rows of the range that was begun, while its beginning is in the list.
  package var range: ClosedRange<Int>? {
    guard let row = rangeStart.flatMap(window.row(of:)) else { return nil }
    return min(row, cursor.index)...max(row, cursor.index)
  }
  /// How many keys would be marked of it: branches are none.
  package var rangeCount: Int? {
    range.map { rows in
      window.entries.enumerated().count {
        rows.contains($0.offset) && $0.element.key.branchPrefix == nil
      }
    }
  }
  /// Whether marks went that the user did not take away, until they have been told.
  package var lostMarks: LostMarks?
  /// What others have changed, while the store is watched.
  package var watch: WatchModel?
  /// Until when entries count, while that is shown.
  package var times: TimesModel?
  /// What the cache that the store is has been told to do, until it has.
  package var changingCache: CacheChange.Order?
  /// The token of the effect that looks again at what is on screen, where the store does not tell.
  package var following: Int?
  /// What that effect was asked for, so that its answer is not taken for one about another list.
  var followed: FollowingLook.Request?
  /// The token of the effect that waits for the store to go away, where it may.
  package var attending: Int?
  /// Whether the store is away, and what is shown of it is what it was.
  package var isAway = false
  /// Whether the program whose store this is has not answered last time.
  var isSilent = false
  /// How often in a row it has not answered.
  var misses = 0
  /// What went wrong with the last page.
  package var failure: StoreError?
  /// Whether it is being looked which of the marked keys are still there.
  private var isLookingForMarked = false
  /// How many entries the store has.
  package var total: Total?
  /// The token of the count that is under way.
  package var counting: Int?

  /// The maximum number of keys that are marked at once.
  package static let maximumMarkCount = 10_000
  /// The maximum number of entries in a page.
  package static let pageSize = 200
  /// That of a page for which the store looks at all entries.
  package static let sortedPageSize = 500

  /// A page that is being read.
  package struct Load: Sendable, Equatable {
    package var token: Int
    package var direction: EntryPageQuery.Direction
    /// The window that takes the place of the present one when the first entries arrive.
    package var replacement: EntryWindow?
    /// The key that the list is read around.
    package var sought: EntryKey?
  }

  /// Marks that went without the user.
  package enum LostMarks: Sendable, Equatable {
    case unsaid
    /// Said in place of a question, which may have been answered already.
    case said
  }

  /// A number of entries.
  package enum Total: Sendable, Equatable {
    case about(Int)
    case exactly(Int)

    /// The number, exact or not.
    var number: Int {
      switch self {
      case .about(let number), .exactly(let number): number
      }
    }
  }

  package init(store: StoreSummary) {
    self.store = store
    // A row that is one value with its expiry says all in the columns of a list.
    let isTable =
      store.columns.count > 1
      || store.columns.count == 1 && store.keyColumns.count > 1
    if isTable, store.valueField == nil { grid = GridModel(columns: store.columns) }
  }

  /// The filter as a store understands it.
  package var filter: EntryFilter? {
    FilterText(filterText, columns: store.filterColumns).filter?.below(scope)
  }

  /// How the list is shown as a tree now: what a filter finds is a flat list.
  package var shownTree: TreeModel? { filter == nil ? tree : nil }

  /// The order that the list is in now: a tree is in that of its keys, and what is looked for by its
  /// letters in that of the best matches, unless another one was chosen.
  package var shownOrder: EntryOrder {
    if shownTree != nil { return .key }
    let isRanked = order == .key && !isUnranked && filter?.letters.isEmpty == false
    return isRanked ? EntryOrder(.match) : order
  }

  /// Whether the list is in another order than that of its keys.
  package var isSorted: Bool { shownOrder.field != .key }

  /// The selected branch of a tree; nil where an entry is selected, or nothing.
  package var selectedBranch: String? { selected?.key.branchPrefix }

  /// Takes all marks away, as the user meant it.
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
  /// Under the keys there may be other entries now. Whoever goes on as if they were still marked is
  /// told first.
  mutating func loseMarks() {
    let isLoss = !marked.isEmpty || lostMarks == .unsaid
    clearMarks()
    if isLoss { lostMarks = .unsaid }
  }

  /// Keeps with the marks what was read for them; nil where nothing could be read.
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

  /// Forgets what was seen under the marked keys, of which some may be gone.
  mutating func lookForMarked() {
    fingerprints = [:]
    rangeStart = nil
    isLookingForMarked = true
  }

  /// Takes the mark of one key away, whose entry is gone.
  mutating func loseMark(of key: EntryKey) {
    guard marked.remove(key) != nil else { return }
    fingerprints[key] = nil
    if marked.isEmpty { lostMarks = .unsaid }
  }

  /// The selected entry.
  package var selected: Entry? {
    window.entries.indices.contains(cursor.index) ? window.entries[cursor.index] : nil
  }

  /// The number of the selected entry in the whole list, from 1, where it is known.
  package var ordinal: Int? {
    selected == nil ? nil : window.offset.map { $0 + cursor.index + 1 }
  }

  /// The closed branches of the tree that hold keys which others have changed.
  package var changedBranches: Set<EntryKey> {
    guard let watch, let tree = shownTree else { return [] }
    return Set(
      watch.changes.keys.lazy.flatMap { $0.branches(by: tree.delimiter, below: scope) }
        .map { .branch($0) }.filter { !tree.opened.contains($0) })
  }

  /// Whether an entry is shown that others have removed since it was read.
  package func isGone(_ entry: Entry) -> Bool {
    watch?.changes[entry.key]?.change == .removed
  }

  /// The number of the selected entry among those that are there, from 1; nil where that is not
  /// known, or the entry is not there any more.
  package var presentOrdinal: Int? {
    guard let ordinal, let selected, !isGone(selected) else { return nil }
    guard watch != nil else { return ordinal }
    return ordinal - window.entries[..<cursor.index].count(where: isGone)
  }

  /// The query for the page that the list needs next around the visible rows, or nil for none.
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

  /// The query for the page behind a row at an end of the list.
  private func page(_ direction: EntryPageQuery.Direction, after row: Entry?) -> EntryPageQuery {
    guard isSorted else { return page(direction, after: resume[direction] ?? row?.key) }
    var query = page(direction, after: row?.key)
    query.afterRank = row.map(shownOrder.rank)
    return query
  }

  /// The query for a page of this list.
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
