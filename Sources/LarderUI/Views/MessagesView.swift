import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the log of messages, the latest first.
  func drawMessages(scroll: Int, _ screen: inout Screen) {
    let rows = MessageRows(state.messages, width: layout.pageRect.width)
    let height = layout.pageRect.height
    let top = max(0, min(scroll, rows.rows.count - height))
    let shown = top..<min(rows.rows.count, top + height)
    let inside = drawBox(
      &screen, in: layout.area, title: "Messages",
      note: Self.position(of: shown, of: rows.rows.count))
    for (offset, row) in rows.rows[shown].enumerated() {
      let style = row.kind == .info ? theme[.dialog] : theme[row.kind.themeRole]
      screen.put(
        row.text, at: Point(x: inside.x, y: inside.y + offset),
        style: style.on(theme[.dialog].background), maxWidth: inside.width)
    }
  }
}

/// The messages, wrapped into rows.
struct MessageRows {
  /// A row of a message.
  struct Row {
    let text: String
    let kind: Message.Kind
  }

  let rows: [Row]

  init(_ log: MessageLog, width: Int) {
    rows = log.items.flatMap { item in
      let text = Messages.repeated(Sanitizer.display(item.message.text), item.count)
      return TextWrap.lines(text, width: max(1, width - 2)).enumerated().map { place, line in
        Row(text: (place == 0 ? "• " : "  ") + line, kind: item.message.kind)
      }
    }
  }
}
