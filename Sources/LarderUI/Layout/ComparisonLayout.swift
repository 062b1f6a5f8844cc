import LarderBrowser
import TerminalUI

/// The positions of the parts of a comparison on screen.
///
/// Long values take a while to lay out, so a layout is reused as long as its values are the same.
struct ComparisonLayout: Sendable {
  /// The comparison.
  private let comparison: ValueComparison
  /// Whether equal lines are folded.
  private let isFolded: Bool
  /// The available area.
  private let area: Rect
  /// The rectangle of the comparison.
  let frame: Rect
  /// Whether there is a border, which shows the key hints; otherwise, the last lines of the screen
  /// do.
  let hasBorder: Bool
  /// The line with the heading, inside the border.
  let heading: Rect
  /// The line with the titles of the columns or the meaning of the marks, which is empty if there
  /// are too few rows.
  let titles: Rect
  /// The rectangle of the compared rows.
  let body: Rect
  /// The compared rows.
  let rows: ComparisonRows
  /// The index of the difference to show first.
  private var present = 0

  /// Lays out a conflict.
  init(_ conflict: ConflictModel, in area: Rect) {
    self.init(conflict.comparison, isFolded: false, maximumWidth: 150, in: area)
  }

  /// Lays out a comparison.
  init(_ model: ComparisonModel, in area: Rect) {
    self.init(model.comparison, isFolded: model.isFolded, maximumWidth: .max, in: area)
  }

  /// Lays out a comparison below a list, which provides the border and the heading.
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
    // This includes the heading, the titles, a blank line and the border.
    let height = hasBorder ? min(area.height, rows.count + 5) : area.height
    frame = area.centered(Size(width: width, height: height))
    var inside = hasBorder ? Box.inside(of: frame) : frame
    heading = inside.height > 1 && !isPart ? inside.line(0) : .zero
    inside = inside.inset(top: heading.height)
    if hasBorder { inside = inside.inset(top: 1) }
    titles = hasTitles ? inside.line(0) : .zero
    body = inside.inset(top: titles.height)
  }

  /// Returns whether this is the layout of a conflict in an area, and so can be reused.
  func isOf(_ conflict: ConflictModel, in area: Rect) -> Bool {
    self.area == area && !isFolded && comparison == conflict.comparison
  }

  /// Returns whether this is the layout of a comparison in an area, and so can be reused.
  func isOf(_ model: ComparisonModel, in area: Rect) -> Bool {
    self.area == area && isFolded == model.isFolded && comparison == model.comparison
  }

  /// The maximum scroll offset.
  var maximumScroll: Int { max(0, rows.count - max(1, body.height)) }

  /// The scroll range, and the offset of each difference.
  var scrolling: Viewport.ComparisonScroll {
    .init(
      start: firstScroll, end: maximumScroll,
      differences: rows.differences.map { max(0, min($0 - lead, maximumScroll)) })
  }

  /// Returns the same layout with another difference to show first.
  func showing(_ present: Int) -> ComparisonLayout {
    var layout = self
    layout.present = present
    return layout
  }

  /// The initial scroll offset, which shows the first difference below a line of context, or a
  /// folded row.
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
  /// Returns the rectangle of a line.
  fileprivate func line(_ offset: Int) -> Rect {
    Rect(x: x, y: y + offset, width: width, height: 1)
  }
}
