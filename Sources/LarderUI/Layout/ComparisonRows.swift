import LarderCore
import TerminalUI

/// Values that are compared, in rows of a width: beside each other where there is room, else below.
struct ComparisonRows: Sendable {
  /// Text in a row.
  struct Piece: Equatable, Sendable {
    var text: String
    var look: Look
    /// Whether it is what differs.
    var isChanged = false

    /// Whose text it is.
    enum Look: Sendable {
      case plain
      case before
      case left
      case right
      case mark
    }
  }

  /// A row: pieces from a column of cells on.
  typealias Row = [(x: Int, pieces: [Piece])]

  /// The title of each column and where it begins; none where the values are below each other.
  private(set) var titles: [(x: Int, text: String)] = []
  /// The rows from the top.
  private(set) var rows: [Row] = []
  /// The first row that differs, or says what there is instead of a value.
  private(set) var firstDifference: Int?
  /// The first row of each run of those that differ.
  private(set) var differences: [Int] = []

  /// The least width of a column.
  private static let narrowest = 18
  /// The cells for the mark before a line.
  private static let markWidth = 2

  /// How many lines that are the same stay beside what differs, where the others are folded.
  static let context = 3

  /// Lays values out; columns have titles, and without these the values are below each other.
  ///
  /// Long runs of lines that are the same are one row where they are folded.
  init(_ comparison: ValueComparison, width: Int, hasTitles: Bool, isFolded: Bool = false) {
    let parts = Self.parts(of: comparison.rows, isFolded: isFolded)
    let count = comparison.hasBefore ? 3 : 2
    let columnWidth = (width - (count - 1)) / count
    if hasTitles, columnWidth >= Self.narrowest {
      fillColumns(comparison, parts, columnWidth)
    } else {
      fillLines(comparison, parts, width: max(1, width))
    }
  }

  // MARK: Folding

  private enum Part {
    /// A row, and whether those that differ begin with it.
    case row(ValueComparison.Row, isFirst: Bool)
    /// As many rows that are the same.
    case folded(Int)
  }

  private static func parts(of rows: [ValueComparison.Row], isFolded: Bool) -> [Part] {
    var parts: [Part] = []
    var start = 0
    while start < rows.count {
      let isDifferent = rows[start].isDifferent
      let end = rows[start...].firstIndex { $0.isDifferent != isDifferent } ?? rows.count
      let before = start == 0 ? 0 : context
      let after = end == rows.count ? 0 : context
      if isFolded, !isDifferent, end - start > before + after + 1 {
        parts += rows[start..<(start + before)].map { .row($0, isFirst: false) }
        parts.append(.folded(end - start - before - after))
        parts += rows[(end - after)..<end].map { .row($0, isFirst: false) }
      } else {
        parts += (start..<end).map { .row(rows[$0], isFirst: isDifferent && $0 == start) }
      }
      start = end
    }
    return parts
  }

  private mutating func append(folded part: Part, indent: Int, width: Int) {
    guard case .folded(let count) = part else { return }
    let text =
      String(repeating: " ", count: indent) + "⋯ \(Thousands.text(count)) lines are the same"
    rows.append([(0, [Piece(text: TextCut.truncated(text, to: width), look: .before)])])
  }

  private mutating func noteDifference() {
    differences.append(rows.count)
    firstDifference = firstDifference ?? rows.count
  }

  // MARK: Beside each other

