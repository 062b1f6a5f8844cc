import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws what lies over the panes.
  func drawOverlay(_ screen: inout Screen) {
    if state.overlay?.list == nil { draw(state.shownList, &screen) }
    draw(state.overlay, &screen)
  }

  private func draw(_ overlay: Overlay?, _ screen: inout Screen) {
    switch overlay {
    case .help(let scroll): drawHelp(scroll: scroll, &screen)
    case .messages(let scroll): drawMessages(scroll: scroll, &screen)
    case .editor(let editor): drawEditor(editor, &screen)
    case .confirm(let confirm): draw(confirm, &screen)
    case .conflict(let conflict): draw(conflict, &screen)
    case .comparison(let model): draw(model, &screen)
    case .overview(let model): draw(model, &screen)
    case .details(let details): draw(details, &screen)
    case .history(let model): draw(model, &screen)
    case .differences(let model): draw(model, &screen)
    case .changes(let model): draw(model, &screen)
    case .prompt, nil: break
    }
  }

  /// A box in the middle of the panes, with a border and a title; returns its inside.
  func drawBox(
    _ screen: inout Screen, width: Int, height: Int, title: String, isDangerous: Bool = false
  ) -> Rect {
    let area = layout.area
    let rect = area.centered(
      Size(width: min(width, area.width), height: min(height, area.height)))
    screen.fill(rect, style: theme[.dialog])
    guard layout.hasBoxBorder else { return rect }
    screen.border(
      rect, style: theme[.dialog], characters: .thin,
      title: TextCut.truncated(title, to: rect.width - 4),
      titleStyle: theme[isDangerous ? .dialogDanger : .dialogTitle])
    return rect.inset(left: 2, top: 1, right: 2, bottom: 1)
  }

  /// Says below a box, or at the end of its last line, how many lines follow.
  func drawMore(_ count: Int, below inside: Rect, _ screen: inout Screen) {
    guard count > 0, layout.hasBoxBorder || inside.width >= 16 else { return }
    let text = TextCut.truncated(" … \(count) more ", to: inside.width)
    screen.put(
      text,
      at: Point(
        x: inside.maxX - TextWidth.of(text), y: inside.maxY - (layout.hasBoxBorder ? 0 : 1)),
      style: theme[.textDim].on(theme[.dialog].background))
  }

  private func draw(_ confirm: ConfirmModel, _ screen: inout Screen) {
    dialog(confirm).draw(
      on: &screen, in: layout.area, look: Dialog.Look(theme: theme, isDanger: true))
  }

  /// The question whether something is to be deleted.
  func dialog(_ confirm: ConfirmModel) -> Dialog {
    let width = min(72, max(20, layout.area.width - 4))
    let key = TextCut.truncated(Sanitizer.display(confirm.title), to: 200, from: .middle)
    var question = TextWrap.lines("Delete \(key) from \(confirm.place)?", width: width - 4)
    // What goes is said before where it goes from.
    if question.count > max(1, Dialog.room(in: layout.area, hasHints: true)) {
      let room = width - 4 - TextWidth.of("Delete ? …")
      question = ["Delete \(TextCut.truncated(key, to: room, from: .middle))?"]
    }
    let value = TextCut.truncated(Sanitizer.display(summary(of: confirm)), to: width - 4)
    let dim = theme[.textDim].on(theme[.dialog].background)
    let answers = confirm.deleting == nil ? Hints.current(state) : []
    let rest = [
      confirm.selected.map { "All of the entry goes, and not only \(Sanitizer.display($0))." },
      confirm.doubt.map { "Note that \(Sanitizer.display($0))." },
    ].compactMap(\.self).flatMap { TextWrap.lines($0, width: width - 4) }
    return Dialog(
      title: confirm.deleting == nil ? "Delete" : "Deleting…",
      lines: (question + rest).map { [TextRun($0, style: theme[.dialog])] }
        + [[TextRun(value, style: dim)]],
      hints: answers, maxWidth: width)
  }

  /// What would be deleted, on one line: the value, or the keys that are marked.
  private func summary(of confirm: ConfirmModel) -> String {
    guard confirm.marked.isEmpty else {
      let style = state.keys?.store.keyStyle ?? .typed
      return confirm.marked.prefix(20).map { KeyText.display($0, style) }.joined(separator: ", ")
    }
    if state.keys?.store.hidesValues == true { return "A secret cannot be brought back." }
    guard let value = confirm.deletedValue else { return "" }
    return String(summary(of: value).prefix(400))
  }

  /// A value on one line: of a row, the value that it is kept for, or all of its columns.
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
