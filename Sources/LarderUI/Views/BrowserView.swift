package import LarderBrowser
package import TerminalUI

/// A view of a state, which always draws the same screen for the same state and size.
package struct BrowserView {
  let state: BrowserState
  let layout: BrowserLayout
  let rows: ValueRows
  let theme: Theme
  /// The number of colors available for images.
  let depth: ColorDepth
  /// Whether another box covers the one that is drawn, which then has no key hints.
  var isBelow = false
  /// The cached layout of edited text.
  let editorRows: EditorRows
  /// The suggestions of the open prompt.
  let suggestions: [Suggestion]

  package init(
    state: BrowserState, layout: BrowserLayout, rows: ValueRows, theme: Theme,
    depth: ColorDepth = .trueColor, editorRows: EditorRows = EditorRows()
  ) {
    self.editorRows = editorRows
    self.depth = depth
    self.state = state
    self.layout = layout
    self.rows = rows
    self.theme = theme
    suggestions = if case .prompt(let prompt) = state.overlay { prompt.suggestions } else { [] }
  }

  /// Returns the screen for a size.
  package func render(_ size: Size) -> Screen {
    var screen = Screen(size: size, style: theme[.text])
    screen.title = state.keys == nil ? "larder" : Messages.screenTitle(state.storeTitle)
    drawTabs(&screen)
    drawStores(&screen)
    drawKeys(&screen)
    drawValue(&screen)
    for column in layout.dividers.values {
      screen.verticalLine(
        at: Point(x: column, y: layout.area.y), length: layout.area.height,
        style: state.isProtected ? theme[.dialogDanger] : theme[.border])
    }
    drawOverlay(&screen)
    drawStatus(&screen)
    drawBottom(&screen)
    drawAnswersBelow(&screen)
    return screen
  }

  /// Draws the header of a pane, highlighted if the pane has focus.
  func drawHeader(
    _ screen: inout Screen, _ pane: BrowserState.Focus, _ title: String, notes: [String] = [],
    titleWidth: Int = 8, isNoteNeeded: Bool = false
  ) {
    guard let rect = layout.panes[pane], rect.height > 1 else { return }
    let line = Rect(x: rect.x, y: rect.y, width: rect.width, height: 1)
    let isFocused = state.focus == pane && state.overlay == nil
    let isWarning = pane != .stores && state.isProtected
    // Like the status line, the title of the focused pane is a bar.
    let focused = theme[.borderFocused].on(theme[.status].background)
    let style = isWarning ? theme[.dialogDanger] : isFocused ? focused : theme[.title]
    screen.fill(line, style: style)
    // The mark also shows the focus without colors; a single pane does not need it.
    if isFocused, layout.panes.count > 1 { screen.put("▸", at: line.origin, style: style) }
    let room = line.width - 1
    // Choose the longest note that leaves room for the title; otherwise the shortest one, if it is
    // displayed nowhere else and leaves room for part of the title.
    let leaves = { (note: String, width: Int) in
      !note.isEmpty && room - TextWidth.of(note) - 2 >= width
    }
    let note =
      notes.first { leaves($0, titleWidth) }
      ?? notes.last { isNoteNeeded && leaves($0, 8) } ?? ""
    let isNoted = !note.isEmpty
    let noteWidth = isNoted ? TextWidth.of(note) + 2 : 0
    screen.put(
      TextCut.truncated(title, to: room - (isNoted ? noteWidth : 0), from: .middle),
      at: Point(x: line.x + 1, y: line.y), style: style)
    if isNoted {
      screen.put(note, at: Point(x: line.maxX - noteWidth + 1, y: line.y), style: style)
    }
  }

  /// Returns the style of a row in a list.
  func rowStyle(isSelected: Bool, in pane: BrowserState.Focus) -> Style {
    guard isSelected else { return theme[.listRow] }
    return state.focus == pane ? theme[.listRowSelected] : theme[.listRowSelectedUnfocused]
  }

  /// Returns a style with the background of a row.
  func style(_ role: ThemeRole, on row: Style, isSelected: Bool) -> Style {
    // On the selection, only its own colors are sure to be readable.
    if isSelected { return row }
    var style = theme[role]
    style.background = row.background
    return style
  }

  /// Draws a message in an empty pane.
  func drawEmpty(_ screen: inout Screen, _ rect: Rect, _ text: String, role: ThemeRole = .textDim) {
    var y = rect.y + min(1, max(0, rect.height - 1))
    for line in TextWrap.lines(text, width: rect.width - 2) where y < rect.maxY {
      screen.put(
        line, at: Point(x: rect.x + 1, y: y), style: theme[role], maxWidth: rect.width - 1)
      y += 1
    }
  }
}
