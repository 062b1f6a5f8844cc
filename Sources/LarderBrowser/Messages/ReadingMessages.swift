package import LarderModel

/// Messages about lists, values and watching.
extension Messages {
  // MARK: Listing

  static let noMoreToStepTo = "no marked or changed entries to go to"
  static let severalKeysOnlyInTables = "only the rows of tables have several keys"
  static let unsortedKeys = "this store has no prefixes: its keys are not in alphabetical order"
  static let wholeStore = "all entries of the store are listed"
  static let stoppedRanking = "stopped ranking: listed in key order"

  static func rows(by columns: [String]) -> String {
    "showing rows by \(columns.joined(separator: ", "))"
  }

  static func incompleteList(_ key: String, others: Int) -> String {
    "the list is incomplete: larder cannot tell whether \(several(key, others: others)) "
      + (others == 0 ? "matches" : "match")
  }

  static func stoppedScan(after count: Int, continues: Bool) -> String {
    "stopped after \(entries(count)); move past the last one to "
      + (continues ? "continue" : "start again")
  }

  static func filterFirst(filter: String, mark: String, watch: String) -> String {
    "first filter (\(filter)), mark entries (\(mark)) or watch (\(watch))"
  }

  static func continued(isForward: Bool, in what: String) -> String {
    "continued from the \(isForward ? "first" : "last") \(what) entry"
  }

  // MARK: Sorting

  static func noOrder(_ typed: String, _ names: [String]) -> String {
    "cannot sort by “\(typed)”; try \(names.joined(separator: ", ")), up or down"
  }

  static func notSorted(by field: String, _ obstacle: String) -> String {
    "not sorted by \(field): \(obstacle)"
  }

  static func sorted(by order: String, tree: String?) -> String {
    "sorted by \(order)" + (tree.map { "; \($0) shows the tree again" } ?? "")
  }

  static func stillSorted(by order: String) -> String {
    stopped("the list is still sorted by \(order)")
  }

  // MARK: Jumping

  static let noPlaceBack = "there is nothing to go back to"
  static let noPlaceForward = "there is nothing to go forward to"
  static let longReference = "cannot go to the entry of this value: it is too long"

  static func noKey(_ name: String, near: String?) -> String {
    missing(name) + (near.map { "; did you mean \($0)?" } ?? "")
  }

  /// Returns that there is no entry with a key, or anything else with a name.
  static func missing(_ name: String) -> String { "there is no “\(name)”" }

  static func gone(_ key: String) -> String { "\(key) no longer exists" }

  static func rowsContaining(_ typed: String) -> String {
    "no key is “\(typed)”; these rows contain it. Esc lists all rows"
  }

  static func noLaterKey(_ name: String) -> String {
    "\(missing(name)), and no key after it in this order"
  }

  static func firstWithPrefix(_ name: String) -> String {
    "\(missing(name)); the first key with this prefix is selected"
  }

  static func nearestKey(_ name: String, isLast: Bool) -> String {
    "\(missing(name)); the \(isLast ? "last" : "next") entry is selected"
  }

  static func onlyEntries(_ count: Int) -> String {
    "there \(count == 1 ? "is" : "are") only \(entries(count)); this is the last one"
  }

  // MARK: Tree

  static let oneList = "all entries in one list"
  static let allKeysOfStore = "all entries of the store"
  static let noSeparator =
    "no common separator in these keys; :tree X sets one (:tree \" \" for a space)"
  static let noPrefixToOpen = "the selected key has no prefix to open; :open-here PREFIX names one"

  static func grouped(by separator: String, inKeyOrder: Bool) -> String {
    "keys grouped by “\(separator)”\(inKeyOrder ? ", in key order" : ""); :tree X uses another "
      + "separator"
  }

  static func scope(_ prefix: String) -> String { "only keys that begin with “\(prefix)”" }

  // MARK: Grid

  static let noColumns = "each entry here is one value, without columns"
  static let noGrid = "these entries are not shown as a grid; :grid shows rows as one"
  static let noColumnSelected = "select a column with l or Right first"
  static let noHiddenColumn = "no column is hidden"

  static func notHidden(_ column: String, _ advice: String) -> String {
    "no hidden column is called “\(column)”; \(advice)"
  }

