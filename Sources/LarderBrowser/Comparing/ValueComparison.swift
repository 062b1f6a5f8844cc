import LarderModel
package import LarderFormats

/// A comparison of two values side by side, optionally with their common previous version.
package struct ValueComparison: Sendable, Equatable {
  /// The change of a line compared with the previous version.
  package enum Mark: Sendable, Equatable {
    case same
    case changed
    case added
    /// The line is only in the left of two values.
    case removed
  }

  /// A line of one value.
  package struct Line: Sendable, Equatable {
    package var parts: [DifferencePart]
    package var mark: Mark
    /// The full line, which may be longer than its displayed text.
    private let whole: ComparedLine?

    package init(parts: [DifferencePart], mark: Mark) {
      self.init(parts: parts, mark: mark, whole: nil)
    }

    init(parts: [DifferencePart], mark: Mark, whole: ComparedLine?) {
      self.parts = parts
      self.mark = mark
      self.whole = whole
    }

    /// The line without marks.
    package var text: String { parts.map(\.text).joined() }

    /// Returns whether both lines are equal in full.
    package func isSame(as other: Self) -> Bool {
      whole == other.whole && (whole != nil || text.hasBytes(of: other.text))
    }
  }

  /// A row of corresponding lines; a line is `nil` if its value has none here.
  package struct Row: Sendable, Equatable {
    package var before: Line?
    package var left: Line?
    package var right: Line?
    /// Whether the values differ in this row.
    package var isDifferent: Bool
    /// Whether the row is a note rather than a line of the values.
    package var isNote = false
  }

  /// The rows from top to bottom.
  package private(set) var rows: [Row] = []
  /// The note about the previous value, if any; whether there is such a value is in `hasBefore`.
  package let beforeNote: String?
  /// The note about the left value, such as that it was deleted.
  package let leftNote: String?
  /// The note about the right value.
  package let rightNote: String?
  /// The names of the sides.
  package let names: Names
  /// Whether there is a previous value.
  package let hasBefore: Bool

  /// The number of comparisons within lines that are left for the remaining lines.
  private(set) var comparisons: Int
  /// The number of rows that may still differ, which is negative once it is exceeded.
  private var differing: Int

  /// Compares the values of a conflict, with the stored one on the left and the one to be written
  /// on the right; `nil` values are missing.
  init(
    before valueBefore: StoredValue?, theirs theirValue: StoredValue?, mine myValue: StoredValue?,
    missingMine: String, names: Names = .conflict
  ) {
    let (before, theirs, mine) = ComparedSide.sides(
      before: valueBefore, theirs: theirValue, mine: myValue, missingMine: missingMine)
    let present = [valueBefore, theirValue, myValue].compactMap { $0 }
    self.init(
      before, theirs, mine, names: names, areSame: present.allSatisfy { $0 == present.first },
      .dialog)
  }

  /// Compares any two values.
  ///
  /// - Parameters:
  ///   - left: The first value, or `nil` if it is missing.
  ///   - right: The second value, or `nil` if it is missing.
  ///   - names: The names of the values.
  ///   - forms: The stored forms of the values.
  ///   - isCancelled: Returns whether to end the comparison early because its result is not needed.
  init(
    _ left: StoredValue?, _ right: StoredValue?, names: Names,
    forms: (left: String?, right: String?) = (nil, nil),
    isCancelled: @escaping () -> Bool = { false }
  ) {
    let (_, leftSide, rightSide) = ComparedSide.sides(
      before: nil, theirs: left, mine: right, missingMine: "", .view, isCancelled: isCancelled)
    self.init(
      nil, leftSide.withLines, rightSide.withLines, names: names, areSame: left == right, .view,
      isCancelled: isCancelled)
    if forms.left != forms.right {
      say(Messages.form(forms.left), Messages.form(forms.right))
    }
  }

  /// Joins comparisons one below the other, each under its title if it has one.
  init(joining parts: [(title: String?, comparison: ValueComparison)], names: Names) {
    self.names = names
    (beforeNote, leftNote, rightNote) = (nil, nil, nil)
    hasBefore = false
    comparisons = 0
    differing = ComparisonExtent.view.differing
    for (title, comparison) in parts where rows.count < ComparisonExtent.view.differing {
      if let title { say(title, isDifferent: false) }
      rows += comparison.rows
    }
  }

  private init(
    _ before: ComparedSide?, _ left: ComparedSide, _ right: ComparedSide, names: Names,
    areSame: Bool, _ extent: ComparisonExtent, isCancelled: @escaping () -> Bool = { false }
  ) {
    self.names = names
    comparisons = extent.comparisons
    differing = extent.differing
    beforeNote = before?.note
    leftNote = left.note
    rightNote = right.note
    hasBefore = before != nil
    // Without a previous value, the two values are compared with each other.
    let reference = before?.lines ?? left.lines ?? []
    let sides = [before == nil ? nil : left.lines, right.lines]
    for piece in Piece.cut(reference, sides, isCancelled) {
      if isCancelled() { return }
      append(
        before: before == nil ? [] : piece.reference,
        left: before == nil ? piece.reference : piece.sides[0], right: piece.sides[1],
        lacks: (left.lines == nil, right.lines == nil))
      guard differing >= 0 else {
        say(Messages.tooDifferent)
        return
      }
    }
    sayRests(before, left, right)
    guard !areSame else { return }
    saySpellings([before, left, right].compactMap { $0?.spelling })
    guard !rows.contains(where: \.isDifferent) else { return }
    if let type = left.type, let other = right.type, type != other {
      say(Messages.otherType(type.rawValue, other.rawValue))
    } else {
      say(Messages.differsLater)
    }
  }

  /// Adds a note about the parts that were not compared line by line, and whether they are equal.
  private mutating func sayRests(
    _ before: ComparedSide?, _ left: ComparedSide, _ right: ComparedSide
  ) {
    let present = [before, left, right].compactMap { $0 }.filter { $0.lines != nil }
    guard present.contains(where: { $0.rest != nil }) else { return }
    let isSame = present.allSatisfy { $0.rest?.whole == present.first?.rest?.whole }
    func line(_ side: ComparedSide?) -> Line? {
      guard let side, side.lines != nil else { return nil }
      let text = side.rest?.text ?? Messages.nothingFollows
      return Line(
        parts: [DifferencePart(Messages.rest(text, isSame: isSame))], mark: .same)
    }
    rows.append(
      Row(
        before: line(before), left: line(left), right: line(right), isDifferent: !isSame,
        isNote: true))
  }

  /// Adds a note about differences in formatting, which the lines of a structure do not show.
  private mutating func saySpellings(_ spellings: [ComparedSide.Spelling]) {
    guard spellings.count > 1 else { return }
    if Set(spellings).count > 1 {
      say(Messages.otherSpelling)
    } else if spellings[0] == .other {
      say(Messages.ignoresSpelling, isDifferent: false)
    }
  }

  /// Adds a row with a note.
  private mutating func say(_ text: String, _ right: String? = nil, isDifferent: Bool = true) {
    func line(_ text: String) -> Line { Line(parts: [DifferencePart(text)], mark: .same) }
    rows.append(
      Row(
        before: nil, left: line(text), right: line(right ?? text), isDifferent: isDifferent,
        isNote: true))
  }

  /// Adds corresponding lines, one below the other.
  private mutating func append(
    before: [ComparedLine], left: [ComparedLine], right: [ComparedLine],
    lacks: (left: Bool, right: Bool)
  ) {
    for place in 0..<max(before.count, left.count, right.count) {
      let (b, l, r) = (before.at(place), left.at(place), right.at(place))
      let isDifferent =
        (!lacks.left && !lacks.right && l != r) || (hasBefore && !lacks.left && b != l)
        || (hasBefore && !lacks.right && b != r)
      differing -= isDifferent ? 1 : 0
      guard differing >= 0 else { return }
      var row = Row(isDifferent: isDifferent)
      // Carriage returns are displayed if only some of the lines have them.
      let endings = Set([b, l, r].compactMap { $0.map { $0.text != $0.textWithoutReturn } })
      let showsReturns = endings.count > 1
      if let b { row.before = Line(b, showsReturns) }
      if let l {
        row.left = line(l, against: hasBefore ? b : r, isAlone: lacks.right, showsReturns)
        if !hasBefore, row.left?.mark == .added { row.left?.mark = .removed }
      }
      if let r {
        row.right = line(r, against: hasBefore ? b : l, isAlone: lacks.left, showsReturns)
      }
      if hasBefore, let l, let r, l != r { row.tellApart() }
      rows.append(row)
    }
  }

  private mutating func line(
    _ line: ComparedLine, against other: ComparedLine?, isAlone: Bool, _ showsReturns: Bool
  ) -> Line {
    var shown = Line(line, showsReturns)
    guard let other else {
      // A value without a counterpart is not a difference.
      let isNew = hasBefore || !isAlone
      shown.parts = [DifferencePart(shown.text, isChanged: isNew)]
      shown.mark = isNew ? .added : .same
      return shown
    }
    if line == other { return shown }
    shown.mark = .changed
    let text = Line(other, showsReturns).text
    if shown.text.hasBytes(of: text) {
      let place = line.commonBytes(with: other) + 1
      shown.parts.append(DifferencePart(Messages.differs(fromByte: place), isChanged: true))
    } else {
      shown.parts = LineDifference.parts(
        of: shown.text, against: text, comparisons: &comparisons)
    }
    return shown
  }
}

