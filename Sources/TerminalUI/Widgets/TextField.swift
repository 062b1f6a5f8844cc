/// A line to type into, which scrolls sideways to keep its cursor in sight.
///
/// It draws; the text and the place of the cursor belong to the model.
public struct TextField: Hashable, Sendable {
  /// The whole text.
  public var text: String
  /// How many characters are before the cursor.
  public var cursor: Int
  /// What is shown dimly while there is no text.
  public var placeholder: String

  /// Makes a field; a cursor beyond an end of the text stands at that end.
  public init(text: String, cursor: Int, placeholder: String = "") {
    self.text = text
    self.cursor = cursor
    self.placeholder = placeholder
  }

  /// The part of the text that is visible in so many cells, and how many cells are before the
  /// cursor in it.
  ///
  /// One cell is kept for a cursor behind the last character. Only so much of the text is measured
  /// as fits.
  public func visible(width: Int) -> (text: String, cursor: Int) {
    guard width > 0 else { return ("", 0) }
    let place =
      text.index(text.startIndex, offsetBy: max(0, cursor), limitedBy: text.endIndex)
      ?? text.endIndex
    let atCursor = place < text.endIndex ? min(width, max(1, TextWidth.of(text[place]))) : 1
    // From the beginning, if the cursor is in sight then.
    let fromStart = TextCut.prefix(text[..<place], width: width - atCursor)
    let before =
      fromStart.endIndex == place
      ? fromStart : TextCut.suffix(text[..<place], width: width - atCursor)
    let shown = TextCut.prefix(text[before.startIndex...], width: width)
    return (String(shown), TextWidth.of(before))
  }

  /// Draws the field over so many cells and returns where the cursor stands; nil without room.
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
