import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws the editor in the place of the value.
  func drawEditor(_ editor: EditorModel, _ screen: inout Screen) {
    let pane = layout.panes[.value] ?? layout.area
    let rect = pane.width >= 24 ? pane : layout.area
    let style = theme[.text]
    screen.fill(rect, style: style)
    var body = rect
    if rect.height > 1 {
      let line = Rect(x: rect.x, y: rect.y, width: rect.width, height: 1)
      screen.fill(line, style: theme[.borderFocused])
      screen.put(
        TextCut.truncated(Sanitizer.display(title(of: editor)), to: rect.width - 2, from: .middle),
        at: Point(x: rect.x + 1, y: rect.y), style: theme[.borderFocused])
      body = body.inset(left: 1, top: 1, right: 0, bottom: 0)
    }
    if body.height > 2, let notice = notice(of: editor) {
      let role: ThemeRole = editor.problem == nil ? .textDim : .promptError
      let lines = TextWrap.lines(Sanitizer.display(notice), width: body.width)
        .prefix(min(4, body.height - 2))
      for (offset, line) in lines.enumerated() {
        screen.put(
          line, at: Point(x: body.x, y: body.maxY - lines.count + offset), style: theme[role])
      }
      body = body.inset(left: 0, top: 0, right: 0, bottom: lines.count)
    }
    let text = EditorRows(editor.buffer, width: body.width - 1)
    let top = max(0, text.cursor.y - body.height + 1)
    for (offset, row) in text.rows.dropFirst(top).prefix(body.height).enumerated() {
      screen.put(
        row, at: Point(x: body.x, y: body.y + offset), style: theme[.prompt], maxWidth: body.width)
    }
    screen.cursor = Point(
      x: min(body.x + text.cursor.x, screen.size.width - 1), y: body.y + text.cursor.y - top)
  }

  private func title(of editor: EditorModel) -> String {
    let verb = editor.base == nil ? "New" : "Edit"
    let place = editor.field.map { "\(editor.title) · \($0)" } ?? editor.title
    return "\(verb) \(place) (\(editor.type.rawValue))"
  }

  private func notice(of editor: EditorModel) -> String? {
    if editor.saving != nil { return "writing…" }
    return editor.problem.map { "not written: \($0)" }
  }
}

/// The text of an editor in rows of a width, and where its cursor stands among them.
struct EditorRows {
  private(set) var rows: [String] = [""]
  private(set) var cursor = Point.origin

  init(_ buffer: TextBuffer, width: Int) {
    let width = max(1, width)
    var column = 0
    for (index, character) in buffer.characters.enumerated() {
      if index == buffer.cursor { cursor = Point(x: column, y: rows.count - 1) }
      if character == "\n" || character == "\r\n" {
        rows.append("")
        column = 0
        continue
      }
      let shown = character == "\t" ? "  " : Sanitizer.display(String(character))
      let needed = TextWidth.of(shown)
      if column + needed > width {
        rows.append("")
        if index == buffer.cursor { cursor = Point(x: 0, y: rows.count - 1) }
        column = 0
      }
      rows[rows.count - 1] += shown
      column += needed
    }
    if buffer.cursor == buffer.characters.count {
      cursor = Point(x: min(column, width), y: rows.count - 1)
    }
  }
}
