extension Command {
  /// The commands for the columns of a table.
  static let columns: [Command] = [
    Command(
      "grid", "grid", help: "Show rows as a table, or as a list", keys: [],
      aliases: ["table", "columns", "spreadsheet"],
      needs: .list,
      unavailable: { state in
        needsStore(state)
          ?? (state.keys?.grid == nil ? Messages.noColumns : nil)
      }
    ) { state, _ in state.toggleGrid() },
    Command(
      "column", "go to column", help: "Select a column by its name", keys: [],
      aliases: ["columns", "field"],
      argument: "COLUMN", needsArgument: true, needs: .list, unavailable: needsGrid
    ) { state, argument in state.selectColumn(named: argument) },
    Command(
      "only-value", "only this value", help: "List only rows with this value in the column",
      keys: ["="], places: [.keys],
      aliases: ["filter-value", "equal"],
      needs: .list, unavailable: needsColumn
    ) { state, _ in state.listOnlyValue() },
    Command(
      "hide-column", "hide column", help: "Hide the selected column", keys: [","],
      places: [.keys],
      aliases: ["columns"],
      needs: .list, unavailable: needsColumn
    ) { state, _ in state.hideColumn() },
    Command(
      "show-columns", "show columns", help: "Show all hidden columns, or one of them", keys: [],
      aliases: ["columns", "unhide"],
      argument: "COLUMN", needs: .list, unavailable: needsHidden
    ) { state, argument in state.showColumns(argument) },
    Command(
      "widen-column", "widen column", help: "Widen the selected column", keys: [">"],
      places: [.keys],
      aliases: ["columns", "wider"],
      needs: .list, unavailable: needsColumn
    ) { state, _ in state.widenColumn(by: 4) },
    Command(
      "narrow-column", "narrow column", help: "Narrow the selected column", keys: ["<"],
      places: [.keys],
      aliases: ["columns", "narrower"],
      needs: .list, unavailable: needsColumn
    ) { state, _ in state.widenColumn(by: -4) },
    Command(
      "move-column-left", "move column left", help: "Move the selected column left",
      keys: ["("], places: [.keys],
      aliases: ["columns"],
      needs: .list, unavailable: needsColumn
    ) { state, _ in state.arrange { $0.moveSelected(by: -1) } },
    Command(
      "move-column-right", "move column right", help: "Move the selected column right",
      keys: [")"], places: [.keys],
      aliases: ["columns"],
      needs: .list, unavailable: needsColumn
    ) { state, _ in state.arrange { $0.moveSelected(by: 1) } },
  ]

  private static let needsGrid: @Sendable (BrowserState) -> String? = { state in
    needsStore(state) ?? (state.shownGrid == nil ? Messages.noGrid : nil)
  }

  private static let needsHidden: @Sendable (BrowserState) -> String? = { state in
    needsGrid(state) ?? (state.shownGrid?.hidden.isEmpty == true ? Messages.noHiddenColumn : nil)
  }

  private static let needsColumn: @Sendable (BrowserState) -> String? = { state in
    needsGrid(state) ?? (state.shownGrid?.selected == nil ? Messages.noColumnSelected : nil)
  }
}
