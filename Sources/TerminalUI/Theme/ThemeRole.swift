/// What a piece of the screen is for, which a theme gives a style.
///
/// A role that a theme leaves out falls back along the dots of its name, then to ``text``.
public enum ThemeRole: String, CaseIterable, Sendable {
  /// Text with nothing special about it; its background is the background of the screen.
  case text
  /// Text of less importance.
  case textDim = "text.dim"
  /// Text that stands out.
  case textAccent = "text.accent"
  /// The border of a pane.
  case border
  /// The border of the pane that has the keys.
  case borderFocused = "border.focused"
  /// The title of a pane.
  case title
  /// A row of a list.
  case listRow = "list.row"
  /// The row the user stands on.
  case listRowSelected = "list.row.selected"
  /// The row the user stands on, in a pane that does not have the keys.
  case listRowSelectedUnfocused = "list.row.selected.unfocused"
  /// A row that is marked.
  case listRowMarked = "list.row.marked"
  /// The line above a list that names its columns.
  case listHeader = "list.header"
  /// The key of an entry.
  case key
  /// A value that is none.
  case valueNull = "value.null"
  /// True or false.
  case valueBool = "value.bool"
  /// A number.
  case valueNumber = "value.number"
  /// Text as a value.
  case valueText = "value.text"
  /// Bytes.
  case valueData = "value.data"
  /// The name of a part of a value.
  case valueName = "value.name"
  /// What a filter found in a text.
  case match
  /// The status line.
  case status
  /// The part of the status line that says what the program is doing.
  case statusMode = "status.mode"
  /// The sign that nothing can be written.
  case statusReadonly = "status.readonly"
  /// The filter in the status line.
  case statusFilter = "status.filter"
  /// The line of keys that work now.
  case hints
  /// A key in that line.
  case hintsKey = "hints.key"
  /// A line to type into.
  case prompt
  /// What is wrong with the line that was typed.
  case promptError = "prompt.error"
  /// A dialog.
  case dialog
  /// The title of a dialog.
  case dialogTitle = "dialog.title"
  /// What a dialog warns about.
  case dialogDanger = "dialog.danger"
  /// A message that all is well.
  case messageInfo = "message.info"
  /// A message that something may be wrong.
  case messageWarning = "message.warning"
  /// A message that something went wrong.
  case messageError = "message.error"
  /// The time left of a cached entry with plenty of it.
  case cacheFresh = "cache.fresh"
  /// The time left of a cached entry that expires soon.
  case cacheSoon = "cache.soon"
  /// A cached entry that has expired.
  case cacheExpired = "cache.expired"
  /// An entry that does not expire.
  case cacheNone = "cache.none"
  /// What the user wrote, beside what is stored.
  case diffMine = "diff.mine"
  /// What another program stored meanwhile.
  case diffTheirs = "diff.theirs"
  /// The cursor of a text that is being edited, where it is drawn.
  case cursor

  /// The roles that every theme has to give a style, itself or through the theme it inherits.
  public static let required: [ThemeRole] = [
    .text, .textDim, .border, .title, .listRowSelected, .status, .match, .messageError,
  ]

  /// The roles that give what this one leaves out, nearest first, ending with ``text``.
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
