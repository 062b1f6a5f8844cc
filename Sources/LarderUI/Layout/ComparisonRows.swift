import LarderModel
import LarderFormats
import LarderBrowser
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
      /// What is on the left only.
      case removed
      case mark
    }
  }

  /// A row: pieces from a column of cells on.
  typealias Row = [(x: Int, pieces: [Piece])]

  /// The title of each column and where it begins; none where the values are below each other.
  private(set) var titles: [(x: Int, text: String)] = []
  /// How many rows there are.
  private(set) var count = 0
  /// The first row that differs, or says what there is instead of a value.
  private(set) var firstDifference: Int?
  /// The first row of each run of those that differ.
  private(set) var differences: [Int] = []

  private let comparison: ValueComparison
  /// The width of a column, or of all where there are none.
  private let width: Int
  private let isInColumns: Bool
  /// What stands below each other, and the first row of each.
  private var parts: [(part: Part, start: Int)] = []

  /// The least width of a column.
  private static let narrowest = 18

  /// How many lines that are the same stay beside what differs, where the others are folded.
  static let context = 3

  /// Finds out where each line is; columns have titles, and without these the values are below each
  /// other.
  ///
  /// Long runs of lines that are the same are one row where they are folded.
  init(_ comparison: ValueComparison, width: Int, hasTitles: Bool, isFolded: Bool = false) {
    self.comparison = comparison
    let count = comparison.hasBefore ? 3 : 2
    let columnWidth = (width - (count - 1)) / count
    isInColumns = hasTitles && columnWidth >= Self.narrowest
    self.width = isInColumns ? columnWidth : max(1, width)
    if isInColumns { setTitles() } else { addNotes() }
    addParts(isFolded: isFolded)
  }

  /// The rows of a range that is clamped to those there are.
  func rows(_ range: Range<Int>) -> [Row] {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return [] }
    // The last part that begins at the first row, or before it.
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
    /// As many rows that are the same.
    case folded(Int)
    /// What there is to say about a value.
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

  /// What there is to say about the values where there are no titles for it.
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
    let text = indent + "⋯ \(Thousands.text(count)) lines are the same"
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

  /// The mark of a line, which says without colours what differs.
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

  /// The different lines of a row, with the letters of those that have each; the line itself where
  /// all have it.
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
  /// How the line looks on a side.
  fileprivate func look(_ side: ComparisonRows.Piece.Look) -> ComparisonRows.Piece.Look {
    mark == .removed ? .removed : side
  }
}
