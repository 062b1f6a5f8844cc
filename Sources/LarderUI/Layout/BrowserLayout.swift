package import LarderModel
import LarderFormats
package import LarderBrowser
package import TerminalUI

/// The positions of all elements on a screen of a given size.
///
/// Wide screens show the stores, keys and value side by side, narrow ones the focused pane and one
/// next to it, and the narrowest only the focused pane. A layout never traps, whatever the size.
package struct BrowserLayout: Sendable, Equatable {
  /// The rectangles of the visible panes, including their headers.
  package private(set) var panes: [BrowserState.Focus: Rect] = [:]
  /// The x-coordinates of the dividers, each to the left of its pane.
  package private(set) var dividers: [BrowserState.Focus: Int] = [:]
  /// The line of tabs, or `nil` if there is only one tab or too few rows.
  package let tabs: TabsLine?
  /// The area of all panes.
  package let area: Rect
  /// The status line, which is empty if there are too few rows.
  package let status: Rect
  /// The bottom line, for hints, messages and prompts.
  package let bottom: Rect
  /// The columns of the list, or `nil` if there is only room for keys.
  private(set) var columns: ListColumns?
  /// The columns of a grid, or `nil` if the list is not a grid.
  private(set) var grid: GridLayout?
  /// The number of rows below the value for the byte inspector.
  private var inspectorRows = 0
  /// The layout of a conflict or comparison, if it is visible.
  let comparison: ComparisonLayout?

  /// The minimum height of a screen with a line of tabs.
  private static let minimumHeightOfTabs = 8
  /// The minimum width of a screen with the list of stores next to a grid.
  private static let widthOfGridAndStores = 140
  /// The minimum width of a pane next to another.
  private static let narrowest = 18

  /// Lays out a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - size: The size of the screen.
  ///   - previous: The previous layout, whose parts are reused if they are still valid.
  package init(_ state: BrowserState, size: Size, after previous: BrowserLayout? = nil) {
    let screen = Rect(size)
    let lines = size.height >= 4 ? 2 : size.height >= 2 ? 1 : 0
    let hasTabs = state.tabs.count > 1 && size.height >= Self.minimumHeightOfTabs
    tabs =
      hasTabs
      ? TabsLine(state.tabTitles, in: Rect(x: 0, y: 0, width: size.width, height: 1)) : nil
    let top = hasTabs ? 1 : 0
    area = Rect(x: 0, y: top, width: size.width, height: size.height - lines - top)
    status =
      lines == 2 ? Rect(x: 0, y: area.maxY, width: size.width, height: 1) : .zero
    bottom =
      lines >= 1
      ? Rect(x: 0, y: size.height - 1, width: size.width, height: 1) : screen.intersection(.zero)
    comparison = Self.comparison(state.overlay, in: area, after: previous?.comparison)
    place(shown(state), dragged: state.dividers, keyShare: 11)
    grid = grid(state, after: previous)
    columns = grid?.columns ?? columns(state)
    inspectorRows = inspectorRows(state)
  }

  /// Returns the layout of a grid, or `nil` if the list is not a grid or there is no room for one.
  private func grid(_ state: BrowserState, after previous: BrowserLayout?) -> GridLayout? {
    guard let grid = state.shownGrid, let model = state.keys, let pane = panes[.keys],
      pane.height > 3, pane.width >= Self.narrowest
    else { return nil }
    let shown = model.shownEntries(height: pane.height)
    let layout = GridLayout(
      grid, of: model, shown,
      keyWidth: max(Self.keyWidth(of: shown, in: model), TextWidth.of(model.keyTitle) + 1),
      width: pane.width,
      after: previous?.grid)
    return layout.columns.columns.isEmpty ? nil : layout
  }

  /// Returns the width of the widest visible key, rounded up so that scrolling rarely moves the
  /// columns.
  private static func keyWidth(of shown: ArraySlice<Entry>, in model: KeysModel) -> Int {
    let labels = shown.map { entry in
      let label = KeyLabel(entry, in: model, besides: .none)
      return label.indent + TextWidth.of(label.text)
    }
    return ((labels.max() ?? 0) + 3) / 4 * 4
  }

  /// Returns the columns that fit next to the visible keys.
  private func columns(_ state: BrowserState) -> ListColumns? {
    guard let model = state.keys, let pane = panes[.keys], pane.height > 3 else { return nil }
    let shown = model.shownEntries(height: pane.height)
    let facts = shown.compactMap { model.row(of: $0)?.facts }
    let content: ListColumns.Content
    if state.cache != nil {
      content = .cache
    } else if model.times != nil {
      content = .times(
        hasUses: facts.contains { $0.hits != nil }, hasAge: facts.contains { $0.modified != nil })
    } else if model.store.hidesValues {
      // The values of secrets are not read without a request.
      return nil
    } else {
      content = .entries
    }
    let columns = ListColumns(
      width: pane.width, keyWidth: Self.keyWidth(of: shown, in: model), content,
      orderedBy: model.shownOrder.field)
    return columns.columns.isEmpty ? nil : columns
  }

  /// Returns the layout of a comparison, reusing the previous one if it has the same values.
  private static func comparison(
    _ overlay: Overlay?, in area: Rect, after previous: ComparisonLayout?
  ) -> ComparisonLayout? {
    switch overlay {
    case .conflict(let model):
      previous.flatMap { $0.isOf(model, in: area) ? $0 : nil } ?? ComparisonLayout(model, in: area)
    case .comparison(let model):
      (previous.flatMap { $0.isOf(model, in: area) ? $0 : nil } ?? ComparisonLayout(model, in: area))
        .showing(model.present)
    case .history(let model):
      model.shownDetails.flatMap { details in
        let footer = Self.list(overlay, in: area).footer
        guard footer.height > 2 else { return nil }
        return previous.flatMap { $0.isOf(details, in: footer) ? $0 : nil }
          ?? ComparisonLayout(details, below: footer)
      }
    default: nil
    }
  }

  /// Returns the visible panes from left to right.
  private func shown(_ state: BrowserState) -> [BrowserState.Focus] {
    if state.isZoomed { return [state.focus] }
    let isOneStore =
      state.stores.storeCount <= 1 && state.focus != .stores && state.keys != nil
    // A grid fills the width until a row is opened, beside the stores if there is room for both.
    if state.shownGrid != nil, state.focus != .stores, area.width >= 44 {
      let isAside =
        if case .editor(let editor) = state.overlay { !state.isInCell(editor) } else { false }
      let hasStores =
        area.width >= Self.widthOfGridAndStores && !isOneStore && !state.isCollectionNamed
      return (hasStores ? [.stores] : [])
        + (state.focus == .keys && !isAside ? [.keys] : [.keys, .value])
    }
    if area.width >= 72 { return isOneStore ? [.keys, .value] : [.stores, .keys, .value] }
    if area.width >= 44 { return state.focus == .stores ? [.stores, .keys] : [.keys, .value] }
    return [state.focus]
  }

  private mutating func place(
    _ shown: [BrowserState.Focus], dragged: [BrowserState.Focus: Int], keyShare: Int
  ) {
    var left = 0
    for (index, pane) in shown.enumerated() {
      let rest = area.width - left
      let after = shown.count - index - 1
      var width = rest
      if after > 0 {
        let share = pane == .stores ? min(30, area.width / 4) : rest * keyShare / 20
        let wanted = dragged[shown[index + 1]].map { $0 - left } ?? share
        width = max(Self.narrowest, min(wanted, rest - after * (Self.narrowest + 1)))
      }
      if index > 0 { dividers[pane] = left - 1 }
      panes[pane] = Rect(x: left, y: area.y, width: width, height: area.height)
      left += width + 1
    }
  }

  /// Returns the rectangle of a pane without its header.
  package func body(_ pane: BrowserState.Focus) -> Rect {
    guard let rect = panes[pane] else { return .zero }
    guard rect.height > 1 else { return rect }
    return rect.inset(left: 0, top: 1, right: 0, bottom: pane == .value ? inspectorRows : 0)
  }

  /// The rows of the byte inspector, which are empty if no byte is selected.
  var inspector: Rect {
    guard inspectorRows > 0, let pane = panes[.value] else { return .zero }
    return Rect(x: pane.x, y: pane.maxY - inspectorRows, width: pane.width, height: inspectorRows)
  }

  /// Returns the height of the byte inspector, which is at most half of the focused pane, or all
  /// but a few rows.
  private func inspectorRows(_ state: BrowserState) -> Int {
    let height = area.height - 1
    guard state.focus == .value, state.value?.selectsBytes == true, height >= 8,
      let pane = panes[.value]
    else { return 0 }
    return min(ByteInspector.lineCount(width: pane.width), max(height / 2, height - 8))
  }

  /// The rows of the list of keys, without the column headers.
  package var keyRows: Rect {
    columns == nil ? body(.keys) : body(.keys).inset(top: 1)
  }

  /// Returns the rectangle for editing the selected cell of a grid, which extends as far as its
  /// text requires, or `nil` if the cell is not on screen.
  func cellBeingEdited(_ state: BrowserState) -> Rect? {
    guard case .editor(let editor) = state.overlay, state.isInCell(editor), let model = state.keys,
      let column = grid?.columns.columns.first(where: {
        $0.kind == editor.part.column.map { .field($0) }
      })
    else { return nil }
    let rows = keyRows
    let row = model.cursor.index - model.cursor.top
    guard (0..<rows.height).contains(row) else { return nil }
    let left = rows.x + column.x
    // The cells to the right stay visible while the text fits into its cell.
    let wanted = max(column.width, TextWidth.of(editor.buffer.text) + 1)
    // Near the right edge, the text starts further to the left.
    let width = min(wanted, rows.width - 1)
    return Rect(x: min(left, rows.maxX - width), y: rows.y + row, width: width, height: 1)
  }

  /// Returns the name of the grid column at a point, or `nil` if there is none.
  func gridColumn(at point: Point) -> String? {
    guard grid != nil, case .field(let name) = column(at: point)?.kind else { return nil }
    return name
  }

  /// Returns the sort order that a click on a point selects, or `nil` if it is not on a column
  /// header.
  package func order(at point: Point) -> EntryOrder.Field? {
    guard columns != nil, let pane = panes[.keys], point.y == pane.y + 1, pane.contains(point)
    else {
      return nil
    }
    guard let column = column(at: point) else { return .key }
    return column.kind.order
  }

  /// Returns the column at a point, or `nil` if there is none, as over the keys.
  private func column(at point: Point) -> ListColumns.Column? {
    guard let columns, let pane = panes[.keys] else { return nil }
    return columns.columns.last { $0.x - 1 <= point.x - pane.x }
  }

  /// Returns the layout of the panes for the state.
  package func viewport(_ state: BrowserState) -> Viewport {
    // A pane that is hidden on a narrow screen keeps its height, and so its scroll position.
    let body = area.height > 1 ? area.height - 1 : area.height
    var help: HelpLayout?
    var search = ""
    if case .help(let model) = state.overlay {
      help = HelpLayout(model, state.settings.bindings, width: pageRect.width)
      search = model.search.text
    }
    return Viewport(
      stores: body, keys: columns == nil ? body : body - 1, value: body - inspectorRows,
      help: maximumScroll(state, help: help),
      helpMatches: help?.scrolls(to: search, height: pageRect.height) ?? [], valueWidth: valueWidth,
      hasColumns: columns != nil,
      columnWidth: grid?.width(of: state.shownGrid?.selected) ?? 0,
      overlay: list(state.shownList).list.height, comparison: comparison?.scrolling ?? .init())
  }

  /// Returns the maximum scroll offset of the text in an overlay.
  private func maximumScroll(_ state: BrowserState, help: HelpLayout?) -> Int {
    let rows: Int
    switch state.overlay {
    case .messages: rows = MessageRows(state.messages, width: pageRect.width).rows.count
    case .help: rows = help?.count ?? 0
    case .details(let details): return DetailRows(details, in: area).maximumScroll
    // A user who types ahead scrolls in an overlay that does not exist yet.
    default: return 1_000
    }
    return max(0, rows - pageRect.height)
  }

  /// Whether an overlay has room for a border.
  var hasBoxBorder: Bool { Self.hasBoxBorder(in: area) }

  static func hasBoxBorder(in area: Rect) -> Bool { area.width > 4 && area.height > 3 }

  /// The rectangle for the text of an overlay.
  var pageRect: Rect { Self.pageRect(in: area) }

  static func pageRect(in area: Rect) -> Rect {
    hasBoxBorder(in: area) ? Box.inside(of: area) : area
  }

  /// The width of the value pane without its left margin.
  package var valueWidth: Int { max(0, body(.value).width - 1) }
}
