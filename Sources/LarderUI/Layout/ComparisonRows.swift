import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

/// The rows of a comparison, with the values side by side if there is room, or else one below the
/// other.
struct ComparisonRows: Sendable {
  /// A piece of text in a row.
  struct Piece: Equatable, Sendable {
    var text: String
    var look: Look
    /// Whether the text differs.
    var isChanged = false

    /// The origin of the text, which determines its style.
    enum Look: Sendable {
      case plain
      case before
      case left
      case right
      /// The text is only in the left value.
      case removed
      case mark
    }
  }

  /// A row of the screen, with pieces that start at x-coordinates.
  typealias Row = [(x: Int, pieces: [Piece])]

  /// The titles of the columns with their x-coordinates, which are empty if the values are one
  /// below the other.
  private(set) var titles: [(x: Int, text: String)] = []
  /// The number of rows.
  private(set) var count = 0
  /// The first row that differs, or that has a note in place of a value.
  private(set) var firstDifference: Int?
  /// The first row of each run of different rows.
  private(set) var differences: [Int] = []

  private let comparison: ValueComparison
  /// The width of a column, or of the whole row if there are no columns.
  private let width: Int
  private let isInColumns: Bool
  /// The parts from top to bottom, with the first row of each.
  private var parts: [(part: Part, start: Int)] = []

  /// The minimum width of a column.
  private static let narrowest = 18

  /// The number of equal lines that stay visible around differences when the others are folded.
  static let context = 3

  /// Lays out a comparison, in columns only if there is room for their titles.
  ///
  /// If equal lines are folded, each long run of them becomes one row.
  init(_ comparison: ValueComparison, width: Int, hasTitles: Bool, isFolded: Bool = false) {
    self.comparison = comparison
    let count = comparison.hasBefore ? 3 : 2
    let columnWidth = (width - (count - 1)) / count
    isInColumns = hasTitles && columnWidth >= Self.narrowest
    self.width = isInColumns ? columnWidth : max(1, width)
    if isInColumns { setTitles() } else { addNotes() }
    addParts(isFolded: isFolded)
  }

