import LarderBrowser
import LarderFormats
import LarderModel
import TerminalUI

extension BrowserView {
  /// Draws the entries of all open stores that contain a text.
  func draw(_ model: FindingsModel, _ screen: inout Screen) {
    let isEmpty = model.count == 0 && model.searching == nil && !model.hasMore
    let found = Messages.found(
      isEmpty ? nil : model.count, hasMore: model.hasMore, failures: model.failureCount)
    let parts = drawListBox(
      Messages.findEverywhere, model,
      [
        Messages.text(Sanitizer.display(model.text), inStores: model.storeCount),
        model.searching == nil ? found : Messages.searching(found),
      ]
        + (model.filter.isEmpty
          ? []
          : [Messages.findings(model.rowCount, with: Sanitizer.display(model.filter))]),
      &screen)
    let width = parts.list.width
    let storeWidth = max(8, min(30, width / 4))
    let keyWidth = max(10, min(44, (width - storeWidth) * 2 / 5))
    let valueWidth = max(0, width - storeWidth - keyWidth - 4)
    func cells(_ store: String, _ key: String, _ value: String) -> String {
      TextCut.padded(TextCut.truncated(store, to: storeWidth, from: .start), to: storeWidth) + "  "
        + TextCut.padded(TextCut.truncated(key, to: keyWidth, from: .middle), to: keyWidth)
        + (valueWidth > 4 ? "  " + TextCut.truncated(value, to: valueWidth) : "")
    }
    if model.rowCount > 0 {
      put(
        cells("STORE", "KEY", "VALUE"), in: parts.titles,
        style: theme[.textDim].on(theme[.dialog].background), &screen)
    }
    let term = EntryFilter.Term(.text(model.text))
    for (offset, row) in model.visibleRows(height: parts.list.height).enumerated() {
      guard let finding = model.finding(at: row) else { continue }
      let isSelected = row == model.cursor.index
      let text = cells(
        Sanitizer.display(finding.storeName), KeyText.display(finding.key, finding.keyStyle),
        finding.excerpt.map { Sanitizer.display($0) } ?? "")
      let line = Rect(x: parts.list.x, y: parts.list.y + offset, width: width, height: 1)
      put(text, in: line, style: style(.dialog, isSelected), &screen)
      highlight(
        KeyText.ranges(of: term, in: text), in: text, at: line.origin, isSelected: isSelected,
        &screen)
    }
  }
}
