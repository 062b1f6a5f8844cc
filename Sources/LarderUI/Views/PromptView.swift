import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Returns the rectangle of the box for a prompt with a list of choices, or `nil` if the prompt
  /// is in the bottom line.
  func promptFrame(_ prompt: PromptModel) -> Rect? {
    let area = layout.area
    guard prompt.purpose.isChoice, area.width > 4, area.height > 5 else { return nil }
    let notice = noticeLines(prompt, width: area.width - 4, atMost: 3).count
    let rows = 3 + notice + max(1, suggestions.count)
    let most = min(area.height, max(12, area.height * 2 / 3))
    return Rect(x: area.x, y: area.y, width: area.width, height: min(rows, most))
  }

  /// Draws a prompt with a list of choices in a box.
  func draw(_ prompt: PromptModel, in frame: Rect, _ screen: inout Screen) {
    let room = Box.inside(of: frame)
    let notice = noticeLines(prompt, width: room.width, atMost: min(3, max(0, room.height - 2)))
    let list = room.inset(top: 1 + notice.count)
    let shown = shownSuggestions(prompt, height: list.height)
    let inside = drawBox(
      &screen, in: frame, title: prompt.purpose.heading,
      note: Self.position(of: shown, of: suggestions.count))
    drawLine(prompt, on: Rect(x: inside.x, y: inside.y, width: inside.width, height: 1), &screen)
    for (offset, text) in notice.enumerated() {
      screen.put(
        text, at: Point(x: inside.x, y: inside.y + 1 + offset), style: noticeStyle(prompt))
    }
    if suggestions.isEmpty {
      screen.put(
        TextCut.truncated(Sanitizer.display(prompt.purpose.emptyText(for: prompt)), to: list.width),
        at: list.origin, style: theme[.textDim].on(theme[.dialog].background))
    }
    drawSuggestions(prompt, shown, in: list, &screen)
  }

  /// Draws a prompt in the bottom line, with its notice and suggestions above.
  func draw(_ prompt: PromptModel, on line: Rect, _ screen: inout Screen) {
    drawLine(prompt, on: line, &screen)
    // A list has half of the rows if there are few.
    let most = suggestions.isEmpty ? line.y : (line.y + 1) / 2
    let notice = noticeLines(prompt, width: line.width - 2, atMost: min(5, most))
    let last = Rect(x: line.x, y: line.y - 1, width: line.width, height: 1)
    draw(notice, endingOn: last, style: noticeStyle(prompt), &screen)
    let bottom = line.y - notice.count
    let count = suggestions.count
    guard count > 0, bottom > 0 else { return }
    let hasFrame = line.width > 4 && bottom > 6
    let height = min(bottom, min(count, 10) + (hasFrame ? 2 : 0))
    let frame = Rect(x: line.x, y: bottom - height, width: line.width, height: height)
    let shown = shownSuggestions(prompt, height: height - (hasFrame ? 2 : 0))
    var list = frame
    if hasFrame {
      let box = Box(
        title: prompt.purpose.heading, note: Self.position(of: shown, of: count),
        hints: HintLine([.init(key: "Tab", label: "complete")]))
      list = box.draw(on: &screen, in: frame, look: Box.Look(theme: theme))
    }
    drawSuggestions(prompt, shown, in: list, &screen)
  }

  private func drawLine(_ prompt: PromptModel, on line: Rect, _ screen: inout Screen) {
    let style = theme[.prompt]
    screen.fill(line, style: style)
    let used = screen.put(prompt.label, at: line.origin, style: style, maxWidth: line.width)
    let before = String(prompt.buffer.characters[..<prompt.buffer.cursor])
    let text = prompt.buffer.text
    let shown = prompt.purpose.isHidden ? String(repeating: "•", count: text.count) : text
    let field = TextField(text: shown, cursor: before.count)
    screen.cursor = field.draw(
      on: &screen, at: Point(x: line.x + used, y: line.y), width: line.width - used, style: style)
  }

  /// Returns the lines about the effect of the prompt, or the reason why it cannot be submitted.
  private func noticeLines(_ prompt: PromptModel, width: Int, atMost most: Int) -> [String] {
    guard var notice = prompt.notice else { return [] }
    // The notice covers the status line, which otherwise shows the progress.
    if prompt.isTaken, let work = state.work, !work.kind.isOfCache { notice.text = text(of: work) }
    return Array(TextWrap.lines(Sanitizer.display(notice.text), width: width).prefix(most))
  }

  private func noticeStyle(_ prompt: PromptModel) -> Style {
    guard let notice = prompt.notice else { return theme[.dialog] }
    return theme[notice.isProblem ? .promptError : notice.isDangerous ? .dialogDanger : .dialog]
  }

  /// Returns the range of visible suggestions, which includes the highlighted one.
  private func shownSuggestions(_ prompt: PromptModel, height: Int) -> Range<Int> {
    let count = suggestions.count
    let top = max(0, min((prompt.highlighted(of: suggestions) ?? 0) - height + 1, count - height))
    return top..<min(count, top + max(0, height))
  }

  private func drawSuggestions(
    _ prompt: PromptModel, _ shown: Range<Int>, in list: Rect, _ screen: inout Screen
  ) {
    let highlighted = prompt.highlighted(of: suggestions)
    let widest = suggestions.map { TextWidth.of($0.title) }.max() ?? 0
    let nameWidth = min(max(widest, 8), max(8, list.width * 2 / 5))
    for (offset, place) in shown.enumerated() where suggestions.indices.contains(place) {
      let row = Rect(x: list.x, y: list.y + offset, width: list.width, height: 1)
      draw(
        suggestions[place], in: row, nameWidth: nameWidth,
        isSelected: place == highlighted,
        obstacle: prompt.purpose.obstacle(to: suggestions[place], of: prompt, in: state), &screen)
    }
  }

  /// Draws a suggestion with its description, and on the right its keys or the reason why it is
  /// unavailable.
  private func draw(
    _ suggestion: Suggestion, in row: Rect, nameWidth: Int, isSelected: Bool, obstacle: String?,
    _ screen: inout Screen
  ) {
    var style = isSelected ? theme[.listRowSelected] : theme[.dialog]
    screen.fill(row, style: style)
    let dim = theme[.textDim].on(style.background)
    if obstacle != nil, !isSelected { style = dim }
    let hasNote = !suggestion.note.isEmpty && row.width > nameWidth + 12
    put(
      suggestion.title, suggestion.nameMatches, at: row.origin,
      width: hasNote ? nameWidth : row.width, style, isSelected, &screen)
    guard row.width > nameWidth + 8 else { return }
    let room = row.width - nameWidth - 2
    // The reason why a command is unavailable gets more room than its description.
    let most = !hasNote ? room : obstacle == nil ? room / 2 : room * 2 / 3
    let right = TextCut.truncated(obstacle ?? suggestion.keys, to: most)
    let rightWidth = TextWidth.of(right)
    screen.put(
      right, at: Point(x: row.maxX - rightWidth, y: row.y),
      style: isSelected ? style : obstacle == nil ? theme[.hintsKey].on(style.background) : dim)
    guard hasNote else { return }
    put(
      suggestion.note, suggestion.noteMatches, at: Point(x: row.x + nameWidth + 2, y: row.y),
      width: room - (rightWidth == 0 ? 0 : rightWidth + 2), style, isSelected, &screen)
  }

  /// Draws a text with its matching characters highlighted.
  func put(
    _ text: String, _ matches: [Int], at point: Point, width: Int, _ style: Style,
    _ isSelected: Bool, _ screen: inout Screen
  ) {
    let shown = TextCut.truncated(text.map { Sanitizer.display(String($0)) }.joined(), to: width)
    var match = isSelected ? style : theme[.match]
    if isSelected { match.attributes.insert(.underline) }
    let places = Set(matches)
    let runs = shown.enumerated().map { offset, character in
      TextRun(String(character), style: places.contains(offset) ? match : style)
    }
    screen.put(runs, at: point, maxWidth: width)
  }
}
