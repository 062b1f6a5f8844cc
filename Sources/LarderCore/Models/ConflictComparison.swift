/// The values of a conflict beside each other, with what differs marked.
package struct ConflictComparison: Sendable, Equatable {
  /// How a line of one value stands to the line that it was before.
  package enum Mark: Sendable, Equatable {
    case same
    case changed
    case added
  }

  /// A line of one value.
  package struct Line: Sendable, Equatable {
    package var parts: [DifferencePart]
    package var mark: Mark

    package init(parts: [DifferencePart], mark: Mark) {
      self.parts = parts
      self.mark = mark
    }

    /// The line without marks.
    package var text: String { parts.map(\.text).joined() }
  }

  /// Lines that belong together; nil where a value has none here.
  package struct Row: Sendable, Equatable {
    package var before: Line?
    package var theirs: Line?
    package var mine: Line?
    /// Whether not all values have the same here.
    package var isDifferent: Bool
  }

  /// The rows from the top.
  package private(set) var rows: [Row] = []
  /// What is said about the value before, or nil; that there is none is said by `hasBefore`.
  package let beforeNote: String?
  /// What is said about the value in the store, such as that it is deleted.
  package let theirsNote: String?
  /// What is said about the value that was about to be written.
  package let mineNote: String?
  /// Whether there was a value before.
  package let hasBefore: Bool

  /// How many comparisons within lines are left for the lines below.
  private(set) var comparisons = LineDifference.greatestComparisons

  /// Compares values, of which those that are nil are not there.
  init(
    before valueBefore: StoredValue?, theirs theirValue: StoredValue?, mine myValue: StoredValue?,
    missingMine: String
  ) {
    let (before, theirs, mine) = ConflictSide.sides(
      before: valueBefore, theirs: theirValue, mine: myValue, missingMine: missingMine)
    beforeNote = before?.note
    theirsNote = theirs.note
    mineNote = mine.note
    hasBefore = before != nil
    // Without a value before, each of the two others is compared with the other.
    let reference = before?.lines ?? theirs.lines ?? []
    let sides = [before == nil ? nil : theirs.lines, mine.lines]
    for piece in Piece.cut(reference, sides) {
      append(
        before: before == nil ? [] : piece.reference,
        theirs: before == nil ? piece.reference : piece.sides[0], mine: piece.sides[1],
        lacks: (theirs.lines == nil, mine.lines == nil))
    }
    if !rows.contains(where: \.isDifferent), theirValue != myValue {
      let line = Line(
        parts: [DifferencePart("… the values differ behind what is shown here")], mark: .same)
      rows.append(Row(before: nil, theirs: line, mine: line, isDifferent: true))
    }
  }

  /// Adds lines that stand for each other, one below the other.
  private mutating func append(
    before: [ExactText], theirs: [ExactText], mine: [ExactText], lacks: (theirs: Bool, mine: Bool)
  ) {
    for place in 0..<max(before.count, theirs.count, mine.count) {
      let (b, t, m) = (before.at(place), theirs.at(place), mine.at(place))
      let isDifferent =
        (!lacks.theirs && !lacks.mine && t != m) || (hasBefore && !lacks.theirs && b != t)
        || (hasBefore && !lacks.mine && b != m)
      var row = Row(isDifferent: isDifferent)
      if let b { row.before = Line(parts: [DifferencePart(b.text)], mark: .same) }
      if let t { row.theirs = line(t, against: hasBefore ? b : m, isAlone: lacks.mine) }
      if let m { row.mine = line(m, against: hasBefore ? b : t, isAlone: lacks.theirs) }
      rows.append(row)
    }
  }

  private mutating func line(_ line: ExactText, against other: ExactText?, isAlone: Bool) -> Line {
    guard let other else {
      // With nothing to compare it with, a whole value is not a difference.
      let isNew = hasBefore || !isAlone
      return Line(
        parts: [DifferencePart(line.text, isChanged: isNew)], mark: isNew ? .added : .same)
    }
    if line == other { return Line(parts: [DifferencePart(line.text)], mark: .same) }
    return Line(
      parts: LineDifference.parts(
        of: line.text, against: other.text, comparisons: &comparisons), mark: .changed)
  }
}

extension ConflictComparison {
  /// Lines that belong together, as those above and below are the same on all sides.
  private struct Piece {
    var reference: [ExactText]
    var sides: [[ExactText]]

    /// Cuts lines at those that all sides have; a side that is nil has none, and hinders no cut.
    static func cut(_ reference: [ExactText], _ sides: [[ExactText]?]) -> [Piece] {
      let matches = sides.map { side in
        Dictionary(CommonRows.of(reference, side ?? reference)) { first, _ in first }
      }
      let lines = sides.map { $0 ?? [] }
      var pieces: [Piece] = []
      var begin = 0
      var begins = sides.map { _ in 0 }
      for place in reference.indices {
        let found = matches.compactMap { $0[place] }
        guard found.count == sides.count else { continue }
        let ends = zip(sides, found).map { $0 == nil ? 0 : $1 }
        pieces.append(
          Piece(
            reference: Array(reference[begin..<place]),
            sides: lines.indices.map { Array(lines[$0][begins[$0]..<ends[$0]]) }))
        pieces.append(
          Piece(
            reference: [reference[place]],
            sides: sides.map { $0 == nil ? [] : [reference[place]] }))
        begin = place + 1
        begins = zip(sides, ends).map { $0 == nil ? 0 : $1 + 1 }
      }
      pieces.append(
        Piece(
          reference: Array(reference[begin...]),
          sides: lines.indices.map { Array(lines[$0][begins[$0]...]) }))
      return pieces
    }
  }
}

extension [ExactText] {
  fileprivate func at(_ place: Int) -> ExactText? { indices.contains(place) ? self[place] : nil }
}
