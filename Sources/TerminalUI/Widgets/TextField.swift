/// A single-line text field that scrolls horizontally to keep its cursor visible.
///
/// It only draws; the model owns the text and the cursor position.
public struct TextField: Hashable, Sendable {
  /// The whole text.
  public var text: String
  /// The number of characters before the cursor.
  public var cursor: Int
  /// The text shown while the field is empty.
  public var placeholder: String

  /// Creates a field; a cursor position beyond either end of the text is clamped.
  public init(text: String, cursor: Int, placeholder: String = "") {
    self.text = text
    self.cursor = cursor
    self.placeholder = placeholder
  }

  /// Returns the part of the text that is visible in a width, and the number of cells before the
  /// cursor in it.
  ///
  /// One cell is reserved for a cursor after the last character. Only the visible part of the text
  /// is measured.
  public func visible(width: Int) -> (text: String, cursor: Int) {
    guard width > 0 else { return ("", 0) }
    let place =
      text.index(text.startIndex, offsetBy: max(0, cursor), limitedBy: text.endIndex)
      ?? text.endIndex
    let atCursor = place < text.endIndex ? min(width, max(1, TextWidth.of(text[place]))) : 1
    // Show the start of the text if the cursor is visible then.
    let fromStart = TextCut.prefix(text[..<place], width: width - atCursor)
    let before =
      fromStart.endIndex == place
      ? fromStart : TextCut.suffix(text[..<place], width: width - atCursor)
    let shown = TextCut.prefix(text[before.startIndex...], width: width)
    return (String(shown), TextWidth.of(before))
  }

  /// Draws the field and returns the cursor's position, or nil if there is no space.
  public func draw(
    on screen: inout Screen, at point: Point, width: Int, style: Style,
    placeholderStyle: Style? = nil
  ) -> Point? {
    guard width > 0 else { return nil }
    screen.fill(Rect(x: point.x, y: point.y, width: width, height: 1), style: style)
    if text.isEmpty {
      screen.put(
        TextCut.truncated(placeholder, to: width), at: point, style: placeholderStyle ?? style,
        maxWidth: width)
      return screen.bounds.contains(point) ? point : nil
    }
    let visible = visible(width: width)
    screen.put(visible.text, at: point, style: style, maxWidth: width)
    let cursor = Point(x: point.x.saturatingAdding(visible.cursor), y: point.y)
    return screen.bounds.contains(cursor) ? cursor : nil
  }
}
