/// The content of one cell, or of two for a wide character: a base scalar and its combining marks.
///
/// A character becomes one or more of these, in such a way that all terminals agree about columns:
///
/// - An emoji sequence joined by U+200D is drawn as its members side by side, without skin tones;
///   different families remain distinguishable.
/// - Variation selectors are omitted, and the base retains the width that it has without them.
/// - A flag is drawn as its two regional indicators, one cell each, which many terminals join
///   again.
/// - Parts of a character that take up space, as in Indic scripts, get separate cells.
/// - Only the first four combining marks are retained, as a terminal cell holds five scalars.
/// - Anything that must not reach the terminal is escaped: see ``Sanitizer``.
struct CellText: Hashable {
  /// The scalars, base first.
  var scalars: [Unicode.Scalar]
  /// The width in cells, 1 or 2.
  var width: Int

  /// The maximum number of scalars in a cell.
  static let capacity = 5

  /// Returns the cells of a character, from left to right.
  static func cells(of character: Character) -> [CellText] {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.count == 1 {
      return cells(ofLone: first)
    }
    var cells: [CellText] = []
    // Marks do not combine with escapes.
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

  /// Returns the cells of a character with a single scalar.
  private static func cells(ofLone scalar: Unicode.Scalar) -> [CellText] {
    let width = TextWidth.of(scalar)
    if width == 0 || Sanitizer.mustEscape(scalar, after: nil) { return escapeCells(scalar) }
    return [CellText(scalars: [scalar], width: width)]
  }

  /// Returns the cells of a scalar's escape.
  private static func escapeCells(_ scalar: Unicode.Scalar) -> [CellText] {
    Sanitizer.escape(scalar).unicodeScalars.map { CellText(scalars: [$0], width: 1) }
  }

  /// Whether a scalar only modifies the appearance of others in ways that differ between terminals.
  private static func isDropped(_ scalar: Unicode.Scalar, after base: Unicode.Scalar?) -> Bool {
    switch scalar.value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0xE0020...0xE007F: base != nil
    case 0x1F3FB...0x1F3FF: base?.properties.isEmojiModifierBase ?? false
    default: false
    }
  }

  /// Returns the number of cells of printable ASCII text without decoding it; nil for other text.
  static func plainCount(_ text: some StringProtocol) -> Int? {
    // Contiguous bytes are faster to read directly.
    if let count = text.utf8.withContiguousStorageIfAvailable({ bytes in
      bytes.allSatisfy(isPlain) ? bytes.count : nil
    }) {
      return count
    }
    return text.utf8.allSatisfy(isPlain) ? text.utf8.count : nil
  }

  /// Returns the number of cells of the start of a text, which exceeds `width` if the text is
  /// wider; nil if a byte that matters is not printable ASCII.
  static func plainCount(_ text: some StringProtocol, upTo width: Int) -> Int? {
    guard width >= 0 else { return nil }
    let count: Int?? = text.utf8.withContiguousStorageIfAvailable { bytes in
      // The next byte matters too: it may be a combining mark.
      let head = bytes.prefix(width.saturatingAdding(1))
      return head.allSatisfy(isPlain) ? head.count : nil
    }
    return count ?? nil
  }

  /// Whether a byte is a printable ASCII character.
  static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
}