  /// Returns the rows of a range, clamped to the existing rows.
  func rows(_ range: Range<Int>) -> [Row] {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return [] }
    // Find the last part that starts at or before the first row.
    var (low, high) = (0, parts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if parts[middle].start <= range.lowerBound { low = middle } else { high = middle }
    }
    var found: [Row] = []
    for (part, start) in parts[low...] where start < range.upperBound {
      let rows = rows(of: part)
      found += rows[max(0, range.lowerBound - start)..<min(rows.count, range.upperBound - start)]
      if found.count >= range.count { break }
    }
    return found
  }

  // MARK: Parts

  private enum Part {
    /// A row of the comparison.
    case row(Int)
    /// A number of equal rows that are folded.
    case folded(Int)
    /// A note about a value.
    case note(mark: String, String)
  }

  private mutating func add(_ part: Part, height: Int = 1) {
    parts.append((part, count))
    count += height
  }

  private mutating func addParts(isFolded: Bool) {
    let rows = comparison.rows
    var start = 0
    while start < rows.count {
      let first = rows[start]
      let end =
        first.isNote
        ? start + 1
        : rows[start...].firstIndex { $0.isDifferent != first.isDifferent || $0.isNote }
          ?? rows.count
      let before = start == 0 ? 0 : Self.context
      let after = end == rows.count ? 0 : Self.context
      if first.isDifferent {
        differences.append(count)
        firstDifference = firstDifference ?? count
      }
      if isFolded, !first.isDifferent, end - start > before + after + 1 {
        for place in start..<(start + before) { add(.row(place), height: height(rows[place])) }
        add(.folded(end - start - before - after))
        for place in (end - after)..<end { add(.row(place), height: height(rows[place])) }
      } else {
        for place in start..<end { add(.row(place), height: height(rows[place])) }
      }
      start = end
    }
  }

  /// Adds the notes about the values, which are part of the titles if there are columns.
  private mutating func addNotes() {
    for (mark, note) in [
      (comparison.names.beforeMark, comparison.beforeNote),
      (comparison.names.leftMark, comparison.leftNote),
      (comparison.names.rightMark, comparison.rightNote),
    ] {
      guard let note else { continue }
      firstDifference = 0
      add(.note(mark: mark, note), height: wrapping.height(of: Self.line(of: note)))
    }
  }

  private mutating func setTitles() {
    titles = sides.enumerated().map { place, side in
      let text = side.name + (side.note.map { " (\($0))" } ?? "")
      return (place * (width + 1), TextCut.truncated(Sanitizer.display(text), to: width))
    }
  }

  private func height(_ row: ValueComparison.Row) -> Int {
    if isInColumns {
      return sides.map { row[keyPath: $0.line].map { wrapping.height(of: $0) } ?? 0 }.max() ?? 0
    }
    return versions(row).reduce(0) { $0 + wrapping.height(of: $1.line) }
  }

  private func rows(of part: Part) -> [Row] {
    switch part {
    case .row(let place):
      isInColumns ? columns(comparison.rows[place]) : lines(comparison.rows[place])
    case .folded(let count): [folded(count)]
    case .note(let mark, let note):
      Self.rows(wrapping.rows(of: Self.line(of: note), .before, mark: mark))
    }
  }

  private func folded(_ count: Int) -> Row {
    let indent = String(repeating: " ", count: wrapping.markWidth)
    let text = indent + Messages.sameLines(count)
    return [(0, [Piece(text: TextCut.truncated(text, to: width), look: .before)])]
  }

  private static func line(of note: String) -> Line {
    Line(parts: [DifferencePart("(\(note))")], mark: .same)
  }

  private var wrapping: ComparisonWrapping {
    ComparisonWrapping(width: width, markWidth: isInColumns ? 2 : 3)
  }

  // MARK: Beside each other

  private struct Side {
    var name: String
    var note: String?
    var look: Piece.Look
    var line: KeyPath<ValueComparison.Row, Line?>
  }

  private var sides: [Side] {
    let names = comparison.names
    let before = Side(
      name: names.before, note: comparison.beforeNote, look: .before, line: \.before)
    let left = Side(name: names.left, note: comparison.leftNote, look: .left, line: \.left)
    let right = Side(name: names.right, note: comparison.rightNote, look: .right, line: \.right)
    return comparison.hasBefore ? [before, left, right] : [left, right]
  }

  private func columns(_ row: ValueComparison.Row) -> [Row] {
    let cells = sides.map { side in
      row[keyPath: side.line].map { line in
        wrapping.rows(of: line, line.look(side.look), mark: Self.mark(of: line))
      } ?? []
    }
    let height = cells.map(\.count).max() ?? 0
    return (0..<height).map { offset in
      var row: Row = []
      for (place, lines) in cells.enumerated() where lines.indices.contains(offset) {
        row.append((place * (width + 1), lines[offset]))
      }
      return row
    }
  }

  private typealias Line = ValueComparison.Line

  /// Returns the mark of a line, which shows the kind of difference without colors.
  private static func mark(of line: Line) -> String {
    switch line.mark {
    case .same: ""
    case .changed: "~"
    case .added: "+"
    case .removed: "-"
    }
  }

  // MARK: Below each other

  private func lines(_ row: ValueComparison.Row) -> [Row] {
    versions(row).flatMap { version in
      Self.rows(
        wrapping.rows(
          of: version.line, version.line.look(version.look), mark: version.marks))
    }
  }

  private static func rows(_ lines: [[Piece]]) -> [Row] { lines.map { [(0, $0)] } }

  /// Returns the distinct lines of a row with the marks of the values that have each, or a single
  /// unmarked line if all are equal.
  private func versions(
    _ row: ValueComparison.Row
  ) -> [(marks: String, line: Line, look: Piece.Look)] {
    guard row.isDifferent else {
      return (row.before ?? row.left ?? row.right).map { [("", $0, .plain)] } ?? []
    }
    let names = comparison.names
    let all: [(marks: String, line: Line?, look: Piece.Look)] = [
      (names.beforeMark, row.before, .before), (names.leftMark, row.left, .left),
      (names.rightMark, row.right, .right),
    ]
    var versions: [(marks: String, line: Line, look: Piece.Look)] = []
    for (mark, line, look) in all {
      guard let line else { continue }
      if let known = versions.firstIndex(where: { $0.line.isSame(as: line) }) {
        versions[known].marks += mark
      } else {
        versions.append((mark, line, look))
      }
    }
    return versions
  }
}

extension ValueComparison.Line {
  /// Returns the style of the line on a side.
  fileprivate func look(_ side: ComparisonRows.Piece.Look) -> ComparisonRows.Piece.Look {
    mark == .removed ? .removed : side
  }
}
