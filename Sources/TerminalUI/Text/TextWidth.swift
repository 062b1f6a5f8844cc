/// How many cells text takes on the screen.
///
/// Terminals differ about emoji sequences. What is drawn here is cut down until they all agree:
/// see ``CellText``. These widths are of what is drawn, so columns line up in every terminal.
public enum TextWidth {
  /// The cells of one scalar: 0 if it joins the cell before it, else 1 or 2.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if value < 0x1100 { return WidthTable.contains(value, in: WidthTable.zero) ? 0 : 1 }
    if WidthTable.contains(value, in: WidthTable.double) { return 2 }
    return WidthTable.contains(value, in: WidthTable.zero) ? 0 : 1
  }

  /// The cells of what is drawn for a character, escapes included: `"é"` 1, `"日"` 2, a newline 1
  /// (as `␊`).
  public static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.count == 1, !Sanitizer.mustEscape(first, after: nil) {
      let width = of(first)
      if width > 0 { return width }
    }
    return CellText.cells(of: character).reduce(0) { $0 + $1.width }
  }

  /// The cells of what is drawn for a text, escapes included.
  ///
  /// Reads the whole text; for one that may be long use ``TextWindow`` or ``fits(_:in:)``.
  public static func of(_ text: some StringProtocol) -> Int {
    if let count = CellText.plainCount(text) { return count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Whether a text takes at most so many cells; stops reading once it does not.
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
