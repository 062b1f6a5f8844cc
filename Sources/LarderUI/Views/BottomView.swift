import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the last line: what is being typed, else what was said, else the keys that work now.
  func drawBottom(_ screen: inout Screen) {
    let line = layout.bottom
    guard !line.isEmpty else { return }
    if case .prompt(let prompt) = state.overlay {
      draw(prompt, on: line, &screen)
    } else if let message = state.message {
      draw(message, on: line, &screen)
    } else {
      drawHints(on: line, &screen)
    }
  }

  /// What was said; of a problem all of it, as what to do about it often comes last, and of anything
  /// else two lines.
  private func draw(_ message: Message, on line: Rect, _ screen: inout Screen) {
    let style = theme[message.kind.themeRole]
    let width = max(1, line.width - 2)
    let text = Sanitizer.display(message.text)
    let wrapped = TextWrap.lines(text, width: width)
    let lines = wrapped.prefix(min(message.kind == .info ? 2 : 5, max(1, line.y / 2)))
    let rows = lines.enumerated().map { offset, text in
      let isCut = offset == lines.count - 1 && lines.count < wrapped.count
      return TextCut.truncated(isCut ? text + " …" : text, to: width)
    }
    draw(rows, endingOn: line, style: style, &screen)
  }

  /// Draws lines of text, the last of which takes a place.
  private func draw(
    _ rows: [String], endingOn line: Rect, style: Style, _ screen: inout Screen
  ) {
    for (offset, text) in rows.enumerated() {
      let row = Rect(x: line.x, y: line.y - rows.count + 1 + offset, width: line.width, height: 1)
      screen.fill(row, style: style)
      screen.put(
        text, at: Point(x: row.x + 1, y: row.y), style: style, maxWidth: max(0, row.width - 1))
    }
  }

  private func draw(_ prompt: PromptModel, on line: Rect, _ screen: inout Screen) {
    let style = theme[.prompt]
    screen.fill(line, style: style)
    let used = screen.put(prompt.label, at: line.origin, style: style, maxWidth: line.width)
    let before = String(prompt.buffer.characters[..<prompt.buffer.cursor])
    let field = TextField(text: prompt.buffer.text, cursor: before.count)
    screen.cursor = field.draw(
      on: &screen, at: Point(x: line.x + used, y: line.y), width: line.width - used, style: style)
    var bottom = line.y
    if var notice = prompt.notice {
      // It covers the line that says this otherwise.
      if prompt.isTaken, let work = state.work, !work.kind.isOfCache {
        notice.text = text(of: work)
      }
      // A list keeps half of the rows, where there are few.
      let most = prompt.suggestions.isEmpty ? line.y : (line.y + 1) / 2
      bottom -= draw(notice, above: line, atMost: min(5, most), &screen)
    }
    drawSuggestions(prompt, above: bottom, width: line.width, &screen)
  }

  /// What a line that is typed would do, or why it cannot be taken; answers how many rows it takes.
  private func draw(
    _ notice: PromptModel.Notice, above line: Rect, atMost most: Int, _ screen: inout Screen
  ) -> Int {
    let role: ThemeRole =
      notice.isProblem ? .promptError : notice.isDangerous ? .dialogDanger : .dialog
    let lines = TextWrap.lines(Sanitizer.display(notice.text), width: line.width - 2).prefix(most)
    let last = Rect(x: line.x, y: line.y - 1, width: line.width, height: 1)
    draw(Array(lines), endingOn: last, style: theme[role], &screen)
    return lines.count
  }

  /// What the line may mean, in a list over the panes, of which the last row says how many follow.
  private func drawSuggestions(
    _ prompt: PromptModel, above bottom: Int, width whole: Int, _ screen: inout Screen
  ) {
    let suggestions = prompt.suggestions
    let height = min(suggestions.count, 10, bottom)
    guard height > 0 else { return }
    let selected = prompt.suggestion ?? -1
    let top = max(0, selected - height + 1)
    let left = suggestions.count - top - height
    for (offset, suggestion) in suggestions.dropFirst(top).prefix(height).enumerated() {
      var width = whole
      let row = Rect(x: 0, y: bottom - height + offset, width: whole, height: 1)
      let style = top + offset == selected ? theme[.listRowSelected] : theme[.dialog]
      screen.fill(row, style: style)
      if offset == height - 1, left > 0 {
        let more = "and \(left) more"
        let room = TextWidth.of(more) + 1
        if width - room >= 8 {
          width -= room
          screen.put(
            more, at: Point(x: width, y: row.y),
            style: theme[.textDim].on(style.background))
        }
      }
      let title = TextCut.truncated(Sanitizer.display(suggestion.title), to: width - 2)
      screen.put(title, at: Point(x: 1, y: row.y), style: style)
      guard !suggestion.note.isEmpty, width > 26 else { continue }
      screen.put(
        TextCut.truncated(suggestion.note, to: width - 23), at: Point(x: 22, y: row.y),
        style: style,
        maxWidth: width - 22)
    }
  }

  /// The keys that work now, as many as fit.
  private func drawHints(on line: Rect, _ screen: inout Screen) {
    screen.fill(line, style: theme[.hints])
    switch state.overlay {
    // These name the keys that answer them.
    case .confirm, .conflict, .comparison: return
    default: break
    }
    // How to get help, and out, is seen at any width.
    HintLine(Hints.current(state), pinnedCount: state.overlay == nil ? 2 : 0).draw(
      on: &screen, at: Point(x: line.x + 1, y: line.y), width: line.width - 2,
      keyStyle: theme[.hintsKey], labelStyle: theme[.hints])
  }
}

extension Message.Kind {
  var themeRole: ThemeRole {
    switch self {
    case .info: .messageInfo
    case .warning: .messageWarning
    case .error: .messageError
    }
  }
}
