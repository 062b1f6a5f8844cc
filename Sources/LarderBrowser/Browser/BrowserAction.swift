/// Something that happened: the user did it, an effect replied, or time passed.
package enum BrowserAction: Sendable {
  // What the user did.

  /// A command was called, by key, by name or with the mouse.
  case command(String, argument: String = "")
  /// A key was pressed that calls a command in other panes only.
  case misplaced(String)
  /// A digit was pressed where none calls a command.
  case digit(Int)
  /// A key was pressed where text is typed.
  case edit(TextEdit)
  /// What was typed is to be taken.
  case submit
  /// What is typed is to be given to the user's own editor.
  case handOver
  /// What was typed is to be left.
  case cancel
  /// An earlier line, or a later one, is to be taken in the place of what was typed.
  case recall(by: Int)
  /// The next or the previous suggestion is to be taken.
  case complete(by: Int)
  /// The type of a new value is to be the next one.
  case changeType
  /// What is typed is to be null.
  case makeNull
  /// A row was clicked.
  case click(BrowserState.Focus, row: Int, column: String? = nil)
  /// The wheel was turned over a pane.
  case scroll(BrowserState.Focus, rows: Int)
  /// The divider before a pane was dragged to a column.
  case drag(divider: BrowserState.Focus, column: Int)

  // What effects and the program tell.

  /// An effect replied.
  case reply(EffectReply)
  /// A change of many entries has come so far.
  case worked(WorkReport)
  /// What there is to say of a change that was just made.
  case remarked(String)
  case themeChanged(String, warnings: [String])
  /// Text did not get on the clipboard, for the reason given.
  case copyFailed(String)
  /// The terminal has taken what was copied.
  case copied(isSecret: Bool)
  /// Something is to be said in the last lines of the screen.
  case notice(String, Message.Kind = .info)
  case viewportChanged(Viewport)
}

/// How many rows each pane has, as the view laid them out.
package struct Viewport: Sendable, Equatable {
  package var stores: Int
  package var keys: Int
  package var value: Int
  /// How far the help, or what was said, can be scrolled.
  package var help: Int
  /// How far to scroll to each match in the help.
  package var helpMatches: [Int]
  /// How many rows of a list over the panes are shown.
  package var overlay: Int
  /// Where the differences of what is compared are, and how far it can be scrolled.
  package var comparison: ComparisonScroll

  /// How many columns a row of the value has.
  package var valueWidth: Int
  /// Whether the list has columns.
  package var hasColumns: Bool
  /// The width of the selected column of a grid.
  package var columnWidth: Int

  package init(
    stores: Int = 20, keys: Int = 20, value: Int = 20, help: Int = 1_000, helpMatches: [Int] = [],
    valueWidth: Int = 80, hasColumns: Bool = false, columnWidth: Int = 0, overlay: Int = 10,
    comparison: ComparisonScroll = ComparisonScroll()
  ) {
    self.stores = stores
    self.keys = keys
    self.value = value
    self.help = help
    self.helpMatches = helpMatches
    self.valueWidth = valueWidth
    self.hasColumns = hasColumns
    self.columnWidth = columnWidth
    self.overlay = overlay
    self.comparison = comparison
  }

  /// How what is compared can be scrolled.
  package struct ComparisonScroll: Sendable, Equatable {
    package var start: Int
    package var end: Int
    /// How far to scroll to each run of rows that differ.
    package var differences: [Int]

    package init(start: Int = 0, end: Int = 0, differences: [Int] = []) {
      self.differences = differences
      self.start = start
      self.end = end
    }
  }
}
