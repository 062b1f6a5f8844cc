import LarderBrowser
import LarderModel
import TerminalUI

extension BrowserView {
  /// Draws the help.
  func draw(_ model: HelpModel, _ screen: inout Screen) {
    let room = layout.pageRect
    let help = HelpLayout(model, state.settings.bindings, width: room.width)
    let matches = help.matches(of: model.search.text)
    let scroll =
      model.scroll ?? model.shownMatch(of: help.scrolls(to: model.search.text, height: room.height))
    let top = max(0, min(scroll ?? 0, help.count - room.height))
    let shown = top..<min(help.count, top + room.height)
    let inside = drawBox(
      &screen, in: layout.area, title: Messages.helpTitle,
      note: note(model, matches: matches.count, shown, of: help.count))
    for (column, lines) in help.columns.enumerated() {
      let x = inside.x + help.start(of: column)
      for row in shown where lines.indices.contains(row) {
        let isMatch = matches.contains { $0.column == column && $0.row == row - lines[row].place }
        draw(
          lines[row], help.parts, at: Point(x: x, y: inside.y + row - top),
          highlighting: isMatch ? model.search.text : "", &screen)
      }
    }
  }

  private func note(_ model: HelpModel, matches: Int, _ shown: Range<Int>, of count: Int) -> String
  {
    guard model.search.count > 0 else { return Self.position(of: shown, of: count) }
    guard matches > 0 else { return Messages.noHelpMatch }
    return Messages.helpMatch(min(model.match, matches - 1) + 1, of: matches)
  }

  private func draw(
    _ line: HelpLayout.Line, _ parts: HelpLayout.Columns, at point: Point,
    highlighting text: String, _ screen: inout Screen
  ) {
    let ground = theme[.dialog].background
    func put(_ piece: String, _ x: Int, _ width: Int, _ style: Style) {
      let shown = TextCut.truncated(piece, to: width)
      self.put(
        shown, shown.offsets(of: text) ?? [], at: Point(x: point.x + x, y: point.y), width: width,
        style, false, &screen)
    }
    if line.isTitle { return put(line.text, 0, parts.width, theme[.dialogTitle].on(ground)) }
    let keyRoom = line.name.isEmpty && parts.hasNames ? parts.textStart - 1 : parts.keyWidth
    put(line.keys, 0, min(keyRoom, parts.width), theme[.hintsKey].on(ground))
    if parts.hasNames { put(line.name, parts.keyWidth + 1, 17, theme[.textDim].on(ground)) }
    put(line.text, parts.textStart, parts.width - parts.textStart, theme[.dialog])
  }

  /// Draws the search prompt of the help in the bottom line.
  func drawSearch(_ model: HelpModel, on line: Rect, _ screen: inout Screen) {
    let style = theme[.prompt]
    screen.fill(line, style: style)
    let used = screen.put("/", at: line.origin, style: style)
    let before = String(model.search.characters[..<model.search.cursor])
    screen.cursor = TextField(text: model.search.text, cursor: before.count).draw(
      on: &screen, at: Point(x: line.x + used, y: line.y), width: line.width - used, style: style)
  }
}
