/// The purpose of a part of the screen, which determines its style.
///
/// A role without a style in the theme falls back along the dots of its name, then to ``text``.
public enum ThemeRole: String, CaseIterable, Sendable {
  /// Ordinary text; its background is the background of the screen.
  case text
  /// Less important text.
  case textDim = "text.dim"
  /// Highlighted text.
  case textAccent = "text.accent"
  /// The border of a pane.
  case border
  /// The border of the focused pane.
  case borderFocused = "border.focused"
  /// The title of a pane.
  case title
  /// A row of a list.
  case listRow = "list.row"
  /// The selected row in the focused pane.
  case listRowSelected = "list.row.selected"
  /// The selected row in a pane without focus.
  case listRowSelectedUnfocused = "list.row.selected.unfocused"
  /// A marked row.
  case listRowMarked = "list.row.marked"
  /// The line with the column names above a list.
  case listHeader = "list.header"
  /// The key of an entry.
  case key
  /// A null value.
  case valueNull = "value.null"
  /// A Boolean value.
  case valueBool = "value.bool"
  /// A numeric value.
  case valueNumber = "value.number"
  /// A text value.
  case valueText = "value.text"
  /// A binary value.
  case valueData = "value.data"
  /// The name of a member of a value.
  case valueName = "value.name"
  /// A match of a search or filter.
  case match
  /// The status line.
  case status
  /// The mode indicator in the status line.
  case statusMode = "status.mode"
  /// The read-only indicator.
  case statusReadonly = "status.readonly"
  /// The filter in the status line.
  case statusFilter = "status.filter"
  /// The line of available keys.
  case hints
  /// A key in the line of available keys.
  case hintsKey = "hints.key"
  /// The prompt line.
  case prompt
  /// The error in the text of a prompt.
  case promptError = "prompt.error"
  /// A dialog.
  case dialog
  /// The title of a dialog.
  case dialogTitle = "dialog.title"
  /// The warning in a dialog.
  case dialogDanger = "dialog.danger"
  /// An informational message.
  case messageInfo = "message.info"
  /// A warning message.
  case messageWarning = "message.warning"
  /// An error message.
  case messageError = "message.error"
  /// The remaining time of a fresh cached entry.
  case cacheFresh = "cache.fresh"
  /// The remaining time of a cached entry that expires soon.
  case cacheSoon = "cache.soon"
  /// An expired cached entry.
  case cacheExpired = "cache.expired"
  /// An entry that never expires.
  case cacheNone = "cache.none"
  /// The user's version in a comparison with the stored value.
  case diffMine = "diff.mine"
  /// The version that another program stored.
  case diffTheirs = "diff.theirs"
  /// The text cursor of an editor, if it is drawn.
  case cursor

  /// The roles that every theme must define, itself or through the inherited theme.
  public static let required: [ThemeRole] = [
    .text, .textDim, .border, .title, .listRowSelected, .status, .match, .messageError,
  ]

  /// The roles that supply missing parts of the style, nearest first, ending with ``text``.
  public var fallbacks: [ThemeRole] {
    var roles: [ThemeRole] = []
    var name = Substring(rawValue)
    while let dot = name.lastIndex(of: ".") {
      name = name[..<dot]
      if let role = ThemeRole(rawValue: String(name)) { roles.append(role) }
    }
    return self == .text || roles.last == .text ? roles : roles + [.text]
  }
}
