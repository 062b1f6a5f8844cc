extension Screen {
  /// The text of each row, including trailing blanks.
  public var rows: [String] {
    (0..<size.height).map(row)
  }

  /// Returns the text of a row, or an empty string outside the screen.
  public func row(_ y: Int) -> String {
    guard y >= 0, y < size.height else { return "" }
    var text = ""
    for cell in cells[y * size.width..<(y + 1) * size.width] {
      text.unicodeScalars.append(contentsOf: scalars(of: cell))
    }
    return text
  }

  /// A run of cells in one row with the same style.
  public struct StyleRun: Hashable, Sendable {
    /// The row.
    public let row: Int
    /// The columns.
    public let columns: Range<Int>
    /// The style.
    public let style: Style
  }

  /// The runs that are not in the plain style, row by row.
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

  /// Returns the screen as readable text for comparisons: rows between bars, cursor and title, then
  /// runs.
  ///
  /// Each run is labeled with the result of `name`, or omitted if that is nil. Without `name`, the
  /// label is the style's description.
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
