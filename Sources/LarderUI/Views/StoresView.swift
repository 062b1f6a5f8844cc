import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the list of locations and their collections.
  func drawStores(_ screen: inout Screen) {
    guard layout.panes[.stores] != nil else { return }
    drawHeader(&screen, .stores, "Stores")
    let body = layout.body(.stores)
    let list = state.stores.rows
    if list.isEmpty {
      let key = state.settings.bindings.call("open-store")
      drawEmpty(&screen, body, Messages.nothingOpen(open: key))
    }
    let top = state.stores.cursor.top
    for (offset, row) in list.dropFirst(top).prefix(body.height).enumerated() {
      let isSelected = top + offset == state.stores.cursor.index
      draw(row, isSelected: isSelected, at: body.y + offset, in: body, &screen)
    }
  }

  /// The minimum width of a note.
  private static let minimumNote = 4

  private func draw(
    _ row: StoresModel.Row, isSelected: Bool, at y: Int, in body: Rect, _ screen: inout Screen
  ) {
    let base = rowStyle(isSelected: isSelected, in: .stores)
    screen.fill(Rect(x: body.x, y: y, width: body.width, height: 1), style: base)
    if state.stores.marked.contains(row.reference) {
      screen.put(
        "*", at: Point(x: body.x, y: y),
        style: style(.listRowMarked, on: base, isSelected: isSelected))
    }
    let isShown = state.keys?.store.reference == row.reference
    let indent = 2 * row.depth
    let room = body.width - 2 - indent
    // The name is more important than the note.
    let left = room - TextWidth.of(row.title) - 1
    let note = left < Self.minimumNote ? "" : TextCut.truncated(row.note, to: left)
    var name = style(
      row.isFailed ? .messageError : row.isLocation ? .textAccent : .listRow, on: base,
      isSelected: isSelected)
    if isShown { name.attributes.insert(.bold) }
    screen.put(
      TextCut.truncated(
        row.title, to: room, from: row.shortened),
      at: Point(x: body.x + 1 + indent, y: y), style: name)
    if !note.isEmpty {
      screen.put(
        note, at: Point(x: body.maxX - TextWidth.of(note) - 1, y: y),
        style: style(.textDim, on: base, isSelected: isSelected))
    }
  }
}

extension StoresModel.Row {
  /// The part of a title to truncate first; the end of a name inside a container is the most
  /// important part.
  fileprivate var shortened: TextCut.Side {
    isLocation && depth == 0 ? .middle : title.contains("/") ? .start : .end
  }
}