  static func noColumn(_ column: String, _ advice: String) -> String {
    "no column is called “\(column)”; \(advice)"
  }

  static func noColumnToFilter(_ name: String, near: String?) -> String {
    "there is no column \(name)" + (near.map { "; did you mean \($0)?" } ?? "")
  }

  static let unreadCell = "cannot filter by this value: it was not read"
  static let longCell = "cannot filter by this value: it is too long or not text"

  static func lastColumn(show: String) -> String {
    "this is the only column left; \(show) shows the others"
  }

  static func hid(_ column: String, show: String) -> String {
    "hid \(column); \(show) shows it again"
  }

  // MARK: Value

  static let reading = "reading…"
  static let decoding = "decoding…"
  static let wraps = "long lines wrap"
  static let doesNotWrap = "long lines are cut; h and l scroll sideways"
  static let noLines = "there is nothing to wrap"
  static let stoppedSearch = "stopped searching the value"
  static let stopped = "stopped"
  static let goToRow = "go to row"
  static let openStoreTitle = "open store"

  /// Returns the problem of an image, which may be drawn in part.
  static func image(_ problem: String, isDrawn: Bool) -> String {
    "\(isDrawn ? "damaged" : "not drawn"): \(problem)"
  }

  static func continuedInValue(isForward: Bool) -> String {
    "continued from the \(isForward ? "start" : "end") of the value"
  }

  static func notFound(_ text: String) -> String { "“\(text)” is not in the value" }

  static func noSearch(search: String) -> String {
    "there is no search; press \(search) first"
  }

  static func noTree(format: String) -> String {
    "the value is not shown as a tree; \(format) changes the format"
  }

  static func noLevels(_ typed: String) -> String {
    "the number of levels must be a whole number, not “\(typed)”"
  }

  static func noFormat(_ typed: String, _ advice: String) -> String {
    "unknown format “\(typed)”; \(advice)"
  }

  static func formats(_ names: [String]) -> String {
    "the formats are \(names.joined(separator: ", "))"
  }

  static func hidden(reveal: String) -> String { "the value is hidden; \(reveal) shows it" }

  static func noValue(as format: String) -> String { "there is no value to show as \(format)" }

  static func tryAgain(_ format: String) -> String {
    "\(stillReading); try \(format) again afterwards"
  }

  static func wrongFormat(
    _ format: String, _ shows: String, type: String, formats: [String], open: String?
  ) -> String {
    "\(format) shows \(shows), not this \(type); try \(formats.joined(separator: ", "))"
      + (open.map { "; \($0) on a column opens that" } ?? "")
  }

  static func nothingInside(edit: String?) -> String {
    "this value has no parts" + (edit.map { "; \($0) edits it" } ?? "")
  }

  // MARK: Copying and exporting

  static let tooLargeToCopy = "the value is too large for the clipboard; larder get prints it"
  static let tooManyKeys = "too many keys for the clipboard; larder ls prints them"
  static func whichFile(_ command: String) -> String {
    "give a file: :\(command) FILE, or :\(command) --replace FILE to overwrite "
      + (command == "import" ? "entries" : "it")
  }

  static let noFiles = "no file can be written here"

  static func copied(bytes count: Int, hasOtherStore: Bool) -> String {
    "copied the value (\(bytes(count)))"
      + (hasOtherStore ? "; :cp copies the entry to another store" : "")
  }

  static func copied(_ what: String) -> String { "copied \(what)" }

  static func noCopyFormat(_ typed: String, _ names: [String]) -> String {
    "cannot copy as “\(typed)”; try \(names.joined(separator: ", "))"
  }

  static func exported(_ count: Int, to path: String) -> String {
    "exported \(entries(count)) to \(path)"
  }

  static func notExported(_ reasons: [String]) -> String {
    (reasons + ["nothing was written"]).joined(separator: "; ")
  }

  static let tooLargeForClipboard = "the entries are too large for the clipboard; use :export"

  // MARK: Expiry and use

  static let states = ":show expired, soon (in a minute), fresh, never or all"
  static let neverExpires = "never expires"
  static let justExpired = "just expired"
  static let usedOnce = "used once"
  static let neverUsed = "never used"

