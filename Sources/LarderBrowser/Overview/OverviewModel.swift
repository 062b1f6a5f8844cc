package import LarderModel
package import LarderOperations

/// The overview of a store or of a prefix in it.
package struct OverviewModel: OverlayList, Equatable {
  /// The summarized store.
  package let store: StoreSummary
  /// The common prefix of all keys, which is empty for the whole store.
  package let prefix: String
  /// The key separator, or `nil` to detect it from the keys.
  package let delimiter: String?
  /// The number of entries to scan, if it is known.
  package let expectedCount: Int?
  /// The totals so far, or `nil` before the first entries are read.
  package private(set) var overview: Overview?
  /// The sort order of the groups.
  package private(set) var order = Overview.Order.size
  /// The listed groups.
  package private(set) var groups: [Overview.Group] = []
  /// The selected group.
  package var cursor = ListCursor()
  /// The token of the running scan, if any.
  package internal(set) var scanning: Int?
  /// The token of the observation of the store.
  var awaitingChange: Int?
  /// Whether the store has changed since the scan began.
  package internal(set) var isChanged = false
  /// The reason why the scan ended early, which is `cancelled` if the user stopped it.
  package internal(set) var failure: StoreError?

  /// The maximum number of listed groups; all others share one row.
  package static let maximumRowCount = 500

  init(store: StoreSummary, prefix: String, delimiter: String?, expectedCount: Int?) {
    self.store = store
    self.prefix = prefix
    self.delimiter = delimiter
    self.expectedCount = expectedCount
  }

  package var rowCount: Int { groups.count }
  package var overlay: Overlay { .overview(self) }

  /// Whether entries of the store have, or may have, an expiry.
  package var showsExpiry: Bool {
    overview?.hasExpiry == true || store.capabilities.contains(.expiry)
  }

  /// The prefix of the selected group, or `nil` if it has none or nothing is selected.
  package var selectedPrefix: String? {
    guard groups.indices.contains(cursor.index),
      case .prefix(let text) = groups[cursor.index].name
    else { return nil }
    return text
  }

  /// The parent prefix, which is empty for the whole store, or `nil` if the overview is of the
  /// whole store.
  var outerPrefix: String? {
    guard !prefix.isEmpty else { return nil }
    let mark = overview?.delimiter ?? delimiter ?? ""
    return EntryKey.text(prefix).branches(by: mark).last { $0.utf8.count < prefix.utf8.count } ?? ""
  }

  /// Replaces the totals with those of more entries, and keeps the selected group.
  mutating func take(_ new: Overview, height: Int) {
    let selected = groups.indices.contains(cursor.index) ? groups[cursor.index].name : nil
    let wasAtTop = cursor.index == 0
    overview = new
    groups = new.groups(by: order, limit: Self.maximumRowCount)
    let place = wasAtTop ? 0 : groups.firstIndex { $0.name == selected } ?? cursor.index
    cursor.select(place, count: groups.count, height: height)
  }

  /// Switches to the next sort order and selects the first group.
  mutating func sortByNext(height: Int) {
    let orders = Overview.Order.allCases
    let place = orders.firstIndex(of: order) ?? 0
    order = orders[(place + 1) % orders.count]
    if let overview { groups = overview.groups(by: order, limit: Self.maximumRowCount) }
    cursor.select(0, count: groups.count, height: height)
  }
}
