extension Screen {
  /// The text of every row, blanks at the end included.
  public var rows: [String] {
    (0..<size.height).map(row)
  }

  /// The text of a row; empty outside the screen.
  public func row(_ y: Int) -> String {
    guard y >= 0, y < size.height else { return "" }
    var text = ""
    for cell in cells[y * size.width..<(y + 1) * size.width] {
      text.unicodeScalars.append(contentsOf: scalars(of: cell))
    }
    return text
  }

  /// A stretch of cells of one row in one style.
  public struct StyleRun: Hashable, Sendable {
    /// The row.
    public let row: Int
    /// The columns.
    public let columns: Range<Int>
    /// How they look.
    public let style: Style
  }

  /// The stretches of one style that are not plain, row after row.
  public var styleRuns: [StyleRun] {
    var runs: [StyleRun] = []
    for y in 0..<size.height {
      var start = 0
      for x in 0..<size.width {
        let style = cells[y * size.width + x].style
        guard x + 1 == size.width || cells[y * size.width + x + 1].style != style else { continue }
        if style != .plain { runs.append(StyleRun(row: y, columns: start..<x + 1, style: style)) }
        start = x + 1
      }
    }
    return runs
  }

  /// The screen as text to compare and to read: rows between bars, cursor and title, then runs.
  ///
  /// Runs are called what `name` says, and left out if it says nil. Without it, the style's
  /// description is written.
  public func snapshot(naming name: ((Style) -> String?)? = nil) -> String {
    var lines = rows.map { "|\($0)|" }
    if let cursor { lines.append("cursor \(cursor.x), \(cursor.y)") }
    if let title { lines.append("title \(Sanitizer.display(title))") }
    for run in styleRuns {
      guard let label = name.map({ $0(run.style) }) ?? run.style.description else { continue }
      lines.append(
        "row \(run.row), \(run.columns.lowerBound)..<\(run.columns.upperBound): \(label)")
    }
    for run in (0..<size.height).flatMap(links(ofRow:)) {
      lines.append(
        "row \(run.row), \(run.columns.lowerBound)..<\(run.columns.upperBound): to "
          + Sanitizer.display(run.address))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Screen: CustomStringConvertible {
  /// The rows between bars.
  public var description: String { rows.map { "|\($0)|" }.joined(separator: "\n") }
}
