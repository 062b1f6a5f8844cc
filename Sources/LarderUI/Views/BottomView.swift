import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the bottom line, which has the prompt, the current message or key hints.
  func drawBottom(_ screen: inout Screen) {
    let line = layout.bottom
    guard !line.isEmpty else { return }
    if case .prompt(let prompt) = state.overlay, promptFrame(prompt) == nil {
      draw(prompt, on: line, &screen)
    } else if case .help(let model) = state.overlay, model.isTyping {
      drawSearch(model, on: line, &screen)
    } else if let message = state.message {
      draw(message, on: line, &screen)
    } else {
      drawHints(on: line, &screen)
    }
  }

  /// Draws a message, with up to five lines for warnings and errors, whose advice often comes last,
  /// and up to two for others.
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

  /// Draws lines of text that end on the given line.
  func draw(
    _ rows: [String], endingOn line: Rect, style: Style, _ screen: inout Screen
  ) {
    for (offset, text) in rows.enumerated() {
      let row = Rect(x: line.x, y: line.y - rows.count + 1 + offset, width: line.width, height: 1)
      screen.fill(row, style: style)
      screen.put(
        text, at: Point(x: row.x + 1, y: row.y), style: style, maxWidth: max(0, row.width - 1))
    }
  }

  /// Draws as many key hints as fit.
  private func drawHints(on line: Rect, _ screen: inout Screen) {
    screen.fill(line, style: theme[.hints])
    bottomHints?.draw(
      on: &screen, at: Point(x: line.x + 1, y: line.y), width: line.width - 2,
      keyStyle: theme[.hintsKey], labelStyle: theme[.hints])
  }

  /// The key hints of the bottom line, or `nil` if it has other content or a box shows the hints.
  var bottomHints: HintLine? {
    guard state.message == nil, boxFrame == nil else { return nil }
    switch state.overlay {
    // These overlays show their own hints.
    case .confirm, .conflict, .comparison, .prompt: return nil
    // The first two hints, for help and quitting, are visible at any width.
    case nil: return HintLine(Hints.current(state), pinnedCount: 2)
    default: return HintLine(Hints.current(state))
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
