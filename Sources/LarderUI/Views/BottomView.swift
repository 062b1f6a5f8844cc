import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws the last line: what is being typed, else what was said, else the keys that work now.
  func drawBottom(_ screen: inout Screen) {
    let line = layout.bottom
    guard !line.isEmpty else { return }
    if case .prompt(let prompt) = state.overlay {
      draw(prompt, on: line, &screen)
    } else if let message = state.message {
      let style = theme[message.kind.themeRole]
      screen.fill(line, style: style)
      let text = TextCut.truncated(Sanitizer.display(message.text), to: line.width - 2)
      screen.put(text, at: Point(x: line.x + 1, y: line.y), style: style)
    } else {
      drawHints(on: line, &screen)
    }
  }

  private func draw(_ prompt: PromptModel, on line: Rect, _ screen: inout Screen) {
    let style = theme[.prompt]
    screen.fill(line, style: style)
    let used = screen.put(prompt.label, at: line.origin, style: style, maxWidth: line.width)
    let room = line.width - used - 1
    let head = String(prompt.buffer.characters[..<prompt.buffer.cursor])
    let before = Sanitizer.display(head)
    let shown = TextWidth.fits(before, in: room) ? before[...] : TextCut.suffix(before, width: room)
    var x = line.x + used
    x += screen.put(shown, at: Point(x: x, y: line.y), style: style, maxWidth: room)
    screen.cursor = Point(x: min(x, line.maxX - 1), y: line.y)
    let after = String(prompt.buffer.characters[prompt.buffer.cursor...])
    screen.put(after, at: Point(x: x, y: line.y), style: style, maxWidth: line.maxX - x)
    drawSuggestions(prompt, above: line, &screen)
  }

  /// The commands that the line may mean, in a list over the panes.
  private func drawSuggestions(
    _ prompt: PromptModel, above line: Rect, _ screen: inout Screen
  ) {
    let suggestions = prompt.suggestions
    let height = min(suggestions.count, 10, line.y)
    guard height > 0 else { return }
    let width = min(line.width, 60)
    let selected = prompt.suggestion ?? -1
    let top = max(0, selected - height + 1)
    for (offset, command) in suggestions.dropFirst(top).prefix(height).enumerated() {
      let row = Rect(x: 0, y: line.y - height + offset, width: width, height: 1)
      let style = top + offset == selected ? theme[.listRowSelected] : theme[.dialog]
      screen.fill(row, style: style)
      let name = command.id + (command.argument.map { " \($0)" } ?? "")
      screen.put(name, at: Point(x: 1, y: row.y), style: style, maxWidth: width - 2)
      screen.put(
        TextCut.truncated(command.help, to: width - 23), at: Point(x: 22, y: row.y), style: style,
        maxWidth: width - 22)
    }
  }

  /// The keys that work now, as many as fit.
  private func drawHints(on line: Rect, _ screen: inout Screen) {
    screen.fill(line, style: theme[.hints])
    var x = line.x + 1
    for hint in Hints.current(state) {
      let width = TextWidth.of(hint.key) + 1 + TextWidth.of(hint.label)
      guard x + width <= line.maxX else { break }
      x += screen.put(hint.key, at: Point(x: x, y: line.y), style: theme[.hintsKey]) + 1
      x += screen.put(hint.label, at: Point(x: x, y: line.y), style: theme[.hints]) + 2
    }
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
