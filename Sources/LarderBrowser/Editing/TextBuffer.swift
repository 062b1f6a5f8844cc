import LarderModel

/// Text that is being typed, with a cursor between two characters.
///
/// Lines end in line feeds. Every edit can be undone until the buffer goes.
package struct TextBuffer: Sendable, Equatable {
  /// The characters.
  package private(set) var pieces: TextPieces
  /// The number of characters before the cursor.
  package private(set) var cursor: Int
  private var past: [Step] = []
  private var future: [Step] = []
  /// Whether the next change may be one step with the last: nothing was done in between.
  private var isRunning = false

  /// One change, from which both the text before and the text after it can be made.
  private struct Step: Sendable, Equatable {
    /// Where the change begins.
    var place: Int
    var removed: [Character]
    var inserted: [Character]
    /// Where the cursor was before.
    var cursor: Int
    var kind: Kind

    /// What later changes of the same kind can be one step with.
    enum Kind: Sendable {
      case typing, erasing, other
    }
  }

  /// The maximum number of steps that can be undone.
  private static let depth = 200

  /// Creates a buffer with the cursor behind the text.
  package init(_ text: String = "") {
    pieces = TextPieces(text)
    cursor = pieces.count
  }

  /// The text as it stands.
  package var text: String { pieces.text }

  /// The number of characters.
  package var count: Int { pieces.count }

  /// The characters in one array, which takes the longer the more there are.
  package var characters: [Character] { pieces.characters(in: 0..<count) }

  /// Whether the text has several lines.
  package var hasLines: Bool { pieces.newlines > 0 }

  /// The lines, without their line feeds; at least one.
  package var lines: [Substring] {
    text.split(omittingEmptySubsequences: false) { $0.isLineEnd }
  }

  /// The line and the column in characters that the cursor is at.
  package var position: (line: Int, column: Int) {
    var line = 0
    pieces.visit(from: 0) { index, character in
      guard index < cursor else { return false }
      if character.isLineEnd { line += 1 }
      return true
    }
    return (line, cursor - lineStart)
  }

  /// Carries out one edit or movement.
  package mutating func apply(_ edit: TextEdit) {
    switch edit {
    case .insert(let text): insert(text)
    case .deleteBackward: delete(cursor - 1..<cursor)
    case .deleteForward: delete(cursor..<cursor + 1)
    case .deleteWordBackward: delete(wordStart..<cursor)
    case .deleteToLineStart: delete(lineStart..<cursor)
    case .deleteToLineEnd: delete(cursor..<lineEnd)
    case .left: move(to: cursor - 1)
    case .right: move(to: cursor + 1)
    case .wordLeft: move(to: wordStart)
    case .wordRight: move(to: wordEnd)
    case .lineStart: move(to: lineStart)
    case .lineEnd: move(to: lineEnd)
    case .up: moveLine(by: -1)
    case .down: moveLine(by: 1)
    case .undo: undo()
    case .redo: redo()
    }
  }

  /// Puts another text in the place of the whole, as one step, with the cursor at its end.
  package mutating func replaceAll(with text: String) {
    guard !text.hasBytes(of: self.text) else { return }
    change(0..<count, to: Array(text), kind: .other)
  }

  private mutating func insert(_ text: String) {
    // A run of typed letters is one step; a paste, a line feed or a deletion begins another.
    let isLetter = text.count == 1 && text != "\n"
    change(cursor..<cursor, to: Array(text), kind: isLetter ? .typing : .other)
  }

  private mutating func delete(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return }
    let isOneBack = range.count == 1 && range.upperBound == cursor
    change(range, to: [], kind: isOneBack ? .erasing : .other)
  }

  private mutating func change(
    _ range: Range<Int>, to inserted: [Character], kind: Step.Kind
  ) {
    let removed = pieces.characters(in: range)
    pieces.replace(range, with: inserted)
    remember(
      Step(
        place: range.lowerBound, removed: removed, inserted: inserted, cursor: cursor, kind: kind))
    cursor = range.lowerBound + inserted.count
    future = []
    isRunning = true
  }

  /// Keeps a change for undoing, as one with the last where both are a run of the same kind.
  private mutating func remember(_ step: Step) {
    if isRunning, step.kind != .other, var last = past.last, last.kind == step.kind {
      switch step.kind {
      case .typing: last.inserted += step.inserted
      case .erasing:
        last.place = step.place
        last.removed = step.removed + last.removed
      case .other: break
      }
      past[past.count - 1] = last
      return
    }
    past.append(step)
    if past.count > Self.depth { past.removeFirst() }
  }

  private mutating func undo() {
    guard let step = past.popLast() else { return }
    pieces.replace(step.place..<step.place + step.inserted.count, with: step.removed)
    cursor = step.cursor
    future.append(step)
    isRunning = false
  }

  private mutating func redo() {
    guard let step = future.popLast() else { return }
    pieces.replace(step.place..<step.place + step.removed.count, with: step.inserted)
    cursor = step.place + step.inserted.count
    past.append(step)
    isRunning = false
  }

  private mutating func move(to place: Int) {
    cursor = max(0, min(place, count))
    isRunning = false
  }

  private mutating func moveLine(by lines: Int) {
    let column = cursor - lineStart
    if lines < 0 {
      guard lineStart > 0 else { return move(to: 0) }
      cursor = lineStart - 1
      move(to: min(lineStart + column, cursor))
    } else {
      guard lineEnd < count else { return move(to: count) }
      cursor = lineEnd + 1
      move(to: min(cursor + column, lineEnd))
    }
  }

  private var lineStart: Int {
    pieces.lastIndex(before: cursor) { $0.isLineEnd }.map { $0 + 1 } ?? 0
  }

  private var lineEnd: Int {
    pieces.firstIndex(from: cursor) { $0.isLineEnd } ?? count
  }

  private var wordStart: Int {
    guard let last = pieces.lastIndex(before: cursor, where: \.isWordPart) else { return 0 }
    return pieces.lastIndex(before: last) { !$0.isWordPart }.map { $0 + 1 } ?? 0
  }

  private var wordEnd: Int {
    guard let first = pieces.firstIndex(from: cursor, where: \.isWordPart) else { return count }
    return pieces.firstIndex(from: first) { !$0.isWordPart } ?? count
  }
}

/// One thing that a key does to text that is being typed.
package enum TextEdit: Sendable, Equatable {
  case insert(String)
  case deleteBackward, deleteForward, deleteWordBackward, deleteToLineStart, deleteToLineEnd
  case left, right, wordLeft, wordRight, lineStart, lineEnd, up, down
  case undo, redo
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
