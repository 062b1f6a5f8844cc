import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the form for a new row, with a line for each column and any errors below it.
  func draw(_ row: NewRowModel, _ screen: inout Screen) {
    let (blocks, problem) = notes(of: row)
    let frame = frame(of: row)
    let isCut = blocks.reduce(problem.count + 2) { $0 + 1 + $1.count } > frame.height
    let inside = drawBox(
      &screen, in: frame,
      title: row.saving == nil
        ? Messages.newRow(of: Sanitizer.display(row.title)) : Messages.writingRow,
      note: isCut ? Messages.position(row.focus + 1, of: row.lines.count) : "")
    let room = max(1, inside.height - problem.count)
    let before = blocks[..<row.focus].reduce(0) { $0 + 1 + $1.count }
    let height = blocks.reduce(0) { $0 + 1 + $1.count }
    // The focused line is visible together with its notes.
    let end = before + 1 + blocks[row.focus].count
    let top = min(before, max(0, end - room, min(before - room / 2, height - room)))
    let parts = NewRowColumns(row, width: inside.width)
    var y = inside.y - top
    for (place, notes) in blocks.enumerated() {
      if y >= inside.y, y < inside.y + room {
        let line = Rect(x: inside.x, y: y, width: inside.width, height: 1)
        draw(row.lines[place], parts, in: line, isFocused: place == row.focus, &screen)
      }
      for (offset, note) in notes.enumerated()
      where y + 1 + offset >= inside.y && y + 1 + offset < inside.y + room {
        screen.put(
          note.text, at: Point(x: inside.x + min(2, inside.width), y: y + 1 + offset),
          style: note.style, maxWidth: max(0, inside.width - 2))
      }
      y += 1 + notes.count
    }
    for (offset, text) in problem.prefix(inside.height).enumerated() {
      screen.put(
        text, at: Point(x: inside.x, y: inside.y + room + offset), style: errorOnDialog,
        maxWidth: inside.width)
    }
  }

  /// Returns the rectangle of the form.
  func frame(of row: NewRowModel) -> Rect {
    let (blocks, problem) = notes(of: row)
    let count = blocks.reduce(problem.count) { $0 + 1 + $1.count }
    let height = count + (layout.hasBoxBorder ? 2 : 0)
    return layout.area.centered(
      Size(width: newRowWidth, height: min(height, layout.area.height)))
  }

  private var newRowWidth: Int { min(layout.area.width, 76) }

  /// Returns the notes below each line and below the whole form.
  private func notes(
    of row: NewRowModel
  ) -> (blocks: [[(text: String, style: Style)]], problem: [String]) {
    let width = newRowWidth - 4
    let blocks = row.lines.indices.map { place in
      notes(below: row.lines[place], isFocused: place == row.focus, width: width)
    }
    return (blocks, row.problem.map { TextWrap.lines(Sanitizer.display($0), width: width) } ?? [])
  }

  private var errorOnDialog: Style { theme[.promptError].on(theme[.dialog].background) }

  /// Returns the notes below a line: its error or, if it is focused, its help.
  private func notes(
    below line: NewRowLine, isFocused: Bool, width: Int
  ) -> [(text: String, style: Style)] {
    let dim = theme[.textDim].on(theme[.dialog].background)
    let note =
      line.problem.map { ($0, errorOnDialog) }
      ?? (isFocused ? line.help.map { ($0, dim) } : nil)
    guard let (text, style) = note else { return [] }
    return TextWrap.lines(Sanitizer.display(text), width: max(1, width - 2)).prefix(3)
      .map { ($0, style) }
  }

  private func draw(
    _ line: NewRowLine, _ parts: NewRowColumns, in rect: Rect, isFocused: Bool,
    _ screen: inout Screen
  ) {
    let background = theme[.dialog].background
    let nameStyle = theme[isFocused ? .dialogTitle : .dialog].on(background)
    let dim = theme[.textDim].on(background)
    let name = TextCut.truncated(
      Sanitizer.display(line.name), to: max(1, parts.name - 2), from: .middle)
    let used = screen.put(name, at: rect.origin, style: nameStyle)
    if line.isRequired {
      screen.put(
        "*", at: Point(x: rect.x + used + 1, y: rect.y),
        style: theme[.messageWarning].on(background))
    }
    let field = TextField(
      text: line.buffer.text, cursor: line.buffer.cursor, placeholder: line.placeholder)
    let style = isFocused ? theme[.prompt] : theme[.dialog]
    let cursor = field.draw(
      on: &screen, at: Point(x: rect.x + parts.name, y: rect.y), width: parts.field, style: style,
      placeholderStyle: theme[.textDim].on(style.background))
    if isFocused { screen.cursor = cursor }
    guard parts.note > 0 else { return }
    let note = TextCut.truncated(Sanitizer.display(line.note), to: parts.note)
    screen.put(note, at: Point(x: rect.maxX - TextWidth.of(note), y: rect.y), style: dim)
  }
}

/// The widths of the parts of a line in a form.
private struct NewRowColumns {
  /// The width of the name and its mark, with a space after it.
  let name: Int
  /// The width of the text field.
  let field: Int
  /// The width of the type on the right, or 0 if there is no room for it.
  let note: Int

  init(_ row: NewRowModel, width: Int) {
    func widest(_ text: (NewRowLine) -> String) -> Int {
      row.lines.map { TextWidth.of(Sanitizer.display(text($0))) }.max() ?? 0
    }
    name = min(widest(\.name), max(4, width / 3)) + 3
    note = width < 32 ? 0 : min(widest(\.note), width / 4)
    field = max(1, width - name - (note > 0 ? note + 1 : 0))
  }
}
