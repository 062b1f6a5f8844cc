import LarderFormats
import LarderModel
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the editor in place of the value.
  func drawEditor(_ editor: EditorModel, _ screen: inout Screen) {
    if let cell = layout.cellBeingEdited(state) { return drawEditor(editor, in: cell, &screen) }
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
    let text = editorRows.shown(editor.buffer, in: Size(width: body.width - 1, height: body.height))
    for (offset, row) in text.rows.enumerated() {
      screen.put(
        row, at: Point(x: body.x, y: body.y + offset), style: theme[.prompt], maxWidth: body.width)
    }
    screen.cursor = Point(
      x: min(body.x + text.cursor.x, screen.size.width - 1), y: body.y + text.cursor.y)
  }

  /// Draws the editor of a cell, with any error below it.
  private func drawEditor(_ editor: EditorModel, in cell: Rect, _ screen: inout Screen) {
    let text = editorRows.shown(editor.buffer, in: Size(width: cell.width - 1, height: 1))
    let style = theme[.listRowSelected]
    screen.fill(cell, style: style)
    screen.put(text.rows.first ?? "", at: cell.origin, style: style, maxWidth: cell.width)
    screen.cursor = Point(x: min(cell.x + text.cursor.x, cell.maxX - 1), y: cell.y)
    guard let notice = notice(of: editor) else { return }
    let role: ThemeRole = editor.problem == nil ? .textDim : .promptError
    let rows = layout.keyRows
    let line = Rect(
      x: rows.x, y: cell.y + 1 < rows.maxY ? cell.y + 1 : cell.y - 1, width: rows.width, height: 1)
    screen.fill(line, style: theme[role])
    screen.put(
      TextCut.truncated(Sanitizer.display(notice), to: line.width - 2),
      at: Point(x: line.x + 1, y: line.y), style: theme[role])
  }

  private func title(of editor: EditorModel) -> String {
    let verb = editor.isNew ? "New" : "Edit"
    let place = ([editor.title] + editor.part.names).joined(separator: " · ")
    let form =
      editor.isHex || editor.type == .data ? Messages.form(isHex: editor.isHex) : ""
    return "\(verb) \(place) (\(editor.typeName)\(form))"
  }

  private func notice(of editor: EditorModel) -> String? {
    if editor.saving != nil { return Messages.writing }
    return editor.problem.map(Messages.notWritten)
  }
}
