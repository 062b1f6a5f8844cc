/// A list in an overlay, which has a selected row.
package protocol OverlayList: Sendable {
  /// The selected row and the first visible row.
  var cursor: ListCursor { get set }
  /// The number of rows.
  var rowCount: Int { get }
  /// The overlay that shows the list.
  var overlay: Overlay { get }
}

extension OverlayList {
  /// Returns the visible rows for a height.
  package func visibleRows(height: Int) -> Range<Int> {
    let end = min(rowCount, cursor.top + max(1, height))
    return min(cursor.top, end)..<end
  }
}

extension Overlay {
  /// The list in the overlay, or `nil` if there is none.
  package var list: (any OverlayList)? {
    switch self {
    case .overview(let model): model
    case .history(let model): model
    case .differences(let model): model
    case .changes(let model): model
    case .findings(let model): model
    default: nil
    }
  }
}

extension BrowserState {
  /// The overlay list, even while another overlay covers it.
  package var shownList: Overlay? {
    get { overlay?.list == nil ? coveredList : overlay }
    set {
      if overlay?.list == nil { coveredList = newValue } else { overlay = newValue }
    }
  }

  /// Whether another overlay can be shown now.
  var canCover: Bool { overlay == nil || overlay?.list != nil }

  /// Shows an overlay, covering the current list if there is one.
  mutating func cover(_ new: Overlay) {
    if overlay?.list != nil { coveredList = overlay }
    overlay = new
  }

  /// Closes the overlay list.
  mutating func closeList() {
    coveredList = nil
    if overlay?.list != nil { overlay = nil }
  }

  /// Moves the selection in the overlay list.
  mutating func moveInOverlay(by rows: Int) -> Effects {
    changeOverlay { $0.move(by: rows, count: $1, height: $2) }
  }

  /// Scrolls the overlay list and keeps the selected row visible.
  mutating func scrollOverlay(by rows: Int) -> Effects {
    changeOverlay { $0.scroll(by: rows, count: $1, height: $2) }
  }

  /// Selects a row of the overlay list.
  mutating func selectInOverlay(_ row: Int) -> Effects {
    guard let list = overlay?.list, (0..<list.rowCount).contains(row) else { return [] }
    return changeOverlay { $0.select(row, count: $1, height: $2) }
  }

  private mutating func changeOverlay(
    _ change: (inout ListCursor, _ count: Int, _ height: Int) -> Void
  ) -> Effects {
    guard var list = overlay?.list else { return [] }
    change(&list.cursor, list.rowCount, viewport.overlay)
    overlay = list.overlay
    return visibleHistory == nil ? [] : readVisibleHistory()
  }
}
