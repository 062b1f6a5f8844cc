import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the details of an entry.
  func draw(_ details: EntryDetails, _ screen: inout Screen) {
    let rows = DetailRows(details, in: layout.area)
    let expiry =
      if let expires = details.expires, let time = state.clock.time {
        " · \(ExpiryLabel.text(expires, at: time))"
      } else { "" }
    let name = Sanitizer.display(details.title)
    let room = rows.frame.width - 4 - TextWidth.of(expiry)
    let dialog = theme[.dialog]
    let top = max(0, min(details.scroll, rows.maximumScroll))
    let end = min(rows.rows.count, top + rows.height)
    let inside = drawBox(
      &screen, in: rows.frame,
      title: TextCut.truncated(name, to: max(8, room), from: .middle) + expiry,
      note: Self.position(of: top..<end, of: rows.rows.count))
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
  }
}

/// The details of an entry, wrapped into rows that fit into an area.
struct DetailRows {
  /// A row of a fact.
  struct Row {
    var name = ""
    let text: String
    let indent: Int
    let isWarning: Bool
  }

  let rows: [Row]
  /// The rectangle of the box.
  let frame: Rect
  /// The number of visible rows.
  let height: Int
  /// The maximum scroll offset.
  var maximumScroll: Int { max(0, rows.count - height) }

  /// The maximum width of the box, because long lines are hard to read.
  private static let maximumWidth = 100
  /// The minimum width of text next to the names; with less room, it is below them.
  private static let minimumTextWidth = 24

  init(_ details: EntryDetails, in area: Rect) {
    let width = min(Self.maximumWidth, area.width)
    let hasBorder = BrowserLayout.hasBoxBorder(in: area)
    let inside = max(1, hasBorder ? width - 4 : width)
    let nameWidth = (details.facts.map { TextWidth.of($0.name) }.max() ?? 0) + 2
    let isBeside = inside >= nameWidth + Self.minimumTextWidth
    let indent = isBeside ? nameWidth : 2
    let rows = details.facts.flatMap { fact in
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
    let outside = hasBorder ? 2 : 0
    height = max(0, min(rows.count, area.height - outside))
    frame = area.centered(Size(width: width, height: height + outside))
    self.rows = rows
  }
}
