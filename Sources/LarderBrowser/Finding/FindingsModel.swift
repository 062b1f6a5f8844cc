import LarderModel

/// The entries of all open stores that contain a text, in a list over the panes.
package struct FindingsModel: OverlayList, Equatable {
  /// The text.
  package let text: String
  /// The number of stores to search.
  package let storeCount: Int
  private var all: [Finding] = []
  /// The listed findings, grouped by store.
  package private(set) var findings: [Finding] = []
  /// The text that listed findings must contain.
  package private(set) var filter = ""
  /// Whether a store may have more findings than are listed.
  package private(set) var hasMore = false
  /// The number of stores that cannot be searched.
  package internal(set) var failureCount = 0
  /// The token of the search while it runs.
  package internal(set) var searching: Int?
  /// The selected finding.
  package var cursor = ListCursor()

  init(text: String, storeCount: Int) {
    self.text = text
    self.storeCount = storeCount
  }

  /// The number of findings, including those that the filter hides.
  package var count: Int { all.count }
  package var rowCount: Int { findings.count }
  package var overlay: Overlay { .findings(self) }

  /// Returns the finding in a row.
  package func finding(at row: Int) -> Finding? {
    findings.indices.contains(row) ? findings[row] : nil
  }

  mutating func add(_ new: [Finding], isWhole: Bool) {
    all += new
    findings += new.filter(isShown)
    if !isWhole { hasMore = true }
  }

  /// Lists only findings that contain a text.
  mutating func filter(by text: String, height: Int) {
    let selected = finding(at: cursor.index)
    filter = text
    findings = all.filter(isShown)
    let row = findings.firstIndex { $0 == selected }
    cursor.select(row ?? 0, count: findings.count, height: height)
  }

  private func isShown(_ finding: Finding) -> Bool {
    filter.isEmpty
      || [finding.storeName, finding.key.shown(finding.keyStyle), finding.excerpt ?? ""]
        .contains { $0.lowercased().contains(filter.lowercased()) }
  }
}

extension BrowserState {
  /// The list of findings, even while another overlay covers it.
  package var findings: FindingsModel? {
    get { if case .findings(let model)? = shownList { model } else { nil } }
    set {
      guard let newValue, case .findings? = shownList else { return }
      shownList = .findings(newValue)
    }
  }

  /// Searches the keys and values of all open stores.
  mutating func findEverywhere(_ text: String) -> Effects {
    let stores = openStores
    guard !text.isEmpty, !stores.isEmpty else { return [] }
    overlay = .findings(FindingsModel(text: text, storeCount: stores.count))
    let ticket = ticket { $0.findings?.searching }
    findings?.searching = ticket.token
    return [SearchEverywhere(text: text, stores: stores, ticket: ticket)]
  }

  /// Goes to the selected finding.
  mutating func goToFinding() -> Effects {
    guard let model = findings, let finding = model.finding(at: model.cursor.index) else {
      return []
    }
    return closeFindings() + goTo(finding.key, in: finding.store)
  }

  /// Stops the search and keeps what was found, or else clears the filter or closes the list.
  mutating func leaveFindings() -> Effects {
    guard findings?.searching != nil else {
      return findings?.filter.isEmpty == false ? filterList("") : closeFindings()
    }
    findings?.searching = nil
    return [Cancel(.findings)]
  }

  private mutating func closeFindings() -> Effects {
    closeList()
    return [Cancel(.findings)]
  }
}
