import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws the values of an entry that changed since it was read.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    guard let parts = layout.conflict else { return }
    screen.fill(parts.frame, style: theme[.dialog])
    if parts.hasBorder {
      screen.border(
        parts.frame, style: theme[.dialog], characters: .thin,
        title: TextCut.truncated("Changed by someone else", to: parts.frame.width - 4),
        titleStyle: theme[.dialogDanger])
    }
    let scroll = max(0, min(conflict.scroll ?? parts.firstScroll, parts.greatestScroll))
    drawHeading(conflict, parts, scroll: scroll, &screen)
    drawTitles(conflict.comparison, parts, &screen)
    for (offset, row) in parts.rows.rows.dropFirst(scroll).prefix(parts.body.height).enumerated() {
      for (x, pieces) in row {
        let runs = pieces.map { TextRun($0.text, style: style(of: $0)) }
        screen.put(
          runs, at: Point(x: parts.body.x + x, y: parts.body.y + offset),
          maxWidth: max(0, parts.body.width - x))
      }
    }
    drawConflictAnswers(parts, &screen)
  }

  private func drawHeading(
    _ conflict: ConflictModel, _ parts: ConflictLayout, scroll: Int, _ screen: inout Screen
  ) {
    guard !parts.heading.isEmpty else { return }
    let key = Sanitizer.display(conflict.title)
    let isNarrow = parts.heading.width < 40
    let count = parts.rows.rows.count
    let end = min(count, scroll + parts.body.height)
    var place = isNarrow ? "\(end)/\(count)" : "\(scroll + 1)–\(end) of \(count)"
    if parts.greatestScroll == 0 { place = "" }
    let room = parts.heading.width - (place.isEmpty ? 0 : TextWidth.of(place) + 2)
    let isNoted = !place.isEmpty && room >= 8
    let text =
      isNarrow ? "\(key) was changed" : "\(key) is not what was read. Nothing was written."
    screen.put(
      TextCut.truncated(text, to: isNoted ? room : parts.heading.width), at: parts.heading.origin,
      style: theme[parts.hasBorder ? .dialog : .dialogDanger])
    if isNoted {
      screen.put(
        place, at: Point(x: parts.heading.maxX - TextWidth.of(place), y: parts.heading.y),
        style: theme[.textDim].on(theme[.dialog].background))
    }
  }

  private func drawTitles(
    _ comparison: ConflictComparison, _ parts: ConflictLayout, _ screen: inout Screen
  ) {
    guard !parts.titles.isEmpty else { return }
    let style = theme[.dialogTitle].on(theme[.dialog].background)
    var titles = parts.rows.titles
    if titles.isEmpty {
      titles = [(0, (comparison.hasBefore ? "b before, " : "") + "t theirs, m mine")]
    }
    for (x, text) in titles {
      screen.put(
        text, at: Point(x: parts.titles.x + x, y: parts.titles.y), style: style,
        maxWidth: max(0, parts.titles.width - x))
    }
  }

  /// What differs is reversed, which is seen without colours and on blanks too.
  private func style(of piece: ConflictRows.Piece) -> Style {
    let ground = theme[.dialog].background
    let style =
      switch piece.look {
      case .plain: theme[.dialog]
      case .mark: theme[.dialogTitle].on(ground)
      case .before: theme[.textDim].on(ground)
      case .theirs: piece.isChanged ? theme[.diffTheirs].on(ground) : theme[.dialog]
      case .mine: piece.isChanged ? theme[.diffMine].on(ground) : theme[.dialog]
      }
    return piece.isChanged ? style.adding(.reverse) : style
  }

  /// The keys that answer, inside the border.
  private func drawConflictAnswers(_ parts: ConflictLayout, _ screen: inout Screen) {
    guard !parts.answers.isEmpty else { return }
    let hints = Hints.current(state)
    let ground = theme[.dialog].background
    let isWide = HintLine(hints).fitting(width: parts.answers.width).count == hints.count
    HintLine(isWide ? hints : Hints.short(hints)).draw(
      on: &screen, at: parts.answers.origin, width: parts.answers.width,
      keyStyle: theme[.hintsKey].on(ground), labelStyle: theme[.textDim].on(ground))
  }

  /// The keys that answer a conflict on a screen too small for them to be inside a border: in its
  /// last lines, unless something is said there.
  func drawAnswersBelow(_ screen: inout Screen) {
    guard state.message == nil, let conflict = layout.conflict, conflict.answers.isEmpty else {
      return
    }
    var rest = Hints.short(Hints.current(state))[...]
    for line in [layout.status, layout.bottom] where !line.isEmpty {
      screen.fill(line, style: theme[.hints])
      let hints = HintLine(Array(rest))
      hints.draw(
        on: &screen, at: Point(x: line.x + 1, y: line.y), width: line.width - 2,
        keyStyle: theme[.hintsKey], labelStyle: theme[.hints])
      rest = rest.dropFirst(hints.fitting(width: line.width - 2).count)
    }
  }
}
