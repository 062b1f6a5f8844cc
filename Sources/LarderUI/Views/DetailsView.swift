import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws what is known of an entry.
  func draw(_ details: EntryDetails, _ screen: inout Screen) {
    let rows = DetailRows(details, in: layout.area)
    let expiry =
      if let expires = details.expires, let time = state.clock.time {
        " · \(ExpiryLabel.text(expires, at: time))"
      } else { "" }
    let name = Sanitizer.display(details.title)
    let room = rows.boxWidth - 4 - TextWidth.of(expiry)
    let inside = drawBox(
      &screen, width: rows.boxWidth, height: rows.rows.count + 2,
      title: TextCut.truncated(name, to: max(8, room), from: .middle) + expiry)
    let dialog = theme[.dialog]
    let top = max(0, min(details.scroll, rows.rows.count - inside.height))
    for (offset, row) in rows.rows.dropFirst(top).prefix(inside.height).enumerated() {
      let y = inside.y + offset
      screen.put(
        row.name, at: Point(x: inside.x, y: y), style: theme[.textDim].on(dialog.background),
        maxWidth: inside.width)
      let style = row.isWarning ? theme[.messageWarning].on(dialog.background) : dialog
      screen.put(
        row.text, at: Point(x: inside.x + row.indent, y: y), style: style,
        maxWidth: inside.width - row.indent)
    }
    drawMore(rows.rows.count - top - inside.height, below: inside, &screen)
  }
}

/// What is known of an entry, in rows that fit over an area.
struct DetailRows {
  /// A row of a fact.
  struct Row {
    var name = ""
    let text: String
    let indent: Int
    let isWarning: Bool
  }

  let rows: [Row]
  let boxWidth: Int

  /// The maximum width of the box, as longer lines are hard to read.
  private static let maximumWidth = 100
  /// The minimum width of texts beside the names; with less they go below them.
  private static let minimumTextWidth = 24

  init(_ details: EntryDetails, in area: Rect) {
    boxWidth = min(Self.maximumWidth, area.width)
    let inside = max(1, boxWidth > 4 ? boxWidth - 4 : boxWidth)
    let nameWidth = (details.facts.map { TextWidth.of($0.name) }.max() ?? 0) + 2
    let isBeside = inside >= nameWidth + Self.minimumTextWidth
    let indent = isBeside ? nameWidth : 2
    rows = details.facts.flatMap { fact in
      let texts = TextWrap.lines(
        Sanitizer.display(fact.text), width: max(1, inside - indent))
      var rows = texts.map { Row(text: $0, indent: indent, isWarning: fact.isWarning) }
      if isBeside, !rows.isEmpty {
        rows[0].name = fact.name
      } else {
        rows.insert(Row(name: fact.name, text: "", indent: indent, isWarning: false), at: 0)
      }
      return rows
    }
  }
}
