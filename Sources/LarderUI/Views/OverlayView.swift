import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the overlay.
  func drawOverlay(_ screen: inout Screen) {
    if state.overlay?.list == nil {
      var below = self
      below.isBelow = true
      below.draw(state.shownList, &screen)
    }
    draw(state.overlay, &screen)
  }

  private func draw(_ overlay: Overlay?, _ screen: inout Screen) {
    switch overlay {
    case .help(let model): draw(model, &screen)
    case .messages(let scroll): drawMessages(scroll: scroll, &screen)
    case .editor(let editor): drawEditor(editor, &screen)
    case .newRow(let row): draw(row, &screen)
    case .confirm(let confirm): draw(confirm, &screen)
    case .conflict(let conflict): draw(conflict, &screen)
    case .comparison(let model): draw(model, &screen)
    case .overview(let model): draw(model, &screen)
    case .details(let details): draw(details, &screen)
    case .history(let model): draw(model, &screen)
    case .differences(let model): draw(model, &screen)
    case .changes(let model): draw(model, &screen)
    case .findings(let model): draw(model, &screen)
    case .prompt(let prompt):
      if let frame = promptFrame(prompt) { draw(prompt, in: frame, &screen) }
    case nil: break
    }
  }

  /// The rectangle of the overlay box that shows key hints, or `nil` if there is none.
  var boxFrame: Rect? {
    switch state.overlay {
    case .help, .messages, .overview, .history, .differences, .changes, .findings:
      layout.hasBoxBorder ? layout.area : nil
    case .details(let details):
      layout.hasBoxBorder ? DetailRows(details, in: layout.area).frame : nil
    case .comparison, .conflict: layout.comparison.flatMap { $0.hasBorder ? $0.frame : nil }
    case .prompt(let prompt): promptFrame(prompt)
    case .newRow(let row): layout.hasBoxBorder ? frame(of: row) : nil
    case .confirm, .editor, nil: nil
    }
  }

  /// Draws the box of an overlay.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - frame: The rectangle of the box.
  ///   - title: The title.
  ///   - note: The text on the left of the bottom border.
  ///   - isDanger: Whether the user must answer a question.
  /// - Returns: The rectangle inside the border, or `frame` if there is no border.
  func drawBox(
    _ screen: inout Screen, in frame: Rect, title: String, note: String = "", isDanger: Bool = false
  ) -> Rect {
    guard layout.hasBoxBorder else {
      screen.fill(frame, style: theme[.dialog])
      return frame
    }
    let hints = isBelow ? HintLine([]) : buttons(width: frame.width)
    return Box(title: title, note: note, hints: hints).draw(
      on: &screen, in: frame, look: Box.Look(theme: theme, isDanger: isDanger))
  }

  /// Returns the key hints of a box, shortened if there is not enough room.
  func buttons(width: Int) -> HintLine {
    let hints = Hints.current(state)
    let isWide = HintLine(hints).fitting(width: width - 4).count == hints.count
    return HintLine(isWide ? hints : Hints.short(hints))
  }

  /// Returns the visible range of lines as text, or an empty string if all are visible.
  static func position(of shown: Range<Int>, of count: Int) -> String {
    shown.count < count ? Messages.position(shown, of: count) : ""
  }

  private func draw(_ confirm: ConfirmModel, _ screen: inout Screen) {
    dialog(confirm).draw(
      on: &screen, in: layout.area, look: Box.Look(theme: theme, isDanger: true))
  }

  /// Returns the dialog that asks for confirmation of a deletion.
  func dialog(_ confirm: ConfirmModel) -> Dialog {
    let width = min(72, max(20, layout.area.width - 4))
    let key = TextCut.truncated(Sanitizer.display(confirm.title), to: 200, from: .middle)
    var question = TextWrap.lines(
      Messages.delete(key, from: confirm.place), width: width - 4)
    // If the room is short, the entry is more important than its store.
    if question.count > max(1, Dialog.room(in: layout.area)) {
      let room = width - 4 - TextWidth.of(Messages.delete("…", from: nil))
      question = [
        Messages.delete(TextCut.truncated(key, to: room, from: .middle), from: nil)
      ]
    }
    let value = TextCut.truncated(Sanitizer.display(summary(of: confirm)), to: width - 4)
    let dim = theme[.textDim].on(theme[.dialog].background)
    let answers = confirm.deleting == nil ? Hints.current(state) : []
    let rest = [
      confirm.selected.map { Messages.deletesAll(not: Sanitizer.display($0)) },
      confirm.doubt.map { Messages.note(Sanitizer.display($0)) },
    ].compactMap(\.self).flatMap { TextWrap.lines($0, width: width - 4) }
    return Dialog(
      title: confirm.deleting == nil ? Messages.delete : Messages.deleting,
      lines: (question + rest).map { [TextRun($0, style: theme[.dialog])] }
        + [[TextRun(value, style: dim)]],
      hints: answers, maxWidth: width)
  }

  /// Returns a single line with the value to delete, or with the marked keys.
  private func summary(of confirm: ConfirmModel) -> String {
    guard confirm.marked.isEmpty else {
      return confirm.marked.prefix(20).map { KeyText.cut(state.titledText(of: $0)) }
        .joined(separator: ", ")
    }
    if state.keys?.store.hidesValues == true { return Messages.lastingDeletion }
    guard let value = confirm.deletedValue else { return "" }
    return String(summary(of: value).prefix(400))
  }

  /// Returns a value on a single line; for a row, its value column or all columns.
  private func summary(of value: StoredValue) -> String {
    guard case .record(let fields) = value else {
      if case .data(let bytes) = value, let text = bytes.plainText, !text.isEmpty { return text }
      return ValueFormat.summary(of: value).text
    }
    if let name = state.keys?.store.valueField, let kept = value.field(name) {
      return summary(of: kept)
    }
    return fields.prefix(50).map { "\($0.name): \(summary(of: $0.value))" }.joined(separator: ", ")
  }
}
