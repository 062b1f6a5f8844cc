import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws what lies over the panes.
  func drawOverlay(_ screen: inout Screen) {
    switch state.overlay {
    case .help(let scroll): drawHelp(scroll: scroll, &screen)
    case .editor(let editor): drawEditor(editor, &screen)
    case .confirm(let confirm): draw(confirm, &screen)
    case .conflict(let conflict): draw(conflict, &screen)
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
    guard rect.width > 4, rect.height > 2 else { return rect }
    screen.border(
      rect, style: theme[.dialog], characters: .thin,
      title: TextCut.truncated(title, to: rect.width - 4),
      titleStyle: theme[isDangerous ? .dialogDanger : .dialogTitle])
    return rect.inset(left: 2, top: 1, right: 2, bottom: 1)
  }

  private func draw(_ confirm: ConfirmModel, _ screen: inout Screen) {
    let width = min(70, max(20, layout.area.width - 4))
    let key = TextCut.truncated(Sanitizer.display(confirm.title), to: 200, from: .middle)
    let value = confirm.base.value.map { ValueFormat.summary(of: $0).text } ?? ""
    let question = TextWrap.lines("Delete \(key) from \(confirm.place)?", width: width - 4)
    let inside = drawBox(
      &screen, width: width, height: question.count + 5, title: "Delete", isDangerous: true)
    var y = inside.y
    for line in question where y < inside.maxY {
      screen.put(line, at: Point(x: inside.x, y: y), style: theme[.dialog], maxWidth: inside.width)
      y += 1
    }
    var dim = theme[.textDim]
    dim.background = theme[.dialog].background
    if y < inside.maxY {
      screen.put(
        TextCut.truncated(Sanitizer.display(String(value.prefix(400))), to: inside.width),
        at: Point(x: inside.x, y: y), style: dim, maxWidth: inside.width)
    }
    drawAnswers(confirm.deleting == nil ? "y delete   n keep" : "deleting…", inside, &screen)
  }

  /// The keys that answer a box, on its last line.
  func drawAnswers(_ text: String, _ inside: Rect, _ screen: inout Screen) {
    guard inside.height > 1 else { return }
    var style = theme[.hintsKey]
    style.background = theme[.dialog].background
    screen.put(
      text, at: Point(x: inside.x, y: inside.maxY - 1), style: style, maxWidth: inside.width)
  }
}
