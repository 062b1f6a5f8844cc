import LarderFormats
import LarderModel

extension BrowserState {
  /// The visible grid, if any.
  package var shownGrid: GridModel? {
    guard cache == nil, let model = keys, model.shownTree == nil, model.grid?.isShown == true else {
      return nil
    }
    return model.grid
  }

  /// Returns whether an editor is displayed inside the selected cell, which requires a single line.
  package func isInCell(_ editor: EditorModel) -> Bool {
    guard let column = shownGrid?.selected, focus == .keys, !editor.isNew, !editor.hasLines,
      keys?.selected?.key == editor.key
    else { return false }
    return editor.part == ValuePart(column: column)
  }

  /// Toggles between grid and list.
  mutating func toggleGrid() -> Effects {
    keys?.grid?.isShown.toggle()
    keys?.grid?.selected = nil
    return saveGrid()
  }

  /// Selects a neighboring column, or with a typed number one that is further away; nil if there is
  /// none, or no grid.
  mutating func selectColumn(by step: Int) -> Effects? {
    let columns = step * max(1, typedCount ?? 1)
    guard focus == .keys, shownGrid != nil, keys?.grid?.select(by: columns) == true else {
      return nil
    }
    return []
  }

  /// Selects the column with a name, or the first one whose name begins with the text; shows it if
  /// it is hidden.
  mutating func selectColumn(named typed: String) -> Effects {
    let columns = shownGrid.map { $0.columns + $0.hidden } ?? []
    let column =
      Self.column(typed, in: columns)
      ?? columns.first { $0.lowercased().hasPrefix(typed.lowercased()) }
    guard let column else {
      let advice = SpellingSuggestion.advice(
        for: typed, in: columns, otherwise: columns.joined(separator: ", "))
      say(Messages.noColumn(typed, advice), .warning)
      return []
    }
    if shownGrid?.columns.contains(column) != true { return arrange { $0.show(column) } }
    keys?.grid?.selected = column
    return []
  }

  /// Changes the arrangement of the columns.
  mutating func arrange(_ change: (inout GridModel) -> Void) -> Effects {
    guard var grid = keys?.grid else { return [] }
    change(&grid)
    guard grid != keys?.grid else { return [] }
    keys?.grid = grid
    return saveGrid()
  }

  /// Widens the selected column, or narrows it for negative numbers.
  mutating func widenColumn(by cells: Int) -> Effects {
    let shown = viewport.columnWidth
    return arrange { grid in
      guard let column = grid.selected else { return }
      let range = GridModel.widthRange
      let width = (grid.arrangement.widths[column] ?? shown) + cells
      grid.arrangement.widths[column] = min(max(width, range.lowerBound), range.upperBound)
    }
  }

  /// Opens the filter prompt, starting with the selected column of a grid.
  mutating func askForFilter() -> Effects {
    let before = keys?.filterText ?? ""
    let column = before.isEmpty ? shownGrid?.selected : nil
    let prompt = FilterPrompt(
      before: before, store: keys?.store.reference, saved: keys?.savedFilters ?? [])
    overlay = .prompt(PromptModel(prompt, text: column.map { FilterText.begun($0) } ?? before))
    return []
  }

  /// Hides the selected column, unless it is the last visible one.
  mutating func hideColumn() -> Effects {
    let show = settings.bindings.call("show-columns")
    guard keys?.grid?.columns.count != 1 else {
      say(Messages.lastColumn(show: show), .warning)
      return []
    }
    if let column = keys?.grid?.selected { say(Messages.hid(column, show: show)) }
    return arrange { $0.hideSelected() }
  }

  /// Shows the hidden column with a name, or all if the name is empty.
  mutating func showColumns(_ typed: String) -> Effects {
    let hidden = shownGrid?.hidden ?? []
    guard !typed.isEmpty else { return arrange { $0.show(nil) } }
    guard let column = Self.column(typed, in: hidden) else {
      let advice = SpellingSuggestion.advice(
        for: typed, in: hidden, otherwise: hidden.joined(separator: ", "))
      say(Messages.notHidden(typed, advice), .warning)
      return []
    }
    return arrange { $0.show(column) }
  }

  /// Returns the column with a name, preferably in the same case.
  private static func column(_ typed: String, in columns: [String]) -> String? {
    columns.first { $0.hasBytes(of: typed) }
      ?? columns.first { $0.lowercased() == typed.lowercased() }
  }

  /// Filters the list by the value of the selected cell.
  mutating func listOnlyValue() -> Effects {
    guard let model = keys, let column = model.grid?.selected else { return [] }
    guard let cell = model.selectedCell else {
      say(Messages.unreadCell, .warning)
      return []
    }
    guard let value = cell.exact else {
      say(Messages.longCell, .warning)
      return []
    }
    let condition = ColumnCondition(column, .equal, value)
    return filterKeys(model.store.filter(model.filterText).adding(condition).text)
  }
}
