/// The width of text on the screen, in cells.
///
/// Terminals differ in how they draw emoji sequences, so these are simplified until all terminals
/// agree: see ``CellText``. The widths are those of the simplified text, so columns line up in
/// every terminal.
public enum TextWidth {
  /// Returns the width of a scalar: 0 if it combines with the preceding cell, otherwise 1 or 2.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if value < 0x1100 { return WidthTable.contains(value, in: WidthTable.zero) ? 0 : 1 }
    if WidthTable.contains(value, in: WidthTable.double) { return 2 }
    return WidthTable.contains(value, in: WidthTable.zero) ? 0 : 1
  }

  /// Returns the width of a character as drawn, including escapes: `"é"` 1, `"日"` 2, a newline 1
  /// (as `␊`).
  public static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.count == 1, !Sanitizer.mustEscape(first, after: nil) {
      let width = of(first)
      if width > 0 { return width }
    }
    return CellText.cells(of: character).reduce(0) { $0 + $1.width }
  }

  /// Returns the width of a text as drawn, including escapes.
  ///
  /// Reads the whole text; use ``TextWindow`` or ``fits(_:in:)`` for long texts.
  public static func of(_ text: some StringProtocol) -> Int {
    if let count = CellText.plainCount(text) { return count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Whether a text fits into a width; stops reading once it does not.
  public static func fits(_ text: some StringProtocol, in width: Int) -> Bool {
    if let count = CellText.plainCount(text, upTo: width) { return count <= width }
    var room = width
    for character in text {
      room -= of(character)
      if room < 0 { return false }
    }
    return room >= 0
  }
}
