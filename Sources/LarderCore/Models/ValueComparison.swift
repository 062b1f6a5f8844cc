/// Two values beside each other, or both beside the one that they were before, with what differs
/// marked.
package struct ValueComparison: Sendable, Equatable {
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
    package var left: Line?
    package var right: Line?
    /// Whether not all values have the same here.
    package var isDifferent: Bool
  }

  /// The rows from the top.
  package private(set) var rows: [Row] = []
  /// What is said about the value before, or nil; that there is none is said by `hasBefore`.
  package let beforeNote: String?
  /// What is said about the left value, such as that it is deleted.
  package let leftNote: String?
  /// What is said about the right value.
  package let rightNote: String?
  /// What the sides are called.
  package let names: Names
  /// Whether there was a value before.
  package let hasBefore: Bool

  /// How many comparisons within lines are left for the lines below.
  private(set) var comparisons: Int
  /// How many rows may still differ; negative where one more does.
  private var differing: Int

  /// Compares the values of a conflict, of which those that are nil are not there: on the left what
  /// the store holds, on the right what was about to be written.
  init(
    before valueBefore: StoredValue?, theirs theirValue: StoredValue?, mine myValue: StoredValue?,
    missingMine: String
  ) {
    let (before, theirs, mine) = ComparedSide.sides(
      before: valueBefore, theirs: theirValue, mine: myValue, missingMine: missingMine)
    self.init(before, theirs, mine, names: .conflict, .dialog)
    sayWhereSame(theirValue == myValue)
  }

  /// Compares any two values.
  init(_ left: StoredValue, _ right: StoredValue, names: Names) {
    let (_, leftSide, rightSide) = ComparedSide.sides(
      before: nil, theirs: left, mine: right, missingMine: "", .view)
    self.init(nil, leftSide.withoutNote, rightSide.withoutNote, names: names, .view)
    if left.type != right.type, !rows.contains(where: \.isDifferent) {
      say("… the same as \(left.type.rawValue) on one side and \(right.type.rawValue) on the other")
    }
    sayWhereSame(left == right)
  }

  private init(
    _ before: ComparedSide?, _ left: ComparedSide, _ right: ComparedSide, names: Names,
    _ extent: ComparisonExtent
  ) {
    self.names = names
    comparisons = extent.comparisons
    differing = extent.differing
    beforeNote = before?.note
    leftNote = left.note
    rightNote = right.note
    hasBefore = before != nil
    // Without a value before, each of the two others is compared with the other.
    let reference = before?.lines ?? left.lines ?? []
    let sides = [before == nil ? nil : left.lines, right.lines]
    for piece in Piece.cut(reference, sides) {
      append(
        before: before == nil ? [] : piece.reference,
        left: before == nil ? piece.reference : piece.sides[0], right: piece.sides[1],
        lacks: (left.lines == nil, right.lines == nil))
      guard differing >= 0 else {
        say("… what follows differs too much to be shown")
        return
      }
    }
  }

  /// Says where values that are not the same have no row that differs.
  private mutating func sayWhereSame(_ isSame: Bool) {
    guard !isSame, !rows.contains(where: \.isDifferent) else { return }
    say("… the values differ behind what is shown here")
  }

  /// Adds a row that is no line of the values, but stands for what differs.
  private mutating func say(_ text: String) {
    let line = Line(parts: [DifferencePart(text)], mark: .same)
    rows.append(Row(before: nil, left: line, right: line, isDifferent: true))
  }

  /// Adds lines that stand for each other, one below the other.
  private mutating func append(
    before: [ExactText], left: [ExactText], right: [ExactText], lacks: (left: Bool, right: Bool)
  ) {
    for place in 0..<max(before.count, left.count, right.count) {
      let (b, l, r) = (before.at(place), left.at(place), right.at(place))
      let isDifferent =
        (!lacks.left && !lacks.right && l != r) || (hasBefore && !lacks.left && b != l)
        || (hasBefore && !lacks.right && b != r)
      differing -= isDifferent ? 1 : 0
      guard differing >= 0 else { return }
      var row = Row(isDifferent: isDifferent)
      if let b { row.before = Line(parts: [DifferencePart(b.text)], mark: .same) }
      if let l { row.left = line(l, against: hasBefore ? b : r, isAlone: lacks.right) }
      if let r { row.right = line(r, against: hasBefore ? b : l, isAlone: lacks.left) }
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

extension ValueComparison {
  /// What the two values are called beside each other, and by which mark below each other.
  package struct Names: Sendable, Equatable {
    package var left: String
    package var right: String
    package var leftMark: String
    package var rightMark: String

    /// The names of the values of a conflict.
    static let conflict = Names(left: "theirs", right: "mine", leftMark: "t", rightMark: "m")

    /// The names of any two values, with the marks of a difference of texts.
    static func two(_ left: String, _ right: String) -> Names {
      Names(left: left, right: right, leftMark: "-", rightMark: "+")
    }
  }
}

extension ValueComparison {
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
