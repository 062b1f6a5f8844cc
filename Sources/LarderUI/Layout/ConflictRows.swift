import LarderCore
import TerminalUI

/// The values of a conflict in rows of a width: beside each other where there is room, else below.
struct ConflictRows: Sendable {
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
      case theirs
      case mine
      case mark
    }
  }

  /// A row: pieces from a column of cells on.
  typealias Row = [(x: Int, pieces: [Piece])]

  /// The title of each column and where it begins; none where the values are below each other.
  private(set) var titles: [(x: Int, text: String)] = []
  /// The rows from the top.
  private(set) var rows: [Row] = []
  /// The first row that differs.
  private(set) var firstDifference: Int?

  /// The least width of a column.
  private static let narrowest = 18
  /// The cells for the mark before a line.
  private static let markWidth = 2

  /// Lays values out; columns have titles, and without these the values are below each other.
  init(_ comparison: ConflictComparison, width: Int, hasTitles: Bool) {
    let count = comparison.hasBefore ? 3 : 2
    let columnWidth = (width - (count - 1)) / count
    if hasTitles, columnWidth >= Self.narrowest {
      fillColumns(comparison, columnWidth)
    } else {
      fillLines(comparison, width: max(1, width))
    }
  }

  // MARK: Beside each other

  private mutating func fillColumns(_ comparison: ConflictComparison, _ width: Int) {
    var sides: [(String, String?, Piece.Look, KeyPath<ConflictComparison.Row, Line?>)] = [
      ("theirs", comparison.theirsNote, .theirs, \.theirs),
      ("mine", comparison.mineNote, .mine, \.mine),
    ]
    if comparison.hasBefore {
      sides.insert(("before", comparison.beforeNote, .before, \.before), at: 0)
    }
    titles = sides.enumerated().map { place, side in
      let text = side.0 + (side.1.map { " (\($0))" } ?? "")
      return (place * (width + 1), TextCut.truncated(Sanitizer.display(text), to: width))
    }
    for row in comparison.rows {
      let cells = sides.map { side in
        row[keyPath: side.3].map { line in
          wrapped(line, side.2, mark: Self.mark(line), width: width)
        } ?? []
      }
      if row.isDifferent, firstDifference == nil { firstDifference = rows.count }
      for offset in 0..<(cells.map(\.count).max() ?? 0) {
        rows.append(
          cells.enumerated().compactMap { place, lines in
            lines.indices.contains(offset) ? (place * (width + 1), lines[offset]) : nil
          })
      }
    }
  }

  private typealias Line = ConflictComparison.Line

  /// The mark of a line, which says without colours what differs.
  private static func mark(_ line: Line) -> String {
    switch line.mark {
    case .same: ""
    case .changed: "~"
    case .added: "+"
    }
  }

  // MARK: Below each other

  private mutating func fillLines(_ comparison: ConflictComparison, width: Int) {
    for (mark, note) in [
      ("b", comparison.beforeNote), ("t", comparison.theirsNote), ("m", comparison.mineNote),
    ] {
      guard let note else { continue }
      let line = Line(parts: [DifferencePart("(\(note))")], mark: .same)
      firstDifference = 0
      append(wrapped(line, .before, mark: mark, width: width, markWidth: 3))
    }
    for row in comparison.rows {
      guard row.isDifferent else {
        if let line = row.before ?? row.theirs ?? row.mine {
          append(wrapped(line, .plain, mark: "", width: width, markWidth: 3))
        }
        continue
      }
      firstDifference = firstDifference ?? rows.count
      for (marks, line, look) in Self.versions(row) {
        append(wrapped(line, look, mark: marks, width: width, markWidth: 3))
      }
    }
  }

  private mutating func append(_ lines: [[Piece]]) {
    for line in lines { rows.append([(0, line)]) }
  }

  /// The different lines of a row, with the letters of those that have each.
  private static func versions(
    _ row: ConflictComparison.Row
  ) -> [(String, Line, Piece.Look)] {
    var versions: [(String, Line, Piece.Look)] = []
    for (mark, line, look) in [
      ("b", row.before, Piece.Look.before), ("t", row.theirs, .theirs), ("m", row.mine, .mine),
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
