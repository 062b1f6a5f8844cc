/// What one cell, or two for a wide character, shows: a base scalar and the marks that join it.
///
/// A character of a text becomes one or more of these so that every terminal agrees about columns:
///
/// - an emoji sequence joined by U+200D is drawn as its members side by side, without skin tones, so
///   that a family is told from another one;
/// - variation selectors are left out, and the base keeps the width it has without them;
/// - a flag is drawn as its two regional indicators, a cell each, which many terminals join again;
/// - parts of a character that take room of their own (as in Indic scripts) get cells of their own;
/// - of many combining marks the first four are kept, as a terminal cell holds five scalars;
/// - what must not reach the terminal is spelled out: see ``Sanitizer``.
struct CellText: Hashable {
  /// The scalars, the base first.
  var scalars: [Unicode.Scalar]
  /// How many cells it takes, 1 or 2.
  var width: Int

  /// The number of scalars that a cell holds.
  static let capacity = 5

  /// The cells that a character is drawn in, from left to right.
  static func cells(of character: Character) -> [CellText] {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.count == 1 {
      return cells(ofLone: first)
    }
    var cells: [CellText] = []
    // Nothing joins what is spelled out.
    var canJoin = false
    for scalar in scalars {
      let base = canJoin ? cells.last?.scalars.first : nil
      if Sanitizer.mustEscape(scalar, after: base) {
        cells += escapeCells(scalar)
        canJoin = false
        continue
      }
      if scalar.value == 0x200D { continue }
      if isDropped(scalar, after: base) { continue }
      let width = TextWidth.of(scalar)
      if width > 0 {
        cells.append(CellText(scalars: [scalar], width: width))
        canJoin = true
      } else if canJoin, var last = cells.popLast() {
        if last.scalars.count < capacity { last.scalars.append(scalar) }
        cells.append(last)
      } else {
        cells += escapeCells(scalar)
      }
    }
    return cells
  }

  /// The cells of a character of one scalar.
  private static func cells(ofLone scalar: Unicode.Scalar) -> [CellText] {
    let width = TextWidth.of(scalar)
    if width == 0 || Sanitizer.mustEscape(scalar, after: nil) { return escapeCells(scalar) }
    return [CellText(scalars: [scalar], width: width)]
  }

  /// The cells of a scalar's escape.
  private static func escapeCells(_ scalar: Unicode.Scalar) -> [CellText] {
    Sanitizer.escape(scalar).unicodeScalars.map { CellText(scalars: [$0], width: 1) }
  }

  /// Whether a scalar only changes how others look, in ways that terminals disagree about.
  private static func isDropped(_ scalar: Unicode.Scalar, after base: Unicode.Scalar?) -> Bool {
    switch scalar.value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0xE0020...0xE007F: base != nil
    case 0x1F3FB...0x1F3FF: base?.properties.isEmojiModifierBase ?? false
    default: false
    }
  }

  /// The number of cells of a text that is printable ASCII only, found without decoding it; nil
  /// for any other text.
  static func plainCount(_ text: some StringProtocol) -> Int? {
    // Bytes that lie in a row are read without asking the text for each of them.
    if let count = text.utf8.withContiguousStorageIfAvailable({ bytes in
      bytes.allSatisfy(isPlain) ? bytes.count : nil
    }) {
      return count
    }
    return text.utf8.allSatisfy(isPlain) ? text.utf8.count : nil
  }

  /// The same for the beginning of a text: more than the width where it takes more cells; nil
  /// where one of the bytes that decide it is not printable ASCII.
  static func plainCount(_ text: some StringProtocol, upTo width: Int) -> Int? {
    guard width >= 0 else { return nil }
    let count: Int?? = text.utf8.withContiguousStorageIfAvailable { bytes in
      // What follows may join the last character.
      let head = bytes.prefix(width.saturatingAdding(1))
      return head.allSatisfy(isPlain) ? head.count : nil
    }
    return count ?? nil
  }

  /// Whether a byte is a printable character of ASCII.
  static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
}
