import LarderBrowser
import TerminalUI

/// Where the parts of a comparison are on a screen.
///
/// Long values take a while to lay out, so one is kept as long as it is of the same values.
struct ComparisonLayout: Sendable {
  /// What is laid out.
  private let comparison: ValueComparison
  /// Whether lines that are the same are folded.
  private let isFolded: Bool
  /// Where.
  private let area: Rect
  /// All of it.
  let frame: Rect
  /// Whether a border is drawn around it, which holds the keys; else the last lines of the screen do.
  let hasBorder: Bool
  /// The line that says what it is about, inside the border.
  let heading: Rect
  /// The line of the columns' titles, or of what the letters before the lines mean; empty on
  /// screens of few rows.
  let titles: Rect
  /// The rows of the values.
  let body: Rect
  /// The values.
  let rows: ComparisonRows
  /// Which of the differences is shown at first.
  private var present = 0

  /// Lays out the values of a conflict.
  init(_ conflict: ConflictModel, in area: Rect) {
    self.init(conflict.comparison, isFolded: false, maximumWidth: 150, in: area)
  }

  /// Lays out two values.
  init(_ model: ComparisonModel, in area: Rect) {
    self.init(model.comparison, isFolded: model.isFolded, maximumWidth: .max, in: area)
  }

  /// Lays out two values below a list, which has the border and the heading.
  init(_ model: ComparisonModel, below list: Rect) {
    self.init(
      model.comparison, isFolded: model.isFolded, maximumWidth: .max, isPart: true, in: list)
  }

  private init(
    _ comparison: ValueComparison, isFolded: Bool, maximumWidth: Int, isPart: Bool = false,
    in area: Rect
  ) {
    self.comparison = comparison
    self.isFolded = isFolded
    self.area = area
    hasBorder = !isPart && area.height >= 10 && area.width >= 24
    let width = min(maximumWidth, area.width)
    let hasTitles = hasBorder || isPart || area.height >= 8
    rows = ComparisonRows(
      comparison, width: width - (hasBorder ? 4 : 0), hasTitles: hasTitles, isFolded: isFolded)
    // Heading, titles, a blank line and the border.
    let height = hasBorder ? min(area.height, rows.count + 5) : area.height
    frame = area.centered(Size(width: width, height: height))
    var inside = hasBorder ? Box.inside(of: frame) : frame
    heading = inside.height > 1 && !isPart ? inside.line(0) : .zero
    inside = inside.inset(top: heading.height)
    if hasBorder { inside = inside.inset(top: 1) }
    titles = hasTitles ? inside.line(0) : .zero
    body = inside.inset(top: titles.height)
  }

  /// Whether it is the one of a conflict in an area, which then need not be laid out again.
  func isOf(_ conflict: ConflictModel, in area: Rect) -> Bool {
    self.area == area && !isFolded && comparison == conflict.comparison
  }

  /// Whether it is the one of two values in an area.
  func isOf(_ model: ComparisonModel, in area: Rect) -> Bool {
    self.area == area && isFolded == model.isFolded && comparison == model.comparison
  }

  /// How far it can be scrolled.
  var maximumScroll: Int { max(0, rows.count - max(1, body.height)) }

  /// How far it can be scrolled, and to where.
  var scrolling: Viewport.ComparisonScroll {
    .init(
      start: firstScroll, end: maximumScroll,
      differences: rows.differences.map { max(0, min($0 - lead, maximumScroll)) })
  }

  /// The same, showing another of the differences at first.
  func showing(_ present: Int) -> ComparisonLayout {
    var layout = self
    layout.present = present
    return layout
  }

  /// How far it is scrolled at first: to what differs, with a line above it, or what is folded.
  var firstScroll: Int {
    let first =
      rows.differences.indices.contains(present) && present > 0
      ? rows.differences[present] : rows.firstDifference
    return max(0, min((first ?? 0) - lead, maximumScroll))
  }

  private var lead: Int {
    isFolded ? min(ComparisonRows.context + 1, max(1, body.height / 3)) : 1
  }
}

extension ComparisonLayout: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.area == right.area && left.isFolded == right.isFolded
      && left.comparison == right.comparison
  }
}

extension Rect {
  /// A line of the rectangle.
  fileprivate func line(_ offset: Int) -> Rect {
    Rect(x: x, y: y + offset, width: width, height: 1)
  }
}
