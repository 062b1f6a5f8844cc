/// Cuts and fills text to a number of cells.
///
/// Each function reads only as much of the text as it needs, except that cutting at the start or
/// in the middle has to look at the end too; none walks a long text to its end to learn its width.
public enum TextCut {
  /// The side of a text that gives way when it is too long.
  public enum Side: Sendable {
    /// The beginning: `…ending`.
    case start
    /// The middle: `begin…ding`.
    case middle
    /// The end: `beginni…`.
    case end
  }

  /// The text, or as much of it as fits with a mark where something is missing.
  public static func truncated(
    _ text: some StringProtocol, to width: Int, mark: String = "…", from side: Side = .end
  ) -> String {
    guard width > 0 else { return "" }
    if TextWidth.fits(text, in: width) { return String(text) }
    let markWidth = TextWidth.of(mark)
    guard markWidth <= width else { return String(prefix(text, width: width)) }
    let room = width - markWidth
    switch side {
    case .end: return String(prefix(text, width: room)) + mark
    case .start: return mark + String(suffix(text, width: room))
    case .middle:
      let head = prefix(text, width: room - room / 2)
      return String(head) + mark + String(suffix(text, width: room / 2))
    }
  }

  /// The beginning of a text that fits into so many cells.
  public static func prefix<Text: StringProtocol>(
    _ text: Text, width: Int
  ) -> Text.SubSequence {
    if let count = CellText.plainCount(text, upTo: width) {
      return text[..<text.utf8.index(text.startIndex, offsetBy: min(count, width))]
    }
    var room = width
    var end = text.startIndex
    while end < text.endIndex {
      room -= TextWidth.of(text[end])
      guard room >= 0 else { break }
      end = text.index(after: end)
    }
    return text[..<end]
  }

  /// The end of a text that fits into so many cells.
  public static func suffix<Text: StringProtocol>(
    _ text: Text, width: Int
  ) -> Text.SubSequence {
    var room = width
    var start = text.endIndex
    while start > text.startIndex {
      let previous = text.index(before: start)
      room -= TextWidth.of(text[previous])
      guard room >= 0 else { break }
      start = previous
    }
    return text[start...]
  }

  /// The text with blanks around it until it fills so many cells; longer text is cut off.
  public static func padded(
    _ text: some StringProtocol, to width: Int, alignment: Alignment = .left
  ) -> String {
    let text = truncated(text, to: width)
    let room = max(0, width - TextWidth.of(text))
    let before =
      switch alignment {
      case .left: 0
      case .center: room / 2
      case .right: room
      }
    return String(repeating: " ", count: before) + text
      + String(repeating: " ", count: room - before)
  }

  /// Where text stands in the room it has.
  public enum Alignment: Sendable {
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
  }
}
