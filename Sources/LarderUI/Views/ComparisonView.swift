import LarderModel
import LarderBrowser
import TerminalUI

/// The heading of a comparison.
struct ComparisonHeading {
  /// The title in the border.
  var title: String
  /// Whether the user must answer a question.
  var isDanger = false
  /// The full text.
  var long: String
  /// The short text for narrow screens.
  var short: String

  var role: ThemeRole { isDanger ? .dialogDanger : .dialogTitle }
}

extension BrowserView {
  /// Draws a comparison of two values.
  func draw(_ model: ComparisonModel, _ screen: inout Screen) {
    guard let parts = layout.comparison else { return }
    let count = parts.rows.differences.count
    let says =
      model.areSame
      ? LarderBrowser.Messages.sameValues
      : Messages.difference(min(model.present, max(0, count - 1)) + 1, of: count)
    draw(
      model.comparison, parts, scroll: model.scroll,
      heading: ComparisonHeading(
        title: Messages.compare, long: "\(Sanitizer.display(model.title)): \(says)", short: says),
      &screen)
  }

  /// Draws compared values.
  func draw(
    _ comparison: ValueComparison, _ parts: ComparisonLayout, scroll wanted: Int?,
    heading: ComparisonHeading, _ screen: inout Screen
  ) {
    if parts.hasBorder {
      _ = drawBox(
        &screen, in: parts.frame, title: heading.title, isDanger: heading.isDanger)
    } else {
      screen.fill(parts.frame, style: theme[.dialog])
    }
    let scroll = max(0, min(wanted ?? parts.firstScroll, parts.maximumScroll))
    draw(heading, parts, scroll: scroll, &screen)
    drawTitles(comparison, parts, &screen)
    for (offset, row) in parts.rows.rows(scroll..<(scroll + parts.body.height)).enumerated() {
      for (x, pieces) in row {
        let runs = pieces.map { TextRun($0.text, style: style(of: $0)) }
        screen.put(
          runs, at: Point(x: parts.body.x + x, y: parts.body.y + offset),
          maxWidth: max(0, parts.body.width - x))
      }
    }
  }

  private func draw(
    _ heading: ComparisonHeading, _ parts: ComparisonLayout, scroll: Int, _ screen: inout Screen
  ) {
    guard !parts.heading.isEmpty else { return }
    let isNarrow = parts.heading.width < 40
    let count = parts.rows.count
    let end = min(count, scroll + parts.body.height)
    var place = isNarrow ? "\(end)/\(count)" : Messages.position(scroll..<end, of: count)
    if parts.maximumScroll == 0 { place = "" }
    let room = parts.heading.width - (place.isEmpty ? 0 : TextWidth.of(place) + 2)
    let isNoted = !place.isEmpty && room >= 8
    let text = isNarrow ? heading.short : heading.long
    screen.put(
      TextCut.truncated(text, to: isNoted ? room : parts.heading.width), at: parts.heading.origin,
      style: theme[parts.hasBorder ? .dialog : heading.role])
    if isNoted {
      screen.put(
        place, at: Point(x: parts.heading.maxX - TextWidth.of(place), y: parts.heading.y),
        style: theme[.textDim].on(theme[.dialog].background))
    }
  }

  private func drawTitles(
    _ comparison: ValueComparison, _ parts: ComparisonLayout, _ screen: inout Screen
  ) {
    guard !parts.titles.isEmpty else { return }
    let style = theme[.dialogTitle].on(theme[.dialog].background)
    var titles = parts.rows.titles
    if titles.isEmpty {
      titles = [(0, Self.marks(of: comparison, width: parts.titles.width))]
    }
    for (x, text) in titles {
      screen.put(
        text, at: Point(x: parts.titles.x + x, y: parts.titles.y), style: style,
        maxWidth: max(0, parts.titles.width - x))
    }
  }

  /// Returns a legend for the marks before lines, abbreviated or cut if there is not enough room.
  private static func marks(of comparison: ValueComparison, width: Int) -> String {
    let names = comparison.names
    var marks = comparison.hasBefore ? [(names.beforeMark, names.before)] : []
    marks += [(names.leftMark, names.left), (names.rightMark, names.right)]
    let whole = marks.map { "\($0) \(Sanitizer.display($1))" }
    let brief = zip(marks, names.brief).map { "\($0.0) \($1)" }
    let texts = [whole, comparison.hasBefore ? brief : []].filter { !$0.isEmpty }
    let fitting = texts.map { $0.joined(separator: ", ") }.first { TextWidth.of($0) <= width }
    if let fitting { return fitting }
    let room = max(3, (width - (whole.count - 1) * 2) / whole.count)
    return whole.map { TextCut.truncated($0, to: room) }.joined(separator: ", ")
  }

  /// Returns the style of a piece; differences are reversed, which is visible without colors and on
  /// spaces.
  private func style(of piece: ComparisonRows.Piece) -> Style {
    let ground = theme[.dialog].background
    let style =
      switch piece.look {
      case .plain: theme[.dialog]
      case .mark: theme[.dialogTitle].on(ground)
      case .before: theme[.textDim].on(ground)
      case .left: piece.isChanged ? theme[.diffTheirs].on(ground) : theme[.dialog]
      case .removed: theme[.messageError].on(ground)
      case .right: piece.isChanged ? theme[.diffMine].on(ground) : theme[.dialog]
      }
    return piece.isChanged ? style.adding(.reverse) : style
  }

  /// Draws the key hints of a comparison without a border in the last lines of the screen, unless a
  /// message is there.
  func drawAnswersBelow(_ screen: inout Screen) {
    guard state.message == nil, state.overlay?.list == nil, let parts = layout.comparison,
      !parts.hasBorder
    else {
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
