package import LarderModel
package import LarderOperations

/// The overview of a store, or of a prefix in it, over the panes.
package struct OverviewModel: OverlayList, Equatable {
  /// The store that is summed up.
  package let store: StoreSummary
  /// What all keys begin with; empty for the whole store.
  package let prefix: String
  /// What ends a prefix; nil where that is guessed from the keys.
  package let delimiter: String?
  /// The number of entries that there are to read, as far as that is known.
  package let expectedCount: Int?
  /// The sums so far; nil until the first entries are read.
  package private(set) var overview: Overview?
  /// What the groups are sorted by.
  package private(set) var order = Overview.Order.size
  /// The groups that are listed.
  package private(set) var groups: [Overview.Group] = []
  /// The selected group.
  package var cursor = ListCursor()
  /// The token of the scan, while it runs.
  package internal(set) var scanning: Int?
  /// The token of the wait for a change of the store.
  var awaitingChange: Int?
  /// Whether the store has changed since the scan began.
  package internal(set) var isChanged = false
  /// Why the scan ended early; `cancelled` if the user stopped it.
  package internal(set) var failure: StoreError?

  /// The maximum number of groups that are listed; the others are one row.
  package static let maximumRowCount = 500

  init(store: StoreSummary, prefix: String, delimiter: String?, expectedCount: Int?) {
    self.store = store
    self.prefix = prefix
    self.delimiter = delimiter
    self.expectedCount = expectedCount
  }

  package var rowCount: Int { groups.count }
  package var overlay: Overlay { .overview(self) }

  /// Whether it is known or possible that entries expire.
  package var showsExpiry: Bool {
    overview?.hasExpiry == true || store.capabilities.contains(.expiry)
  }

  /// The prefix of the selected group; nil where it has none, or nothing is selected.
  package var selectedPrefix: String? {
    guard groups.indices.contains(cursor.index),
      case .prefix(let text) = groups[cursor.index].name
    else { return nil }
    return text
  }

  /// The prefix around the one that is summed up; empty for the whole store, nil where that is it.
  var outerPrefix: String? {
    guard !prefix.isEmpty else { return nil }
    let mark = overview?.delimiter ?? delimiter ?? ""
    return EntryKey.text(prefix).branches(by: mark).last { $0.utf8.count < prefix.utf8.count } ?? ""
  }

  /// Takes sums with more entries; the selected group stays selected.
  mutating func take(_ new: Overview, height: Int) {
    let selected = groups.indices.contains(cursor.index) ? groups[cursor.index].name : nil
    let wasAtTop = cursor.index == 0
    overview = new
    groups = new.groups(by: order, limit: Self.maximumRowCount)
    let place = wasAtTop ? 0 : groups.firstIndex { $0.name == selected } ?? cursor.index
    cursor.select(place, count: groups.count, height: height)
  }

  /// Sorts the groups by what comes next, and selects the first.
  mutating func sortByNext(height: Int) {
    let orders = Overview.Order.allCases
    let place = orders.firstIndex(of: order) ?? 0
    order = orders[(place + 1) % orders.count]
    if let overview { groups = overview.groups(by: order, limit: Self.maximumRowCount) }
    cursor.select(0, count: groups.count, height: height)
  }
}
