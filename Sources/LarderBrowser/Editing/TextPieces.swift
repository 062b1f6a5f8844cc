/// The characters of a text, stored in pieces so that an edit touches few of them and copies share
/// the rest.
package struct TextPieces: Sendable {
  /// The nonempty pieces, in order.
  package private(set) var pieces: [[Character]] = []
  /// The number of characters.
  package private(set) var count = 0
  /// The number of line breaks.
  private(set) var newlines = 0

  /// The maximum number of characters in a new piece.
  static let length = 1_024

  /// Creates pieces from a text.
  package init(_ text: String = "") {
    replace(0..<0, with: Array(text))
  }

  /// The whole text.
  package var text: String {
    var text = ""
    for piece in pieces { text.append(contentsOf: piece) }
    return text
  }

  /// Returns the characters in a range.
  ///
  /// - Parameter range: The range, which is clamped to the text.
  /// - Returns: The characters.
  package func characters(in range: Range<Int>) -> [Character] {
    var characters: [Character] = []
    visit(from: range.lowerBound) { index, character in
      guard index < range.upperBound else { return false }
      characters.append(character)
      return true
    }
    return characters
  }

  /// Calls a closure with each character in order.
  ///
  /// - Parameters:
  ///   - start: The index of the first character.
  ///   - body: A closure that gets a character and its index, and returns whether to continue.
  package func visit(from start: Int, _ body: (Int, Character) -> Bool) {
    var (number, offset) = place(of: start)
    var index = max(0, start)
    while pieces.indices.contains(number) {
      for character in pieces[number][offset...] {
        guard body(index, character) else { return }
        index += 1
      }
      number += 1
      offset = 0
    }
  }

  /// Returns the index of the last character before `end` that satisfies a condition.
  ///
  /// - Returns: The index, or `nil` if there is no such character.
  func lastIndex(before end: Int, where condition: (Character) -> Bool) -> Int? {
    var (number, offset) = place(of: end)
    var first = min(end, count) - offset
    while number >= 0 {
      if pieces.indices.contains(number),
        let found = pieces[number][..<offset].lastIndex(where: condition)
      {
        return first + found
      }
      number -= 1
      guard pieces.indices.contains(number) else { break }
      offset = pieces[number].count
      first -= offset
    }
    return nil
  }

  /// Returns the index of the first character from `start` on that satisfies a condition.
  ///
  /// - Returns: The index, or `nil` if there is no such character.
  func firstIndex(from start: Int, where condition: (Character) -> Bool) -> Int? {
    var found: Int?
    visit(from: start) { index, character in
      guard condition(character) else { return true }
      found = index
      return false
    }
    return found
  }

  /// Returns a length that the two texts' common prefix has at least, without comparing pieces that
  /// they share.
  ///
  /// - Returns: The exact length, or a lower bound if the texts are divided differently: up to the
  ///   start of the first piece that differs.
  package func commonCount(with other: TextPieces) -> Int {
    var common = 0
    for (mine, theirs) in zip(pieces, other.pieces) {
      if mine == theirs {
        common += mine.count
        continue
      }
      for (one, another) in zip(mine, theirs) {
        guard one == another else { return common }
        common += 1
      }
      return common
    }
    return common
  }

  /// Replaces the characters in a range.
  ///
  /// - Parameters:
  ///   - range: The range, which is clamped to the text.
  ///   - characters: The new characters.
  mutating func replace(_ range: Range<Int>, with characters: [Character]) {
    let range = range.clamped(to: 0..<count)
    let first = place(of: range.lowerBound)
    var last = place(of: range.upperBound)
    var middle: [Character] = []
    if pieces.indices.contains(first.piece) {
      middle += pieces[first.piece][..<first.offset]
    }
    middle += characters
    // Merge the rest of the last piece, and the next piece if the result is short.
    if pieces.indices.contains(last.piece) { middle += pieces[last.piece][last.offset...] }
    if middle.count < Self.length / 4, pieces.indices.contains(last.piece + 1) {
      last.piece += 1
      middle += pieces[last.piece]
    }
    let places = first.piece..<min(pieces.count, last.piece + 1)
    let before = pieces[places].reduce(0) { $0 + $1.newlines }
    pieces.replaceSubrange(places, with: Self.parted(middle))
    count += characters.count - range.count
    newlines += middle.newlines - before
  }

  /// Splits characters into pieces of about the same length.
  private static func parted(_ characters: [Character]) -> [[Character]] {
    guard characters.count > 2 * length else { return characters.isEmpty ? [] : [characters] }
    return stride(from: 0, to: characters.count, by: length).map {
      Array(characters[$0..<min($0 + length, characters.count)])
    }
  }

  /// Returns the piece that contains an index, or ends at it, and the offset within that piece.
  private func place(of index: Int) -> (piece: Int, offset: Int) {
    var rest = max(0, min(index, count))
    for (number, piece) in pieces.enumerated() {
      if rest < piece.count || number == pieces.count - 1 { return (number, rest) }
      rest -= piece.count
    }
    return (0, 0)
  }
}

extension TextPieces: Equatable {
  /// Compares the characters, regardless of how they are divided into pieces.
  package static func == (one: TextPieces, other: TextPieces) -> Bool {
    guard one.count == other.count else { return false }
    return one.pieces == other.pieces
      || one.pieces.lazy.joined().elementsEqual(other.pieces.lazy.joined())
  }
}

extension Character {
  /// Whether the character ends a line.
  package var isLineEnd: Bool { self == "\n" || self == "\r\n" }
}

extension [Character] {
  fileprivate var newlines: Int { reduce(0) { $1.isLineEnd ? $0 + 1 : $0 } }
}
