import Foundation
import LarderBrowser
import LarderModel
import LarderOperations
import TerminalUI

extension BrowserView {
  /// Draws the list of differences between two stores.
  func draw(_ model: StoreDifferencesModel, _ screen: inout Screen) {
    let parts = drawListBox(Messages.compareStores, model, heading(of: model), &screen)
    drawDifferences(in: parts, model, style: model.keyStyle, &screen) { row in
      model.row(at: row).map { (nil, $0.difference) }
    }
  }

  /// Draws the list of changes by other programs in a watched store.
  func draw(_ model: ChangesModel, _ screen: inout Screen) {
    let count = model.rowCount
    let summary =
      count == 0
      ? (model.log.isPartial ? LarderBrowser.Messages.unlistedChanges : Messages.stillEmptyLog)
      : "\(model.log.summary)\(model.log.isPartial ? Messages.andMore : "")  "
        + Messages.position(model.cursor.index + 1, of: count)
    let parts = drawListBox(
      "Changes", model,
      [Sanitizer.display(model.store.location.description), summary], &screen)
    drawDifferences(in: parts, model, style: model.store.keyStyle, &screen) { row in
      model.item(at: row).map { ($0.time, $0.line) }
    }
  }

  /// Draws the box of a list with its heading; narrow boxes show only the last text of the heading.
  func drawListBox(
    _ title: String, _ model: any OverlayList, _ heading: [String], _ screen: inout Screen
  ) -> ListLayout {
    _ = drawBox(&screen, in: layout.area, title: title)
    let parts = layout.list(model.overlay)
    var texts = parts.heading.width < 60 ? Array(heading.suffix(1)) : heading
    if texts.count > 1 {
      // The counts are more important than the names of the stores.
      let rest = texts.dropFirst().filter { !$0.isEmpty }.reduce(0) { $0 + TextWidth.of($1) + 2 }
      texts[0] = TextCut.truncated(texts[0], to: parts.heading.width - rest, from: .middle)
    }
    put(
      texts.filter { !$0.isEmpty }.joined(separator: "  "), in: parts.heading,
      style: theme[.dialogTitle].on(theme[.dialog].background), &screen)
    return parts
  }

  private func heading(of model: StoreDifferencesModel) -> [String] {
    let counts = model.counts
    func count(_ change: EntryDifference.Change) -> String {
      Thousands.text(counts.changes[change] ?? 0)
    }
    var texts = [
      "+\(count(.added)) −\(count(.removed)) ~\(count(.changed))",
      Messages.equal(counts.same),
    ]
    if counts.unreadable > 0 { texts.append(Messages.unreadable(counts.unreadable)) }
    if counts.unlisted > 0 {
      texts.append(Messages.listed(first: StoreDifferencesModel.maximumRowCount))
    }
    if !model.filter.isEmpty { texts.append("/\(Sanitizer.display(model.filter))") }
    switch (model.comparing, model.stage) {
    case (nil, _):
      if model.failure != nil {
        texts.insert(
          Messages.compareAgain(state.settings.bindings.call("differences-again")), at: 0)
      }
    case (_, .reading(let count)?):
      texts.insert(Messages.progress("reading", count), at: 0)
    case (_, .comparing(let count)?):
      texts.insert(Messages.progress("comparing", count), at: 0)
    case (_, nil): texts.insert(Messages.progress("comparing"), at: 0)
    }
    let names = [model.left, model.right].map { Sanitizer.display($0.name) }
    return ["\(names[0]) → \(names[1])", texts.joined(separator: "  ")]
  }

  private func drawDifferences(
    in parts: ListLayout, _ model: any OverlayList, style: KeyStyle, _ screen: inout Screen,
    _ row: (Int) -> (time: Date?, difference: ListedDifference)?
  ) {
    let rows = model.visibleRows(height: parts.list.height)
    let hasTimes = rows.lowerBound < rows.upperBound && row(rows.lowerBound)?.time != nil
    let table = DifferencesTable(width: parts.list.width, hasTimes: hasTimes)
    if model.rowCount > 0 {
      put(
        table.header, in: parts.titles,
        style: theme[.textDim].on(theme[.dialog].background), &screen)
    }
    for (offset, place) in rows.enumerated() {
      guard let (time, difference) = row(place) else { continue }
      let line = Rect(x: parts.list.x, y: parts.list.y + offset, width: parts.list.width, height: 1)
      put(
        table.line(difference, time, style), in: line,
        style: self.style(difference.change.listRole, place == model.cursor.index), &screen)
    }
  }
}

extension EntryDifference.Change {
  /// The style of a row with the change.
  fileprivate var listRole: ThemeRole {
    switch self {
    case .added: .diffMine
    case .changed: .messageWarning
    case .removed: .messageError
    case .expired: .textDim
    }
  }
}

/// A formatter for the rows of a list of differences, whose width is in cells.
struct DifferencesTable {
  let width: Int
  let hasTimes: Bool

  private var timeWidth: Int { hasTimes && width >= 50 ? 10 : 0 }
  private var keyWidth: Int {
    let room = width - 2 - timeWidth
    return room < 30 ? room : max(14, min(40, room * 2 / 5))
  }
  private var valueWidth: Int { max(0, width - 2 - timeWidth - keyWidth - 2) }

  var header: String { cells("", "TIME", "KEY", valueWidth > 0 ? "OLD → NEW" : "") }

  func line(_ difference: ListedDifference, _ time: Date?, _ style: KeyStyle) -> String {
    let time = time.map { String(Timestamp.text(of: $0).dropFirst(11).prefix(8)) } ?? ""
    return cells(
      difference.change.mark, time, KeyText.display(difference.key, style), values(of: difference))
  }

  private func values(of difference: ListedDifference) -> String {
    func text(_ value: String?, _ room: Int) -> String {
      TextCut.truncated(value.map { Sanitizer.display($0) } ?? Messages.notShown, to: room)
    }
    switch difference.change {
    case .added, .expired: return text(difference.new, valueWidth)
    case .removed: return text(difference.old, valueWidth)
    case .changed:
      let old = text(difference.old, max(1, (valueWidth - 3) / 2))
      return old + " → " + text(difference.new, max(1, valueWidth - 3 - TextWidth.of(old)))
    }
  }

  private func cells(_ mark: String, _ time: String, _ key: String, _ values: String) -> String {
    TextCut.padded(mark, to: 2) + (timeWidth > 0 ? TextCut.padded(time, to: timeWidth) : "")
      + TextCut.padded(TextCut.truncated(key, to: keyWidth, from: .middle), to: keyWidth) + "  "
      + values
  }
}
