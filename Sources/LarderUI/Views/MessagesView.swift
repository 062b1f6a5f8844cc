import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws what was said so far, the latest first.
  func drawMessages(scroll: Int, _ screen: inout Screen) {
    let rows = MessageRows(state.messages, in: layout.area)
    let inside = drawBox(
      &screen, width: rows.boxWidth, height: layout.area.height, title: "Messages")
    let top = max(0, min(scroll, rows.rows.count - inside.height))
    for (offset, row) in rows.rows.dropFirst(top).prefix(inside.height).enumerated() {
      let style = row.kind == .info ? theme[.dialog] : theme[row.kind.themeRole]
      screen.put(
        row.text, at: Point(x: inside.x, y: inside.y + offset),
        style: style.on(theme[.dialog].background), maxWidth: inside.width)
    }
    drawMore(rows.rows.count - top - inside.height, below: inside, &screen)
  }
}

/// What was said, in rows that fit over an area.
struct MessageRows {
  /// A row of a message.
  struct Row {
    let text: String
    let kind: Message.Kind
  }

  let rows: [Row]
  let boxWidth: Int

  init(_ log: MessageLog, in area: Rect) {
    let boxWidth = min(100, area.width)
    // As much as the box takes away on both sides.
    let width = boxWidth > 4 ? boxWidth - 4 : boxWidth
    rows = log.items.flatMap { item in
      let count = item.count > 1 ? " (\(item.count) times)" : ""
      let text = Sanitizer.display(item.message.text) + count
      return TextWrap.lines(text, width: max(1, width - 2)).enumerated().map { place, line in
        Row(text: (place == 0 ? "• " : "  ") + line, kind: item.message.kind)
      }
    }
    self.boxWidth = boxWidth
  }
}
