/// An event: user input, the reply of an effect, or a notification.
package enum BrowserAction: Sendable {
  // User input.

  /// Runs a command, called by key, by name or with the mouse.
  case command(String, argument: String = "")
  /// A key was pressed whose command works in other panes only.
  case misplaced(String)
  /// A digit was pressed that is not bound to a command.
  case digit(Int)
  /// Edits text.
  case edit(TextEdit)
  /// Submits the text.
  case submit
  /// Opens the text in the user's own editor.
  case handOver
  /// Leaves the text, the overlay or the pane.
  case cancel
  /// Recalls an earlier or later line of the history.
  case recall(by: Int)
  /// Selects the next or previous suggestion.
  case complete(by: Int)
  /// Switches to the next type for the value.
  case changeType
  /// Sets the value to null.
  case makeNull
  /// A row was clicked.
  case click(BrowserState.Focus, row: Int, column: String? = nil)
  /// The wheel was turned over a pane.
  case scroll(BrowserState.Focus, rows: Int)
  /// The divider before a pane was dragged to a column.
  case drag(divider: BrowserState.Focus, column: Int)

  // Notifications by effects and the program.

  /// An effect replied.
  case reply(EffectReply)
  /// A bulk change has made progress.
  case worked(BulkChangeProgress)
  /// A warning about the change that was just made.
  case warned(String)
  case themeChanged(String, warnings: [String])
  /// Text could not be copied to the clipboard, for the given reason.
  case copyFailed(String)
  /// The terminal has accepted the copied text.
  case copied(isSecret: Bool)
  /// Shows a message at the bottom of the screen.
  case notice(String, Message.Kind = .info)
  case viewportChanged(Viewport)
}

/// The layout of the panes, as measured by the view.
package struct Viewport: Sendable, Equatable {
  package var stores: Int
  package var keys: Int
  package var value: Int
  /// The maximum scroll offset of the help, the messages or the details.
  package var help: Int
  /// The scroll offset of each match in the help.
  package var helpMatches: [Int]
  /// The number of visible rows in an overlay list.
  package var overlay: Int
  /// The positions of the differences in a comparison, and its scroll range.
  package var comparison: ComparisonScroll

  /// The width of the value pane in screen columns.
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

  /// The scroll range of a comparison.
  package struct ComparisonScroll: Sendable, Equatable {
    package var start: Int
    package var end: Int
    /// The scroll offset of each run of different rows.
    package var differences: [Int]

    package init(start: Int = 0, end: Int = 0, differences: [Int] = []) {
      self.differences = differences
      self.start = start
      self.end = end
    }
  }
}