  private mutating func fillColumns(
    _ comparison: ValueComparison, _ parts: [Part], _ width: Int
  ) {
    var sides: [(String, String?, Piece.Look, KeyPath<ValueComparison.Row, Line?>)] = [
      (comparison.names.left, comparison.leftNote, .left, \.left),
      (comparison.names.right, comparison.rightNote, .right, \.right),
    ]
    if comparison.hasBefore {
      sides.insert(("before", comparison.beforeNote, .before, \.before), at: 0)
    }
    titles = sides.enumerated().map { place, side in
      let text = side.0 + (side.1.map { " (\($0))" } ?? "")
      return (place * (width + 1), TextCut.truncated(Sanitizer.display(text), to: width))
    }
    for part in parts {
      guard case .row(let row, let isFirst) = part else {
        append(folded: part, indent: Self.markWidth, width: width)
        continue
      }
      let cells = sides.map { side in
        row[keyPath: side.3].map { line in
          wrapped(line, side.2, mark: Self.mark(line), width: width)
        } ?? []
      }
      if isFirst { noteDifference() }
      for offset in 0..<(cells.map(\.count).max() ?? 0) {
        rows.append(
          cells.enumerated().compactMap { place, lines in
            lines.indices.contains(offset) ? (place * (width + 1), lines[offset]) : nil
          })
      }
    }
  }

  private typealias Line = ValueComparison.Line

  /// The mark of a line, which says without colours what differs.
  private static func mark(_ line: Line) -> String {
    switch line.mark {
    case .same: ""
    case .changed: "~"
    case .added: "+"
    }
  }

  // MARK: Below each other

  private mutating func fillLines(
    _ comparison: ValueComparison, _ parts: [Part], width: Int
  ) {
    for (mark, note) in [
      ("b", comparison.beforeNote), (comparison.names.leftMark, comparison.leftNote),
      (comparison.names.rightMark, comparison.rightNote),
    ] {
      guard let note else { continue }
      let line = Line(parts: [DifferencePart("(\(note))")], mark: .same)
      firstDifference = 0
      append(wrapped(line, .before, mark: mark, width: width, markWidth: 3))
    }
    for part in parts {
      guard case .row(let row, let isFirst) = part else {
        append(folded: part, indent: 3, width: width)
        continue
      }
      guard row.isDifferent else {
        if let line = row.before ?? row.left ?? row.right {
          append(wrapped(line, .plain, mark: "", width: width, markWidth: 3))
        }
        continue
      }
      if isFirst { noteDifference() }
      for (marks, line, look) in Self.versions(row, comparison.names) {
        append(wrapped(line, look, mark: marks, width: width, markWidth: 3))
      }
    }
  }

  private mutating func append(_ lines: [[Piece]]) {
    for line in lines { rows.append([(0, line)]) }
  }

  /// The different lines of a row, with the letters of those that have each.
  private static func versions(
    _ row: ValueComparison.Row, _ names: ValueComparison.Names
  ) -> [(String, Line, Piece.Look)] {
    var versions: [(String, Line, Piece.Look)] = []
    for (mark, line, look) in [
      ("b", row.before, Piece.Look.before), (names.leftMark, row.left, .left),
      (names.rightMark, row.right, .right),
    ] {
      guard let line else { continue }
      let known = versions.firstIndex { $0.1.text.hasBytes(of: line.text) }
      if let known {
        versions[known].0 += mark
      } else {
        versions.append((mark, line, look))
      }
    }
    return versions
  }

  // MARK: Wrapping

  /// A line in rows, with its mark before the first.
  private func wrapped(
    _ line: Line, _ look: Piece.Look, mark: String, width: Int, markWidth: Int = Self.markWidth
  ) -> [[Piece]] {
    let room = max(1, width - markWidth)
    let blank = Piece(text: String(repeating: " ", count: markWidth), look: .mark)
    let first = mark + String(repeating: " ", count: max(0, markWidth - mark.count))
    var rows = [[Piece(text: first, look: .mark)]]
    var left = room
    for part in line.parts {
      var text = Sanitizer.display(part.text)[...]
      while !text.isEmpty {
        var piece = TextCut.prefix(text, width: left)
        if piece.isEmpty, left == room { piece = text.prefix(1) }
        if !piece.isEmpty {
          rows[rows.count - 1].append(
            Piece(text: String(piece), look: look, isChanged: part.isChanged))
        }
        left -= TextWidth.of(piece)
        text = text[piece.endIndex...]
        guard !text.isEmpty else { break }
        rows.append([blank])
        left = room
      }
    }
    return rows
  }
}
