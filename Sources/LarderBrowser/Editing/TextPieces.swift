/// The characters of a text in pieces, so that an edit touches few of them and a copy shares the
/// rest.
package struct TextPieces: Sendable {
  /// The characters, piece after piece; no piece is empty.
  package private(set) var pieces: [[Character]] = []
  /// The number of characters.
  package private(set) var count = 0
  /// How many of the characters begin a new line.
  private(set) var newlines = 0

  /// How many characters a new piece has at most.
  static let length = 1_024

  /// Takes a text apart.
  package init(_ text: String = "") {
    replace(0..<0, with: Array(text))
  }

  /// The text as a whole.
  package var text: String {
    var text = ""
    for piece in pieces { text.append(contentsOf: piece) }
    return text
  }

  /// Some of the characters.
  ///
  /// - Parameter range: Which ones; what lies outside the text is left out.
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

  /// Calls a closure with characters in order.
  ///
  /// - Parameters:
  ///   - start: The index of the first one.
  ///   - body: Takes each with its index, and says whether it wants the next.
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

  /// The last of the characters before an index that something is true of.
  ///
  /// - Returns: Its index, or nil.
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

  /// The first of the characters from an index on that something is true of.
  ///
  /// - Returns: Its index, or nil.
  func firstIndex(from start: Int, where condition: (Character) -> Bool) -> Int? {
    var found: Int?
    visit(from: start) { index, character in
      guard condition(character) else { return true }
      found = index
      return false
    }
    return found
  }

  /// A number of characters at the beginning that are the same in both texts, found without looking
  /// at what they share.
  ///
  /// - Returns: All of them, or some less where the texts are in other pieces: up to the beginning of
  ///   the first piece that differs.
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

  /// Puts other characters in the place of some.
  ///
  /// - Parameters:
  ///   - range: Which ones go; what lies outside the text is left out.
  ///   - characters: What comes in their place.
  mutating func replace(_ range: Range<Int>, with characters: [Character]) {
    let range = range.clamped(to: 0..<count)
    let first = place(of: range.lowerBound)
    var last = place(of: range.upperBound)
    var middle: [Character] = []
    if pieces.indices.contains(first.piece) {
      middle += pieces[first.piece][..<first.offset]
    }
    middle += characters
    // What is left of the last piece, and a neighbour where both together are short.
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

  /// The characters in pieces of about the same length.
  private static func parted(_ characters: [Character]) -> [[Character]] {
    guard characters.count > 2 * length else { return characters.isEmpty ? [] : [characters] }
    return stride(from: 0, to: characters.count, by: length).map {
      Array(characters[$0..<min($0 + length, characters.count)])
    }
  }

  /// The piece that an index lies in, or ends, and where in it.
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
  /// Whether the characters are equal, in whatever pieces.
  package static func == (one: TextPieces, other: TextPieces) -> Bool {
    guard one.count == other.count else { return false }
    return one.pieces == other.pieces
      || one.pieces.lazy.joined().elementsEqual(other.pieces.lazy.joined())
  }
}

extension Character {
  /// Whether a line ends with it.
  package var isLineEnd: Bool { self == "\n" || self == "\r\n" }
}

extension [Character] {
  fileprivate var newlines: Int { reduce(0) { $1.isNewline ? $0 + 1 : $0 } }
}