  static func fetched(_ age: String) -> String { "fetched \(age) ago" }

  static func left(_ duration: String, isExpired: Bool) -> String {
    isExpired ? "expired \(duration) ago" : "\(duration) left"
  }

  static func used(_ count: Int) -> String {
    switch count {
    case 0: neverUsed
    case 1: usedOnce
    default: "used \(Thousands.text(count)) times"
    }
  }

  /// Returns summaries of the expiry of entries, the longest first.
  static func times(
    all: Int, fresh: Int, soon: Int, expired: Int, never: Int, size: String?, hits: Double?,
    isWhole: Bool
  ) -> [String] {
    let past = "\(Thousands.text(expired)) expired"
    let parts = [
      "\(Thousands.text(fresh)) fresh", soon > 0 ? "\(Thousands.text(soon)) soon" : nil, past,
      never > 0 ? "\(Thousands.text(never)) never" : nil, size,
      hits.map { "\(Int(($0 * 100).rounded(.down)))% hits" },
    ]
    let total = "\(Thousands.text(all)) entries, \(past)"
    return [
      parts.compactMap(\.self).joined(separator: ", "),
      total + (size.map { ", \($0)" } ?? ""), total, past,
    ].map { isWhole ? $0 : "of the first: \($0)" }
  }

  // MARK: Details

  static let ownTTL = "the TTL of larder's own cache"
  static let notRecorded = "not recorded by this store"
  static let notKnown = "not known"
  static let notCachedValue = "not cached; the value comes from the store"
  static let sameAsCache = "holds the cached value"
  static let otherThanCache = "holds a different value"
  static let notInBackingStore = "no longer has this key"

  static func neverExpires(_ reason: String?) -> String {
    "never, \(noExpiry)" + (reason.map { ": \($0)" } ?? "")
  }

  static func settles(_ remedy: String) -> String { "; \(remedy) settles it" }

  static func stored(_ column: String, _ lifetime: String, from since: String) -> String {
    "\(column), in \(lifetime) from \(since)"
  }

  static func ago(_ time: String, _ age: String) -> String { "\(time), \(age) ago" }

  static func size(_ size: String, of type: String) -> String { "\(size) of \(type)" }

  // MARK: Watching

  static let notWatchable = "no other program can change this store"
  static let notReported = "this store does not report changes by other programs"
  static let watching = "watching: changes by other programs are marked + ~ −"
  static let stoppedWatching = "stopped watching"
  static let notCompared = "these values are too large to keep for comparison"
  static let byOthers = "by other programs"
  static let byLarder = "by another larder or tab"
  /// The report of changes in a store with too many entries to compare.
  package static let unlistedChanges =
    "another program changed this store; it has too many entries to tell which ones"

  static func watching(moreThan limit: Int) -> String {
    "watching: with more than \(entries(limit)), larder reports only that something changed"
  }

  static func watching(_ limitation: String) -> String { "watching: \(limitation)" }

  static func stillWatching(_ problem: String) -> String { "still watching, but \(problem)" }

  static func stoppedWatching(_ problem: String) -> String { "\(stoppedWatching): \(problem)" }

  static func notWatching(watch: String) -> String { "not watching; \(watch) starts" }
}

extension EntryOrder {
  /// The order as a short phrase.
  package var spoken: String {
    field == .match ? "best match" : "\(field.title), \(direction)"
  }

  /// The direction as a short phrase.
  var direction: String {
    switch field {
    case .key, .type: isDescending ? "Z to A" : "A to Z"
    case .size: isDescending ? "largest first" : "smallest first"
    case .modified: isDescending ? "latest first" : "oldest first"
    case .expires: isDescending ? "latest first" : "soonest first"
    case .used: isDescending ? "latest use first" : "oldest use first"
    case .hits: isDescending ? "most used first" : "least used first"
    case .match: "best first"
    case .column: isDescending ? "descending" : "ascending"
    }
  }

  /// The order as displayed in a title, or `nil` for key order.
  package var mark: String? {
    if field == .match { return direction }
    return self == .key ? nil : "\(field.title) \(isDescending ? "↓" : "↑")"
  }
}