extension ValueComparison.Row {
  /// Spells out invisible characters if the left and right lines look the same but differ.
  fileprivate mutating func tellApart() {
    guard let left, let right, !left.text.hasBytes(of: right.text),
      InvisibleScalars.seen(of: left.text).hasBytes(of: InvisibleScalars.seen(of: right.text))
    else { return }
    self.left?.spellOutChanges()
    self.right?.spellOutChanges()
  }
}

extension ValueComparison.Line {
  fileprivate mutating func spellOutChanges() {
    for place in parts.indices where parts[place].isChanged {
      parts[place].text = InvisibleScalars.spelledOut(parts[place].text)
    }
  }

  /// Creates an unmarked line, with or without its trailing carriage return.
  fileprivate init(_ line: ComparedLine, _ showsReturn: Bool) {
    self.init(
      parts: [DifferencePart(showsReturn ? line.text : line.textWithoutReturn)], mark: .same,
      whole: line)
  }
}

extension ValueComparison {
  /// The names of the values side by side, and their marks when listed one below the other.
  package struct Names: Sendable, Equatable {
    /// The name of the common previous version.
    package var before = "before"
    package var left: String
    package var right: String
    package var beforeMark = "b"
    package var leftMark: String
    package var rightMark: String
    /// The names for narrow screens, or an empty array to abbreviate the others.
    package var brief: [String] = []

    /// The names of the values in a conflict.
    static let conflict = Names(left: "theirs", right: "mine", leftMark: "t", rightMark: "m")

    /// Returns the names of the values in a refused undo or redo, whose previous version is the one
    /// that the change had left.
    static func replay(isRedo: Bool) -> Names {
      Names(
        before: isRedo ? Messages.asUndoLeft : Messages.asYouLeft, left: Messages.now,
        right: isRedo ? Messages.asRedone : Messages.asUndone, beforeMark: "l", leftMark: "n",
        rightMark: isRedo ? "r" : "u",
        brief: [
          Messages.shortLeft, Messages.now, isRedo ? Messages.shortRedone : Messages.shortUndone,
        ])
    }

    /// Returns names for any two values, with the marks of a unified diff.
    static func two(_ left: String, _ right: String) -> Names {
      Names(left: left, right: right, leftMark: "-", rightMark: "+")
    }
  }
}

extension ValueComparison {
  /// A group of corresponding lines, between lines that are equal on all sides.
  private struct Piece {
    var reference: [ComparedLine]
    var sides: [[ComparedLine]]

    /// Splits lines at those that all sides have in common; a missing side does not prevent a
    /// split.
    static func cut(
      _ reference: [ComparedLine], _ sides: [[ComparedLine]?], _ isCancelled: () -> Bool
    ) -> [Piece] {
      let matches = sides.map { side in
        Dictionary(SequenceDiff.of(reference, side ?? reference, isCancelled)) { first, _ in first }
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

extension [ComparedLine] {
  fileprivate func at(_ place: Int) -> ComparedLine? { indices.contains(place) ? self[place] : nil }
}
