import LarderBrowser
import LarderFormats
import LarderModel
import LarderOperations
import TerminalUI

extension BrowserView {
  /// Draws the overview of a store.
  func draw(_ model: OverviewModel, _ screen: inout Screen) {
    let area = layout.area
    _ = drawBox(&screen, in: area, title: "Overview")
    let parts = layout.list(model.overlay)
    drawHeading(model, in: parts.heading, &screen)
    guard let overview = model.overview else { return }
    let table = OverviewTable.prefixes(
      model.groups, of: overview, style: model.store.keyStyle, showsExpiry: model.showsExpiry,
      width: parts.list.width)
    put(table.header, in: parts.titles, line: 0, style: dialogDim, &screen)
    for offset in 0..<parts.list.height where model.cursor.top + offset < table.lines.count {
      let row = model.cursor.top + offset
      let style = row == model.cursor.index ? theme[.listRowSelected] : theme[.dialog]
      let line = Rect(x: parts.list.x, y: parts.list.y + offset, width: parts.list.width, height: 1)
      screen.fill(line, style: style)
      put(table.lines[row], in: line, line: 0, style: style, &screen)
      colorBars(in: line, &screen)
    }
    drawFooter(overview, model, in: parts.footer, &screen)
  }

  /// Colors the block characters of a row.
  private func colorBars(in line: Rect, _ screen: inout Screen) {
    let color = theme[.borderFocused].foreground
    for x in line.x..<line.maxX {
      let point = Point(x: x, y: line.y)
      guard let first = screen[point]?.text.unicodeScalars.first, ("▁"..."▏").contains(first) else {
        continue
      }
      screen.changeStyle(Rect(x: x, y: line.y, width: 1, height: 1)) { style in
        var bar = style
        bar.foreground = color
        return bar
      }
    }
  }

  private var dialogDim: Style { theme[.textDim].on(theme[.dialog].background) }

  private func put(
    _ text: String, in rect: Rect, line: Int, style: Style, _ screen: inout Screen
  ) {
    guard line < rect.height else { return }
    screen.put(
      TextCut.truncated(text, to: rect.width), at: Point(x: rect.x, y: rect.y + line), style: style)
  }

  private func drawHeading(_ model: OverviewModel, in rect: Rect, _ screen: inout Screen) {
    let style = model.store.keyStyle
    let place = model.prefix.isEmpty ? [] : [KeyText.display(.text(model.prefix), style)]
    let counts = model.overview.map {
      OverviewText.summary(of: $0, showsExpiry: model.showsExpiry)
        + [Messages.by(model.order.rawValue)]
    }
    let title = [Sanitizer.display(model.store.location.description)] + place
    // If there is not enough room, the progress is more important than the name of the store.
    let texts =
      (rect.width < 60 ? [progress(of: model)] + place : title + [progress(of: model)])
      + (counts ?? [])
    put(
      texts.filter { !$0.isEmpty }.joined(separator: "  "), in: rect, line: 0,
      style: theme[.dialogTitle].on(theme[.dialog].background), &screen)
  }

  /// Returns the progress of the scan, or a note that its result is incomplete or outdated.
  private func progress(of model: OverviewModel) -> String {
    let count = model.overview?.total.count ?? 0
    if model.scanning != nil {
      return Messages.progress("reading", count, ofAbout: model.expectedCount)
    }
    let again = state.settings.bindings.call("overview-again")
    if model.failure != nil { return Messages.incomplete(again: again) }
    if model.isChanged { return Messages.outdated(again: again) }
    return model.overview?.arePrefixesExact == false ? Messages.unsortedKeys : ""
  }

  private func drawFooter(
    _ overview: Overview, _ model: OverviewModel, in rect: Rect, _ screen: inout Screen
  ) {
    guard rect.height > 0 else { return }
    let types = overview.types(limit: 10).map { type in
      (type.name.isEmpty ? "unknown" : Sanitizer.display(type.name))
        + " \(OverviewText.percent(overview.share(of: type.sum)))"
    }
    // With enough room, the expiries are a table beside the largest entries.
    let isBeside =
      model.showsExpiry && rect.width >= Self.widthOfTwoTables
      && rect.height > OverviewSpan.allCases.count + 1
    let lines = [
      model.showsExpiry && !isBeside
        ? OverviewText.spans(of: overview.total, width: rect.width) : "",
      types.isEmpty ? "" : Messages.types(types),
    ].filter { !$0.isEmpty }
    for (place, line) in lines.enumerated() {
      put(line, in: rect, line: place, style: dialogDim, &screen)
    }
    var room = rect.inset(top: lines.count)
    if isBeside {
      let half = Rect(x: room.x, y: room.y, width: room.width / 2 - 1, height: room.height)
      draw(.expiry(of: overview, width: half.width), in: half, &screen)
      room = Rect(
        x: half.maxX + 2, y: room.y, width: room.maxX - half.maxX - 2, height: room.height)
    } else {
      colorBars(in: Rect(x: rect.x, y: rect.y, width: rect.width, height: 1), &screen)
    }
    let largest = OverviewTable.largest(
      overview, style: model.store.keyStyle, showsExpiry: model.showsExpiry, width: room.width)
    guard !largest.lines.isEmpty, room.height > 1 else { return }
    draw(largest, in: room, &screen)
  }

  /// The minimum width for two tables below the prefixes.
  private static let widthOfTwoTables = 100

  private func draw(_ table: OverviewTable, in rect: Rect, _ screen: inout Screen) {
    put(table.header, in: rect, line: 0, style: dialogDim, &screen)
    for (place, line) in table.lines.enumerated() where place + 1 < rect.height {
      put(line, in: rect, line: place + 1, style: theme[.dialog], &screen)
      colorBars(
        in: Rect(x: rect.x, y: rect.y + place + 1, width: rect.width, height: 1), &screen)
    }
  }
}
