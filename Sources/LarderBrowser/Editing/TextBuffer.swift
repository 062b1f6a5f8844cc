import LarderModel

/// An editable text with a cursor between two characters.
///
/// Lines end in line feeds. Every edit can be undone, up to a limit.
package struct TextBuffer: Sendable, Equatable {
  /// The characters.
  package private(set) var pieces: TextPieces
  /// The number of characters before the cursor.
  package private(set) var cursor: Int
  private var past: [Step] = []
  private var future: [Step] = []
  /// Whether the next change may be merged with the last one, as nothing happened in between.
  private var isRunning = false

  /// A change that can be both undone and redone.
  private struct Step: Sendable, Equatable {
    /// The index of the first changed character.
    var place: Int
    var removed: [Character]
    var inserted: [Character]
    /// The position of the cursor before the change.
    var cursor: Int
    var kind: Kind

    /// The kind of change, which determines whether successive changes may be merged.
    enum Kind: Sendable {
      case typing, erasing, other
    }
  }

  /// The maximum number of changes that can be undone.
  private static let depth = 200

  /// Creates a buffer with the cursor at the end of the text.
  package init(_ text: String = "") {
    pieces = TextPieces(text)
    cursor = pieces.count
  }

  /// The current text.
  package var text: String { pieces.text }

  /// The number of characters.
  package var count: Int { pieces.count }

  /// The characters in one array, which takes time proportional to their number.
  package var characters: [Character] { pieces.characters(in: 0..<count) }

  /// Whether the text has more than one line.
  package var hasLines: Bool { pieces.newlines > 0 }

  /// The lines, at least one, without their line feeds.
  package var lines: [Substring] {
    text.split(omittingEmptySubsequences: false) { $0.isLineEnd }
  }

  /// The line and the column, in characters, of the cursor.
  package var position: (line: Int, column: Int) {
    var line = 0
    pieces.visit(from: 0) { index, character in
      guard index < cursor else { return false }
      if character.isLineEnd { line += 1 }
      return true
    }
    return (line, cursor - lineStart)
  }

  /// Applies an edit or a cursor movement.
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

  /// Replaces the whole text as one undoable change and moves the cursor to the end.
  package mutating func replaceAll(with text: String) {
    guard !text.hasBytes(of: self.text) else { return }
    change(0..<count, to: Array(text), kind: .other)
  }

  private mutating func insert(_ text: String) {
    // Successive letters are one change; a paste, a line feed or a deletion starts another.
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

  /// Records a change for undo, merged with the last one if both are of the same kind.
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

/// An edit or a cursor movement in a text.
package enum TextEdit: Sendable, Equatable {
  case insert(String)
  case deleteBackward, deleteForward, deleteWordBackward, deleteToLineStart, deleteToLineEnd
  case left, right, wordLeft, wordRight, lineStart, lineEnd, up, down
  case undo, redo
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
