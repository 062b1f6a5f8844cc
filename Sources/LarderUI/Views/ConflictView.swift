import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws both values of an entry that changed since it was read.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    let area = layout.area
    let inside = drawBox(
      &screen, width: min(100, area.width), height: min(24, area.height),
      title: "Changed by someone else", isDangerous: true)
    guard !inside.isEmpty else { return }
    let key = Sanitizer.display(conflict.title)
    screen.put(
      TextCut.truncated("\(key) is not what was read. Nothing was written.", to: inside.width),
      at: inside.origin, style: theme[.dialog])
    let margin = inside.height >= 10 ? 1 : 0
    let body = inside.inset(left: 0, top: 1 + margin, right: 0, bottom: 1 + margin)
    let mine = lines(conflict.mine, missing: "(delete)")
    let theirs = lines(conflict.theirs?.value, missing: "(deleted)")
    let before = lines(conflict.base, missing: "(no entry)")
    var columns = [
      ("mine", mine, ThemeRole.diffMine, theirs), ("theirs", theirs, .diffTheirs, mine),
    ]
    let isWide = body.width >= 30
    // What it was before is the first to go where there is no room for three.
    if isWide ? body.width >= 48 : body.height >= 9 {
      columns.append(("before", before, .textDim, before))
    }
    let shares = columns.map { _ in Length.share(1) }
    let parts = isWide ? body.columns(shares, spacing: 1) : body.rows(shares)
    for (part, column) in zip(parts, columns) {
      draw(column.0, column.1, role: column.2, against: column.3, in: part, &screen)
    }
    drawAnswers(inside, &screen)
  }

  private func draw(
    _ title: String, _ lines: [String], role: ThemeRole, against others: [String], in rect: Rect,
    _ screen: inout Screen
  ) {
    guard !rect.isEmpty else { return }
    let dialog = theme[.dialog]
    var style = theme[role]
    style.background = dialog.background
    var titleStyle = theme[.dialogTitle]
    titleStyle.background = dialog.background
    screen.put(title, at: rect.origin, style: titleStyle, maxWidth: rect.width)
    for (offset, line) in lines.prefix(max(0, rect.height - 1)).enumerated() {
      let isSame = others.indices.contains(offset) && others[offset] == line && lines != others
      screen.put(
        TextCut.truncated(Sanitizer.display(line), to: rect.width),
        at: Point(x: rect.x, y: rect.y + 1 + offset), style: isSame ? dialog : style)
    }
  }

  private func lines(_ value: StoredValue?, missing: String) -> [String] {
    guard let value else { return [missing] }
    let format = ValueFormat.suitable(for: value).first
    return format?.lines(value, 100, 80).map(\.text) ?? []
  }
}
