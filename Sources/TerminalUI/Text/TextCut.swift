/// Truncates and pads text to a width in cells.
///
/// Each function reads only as much text as necessary. Truncating at the start or in the middle
/// reads the end too, but no function measures the whole of a long text.
public enum TextCut {
  /// The part of a text that is omitted if it is too long.
  public enum Side: Sendable {
    /// The start: `…ending`.
    case start
    /// The middle: `begin…ding`.
    case middle
    /// The end: `beginni…`.
    case end
  }

  /// Returns the text, truncated with a mark if it is too wide.
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

  /// Returns the longest prefix of a text that fits into a width.
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

  /// Returns the longest suffix of a text that fits into a width.
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

  /// Returns the text padded with blanks to a width, or truncated if it is wider.
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

  /// The alignment of padded text.
  public enum Alignment: Sendable {
    /// Left-aligned.
    case left
    /// Centered.
    case center
    /// Right-aligned.
    case right
  }
}
