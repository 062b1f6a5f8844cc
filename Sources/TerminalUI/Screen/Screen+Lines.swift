/// The characters for lines and borders.
public struct BorderCharacters: Hashable, Sendable {
  /// The corners, clockwise from the top left.
  public var corners: [Character]
  /// The character of horizontal lines.
  public var horizontal: Character
  /// The character of vertical lines.
  public var vertical: Character

  /// Creates a set of characters; missing corners are blank.
  public init(corners: [Character], horizontal: Character, vertical: Character) {
    self.corners = corners
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Thin lines with square corners.
  public static let thin = BorderCharacters(
    corners: ["┌", "┐", "┘", "└"], horizontal: "─", vertical: "│")
  /// Thin lines with rounded corners.
  public static let round = BorderCharacters(
    corners: ["╭", "╮", "╯", "╰"], horizontal: "─", vertical: "│")
  /// Heavy lines.
  public static let heavy = BorderCharacters(
    corners: ["┏", "┓", "┛", "┗"], horizontal: "━", vertical: "┃")
  /// ASCII characters, for terminals without box-drawing characters.
  public static let ascii = BorderCharacters(
    corners: ["+", "+", "+", "+"], horizontal: "-", vertical: "|")
}

extension Screen {
  /// Draws a horizontal line to the right.
  public mutating func horizontalLine(
    at point: Point, length: Int, style: Style = .plain, character: Character = "─"
  ) {
    fill(Rect(x: point.x, y: point.y, width: length, height: 1), with: character, style: style)
  }

  /// Draws a vertical line downwards.
  public mutating func verticalLine(
    at point: Point, length: Int, style: Style = .plain, character: Character = "│"
  ) {
    fill(Rect(x: point.x, y: point.y, width: 1, height: length), with: character, style: style)
  }

  /// Draws a border along the inner edge of a rectangle, with a title in its top line.
  ///
  /// A rectangle with a single row or column gets as much of the border as fits. The interior is
  /// not changed.
  public mutating func border(
    _ rect: Rect, style: Style = .plain, characters: BorderCharacters = .thin,
    title: String = "", titleStyle: Style? = nil
  ) {
    guard !rect.isEmpty else { return }
    let right = rect.maxX - 1
    let bottom = rect.maxY - 1
    for y in [rect.y, bottom] {
      horizontalLine(
        at: Point(x: rect.x, y: y), length: rect.width, style: style,
        character: characters.horizontal)
    }
    for x in [rect.x, right] {
      verticalLine(
        at: Point(x: x, y: rect.y), length: rect.height, style: style,
        character: characters.vertical)
    }
    let places = [(rect.x, rect.y), (right, rect.y), (right, bottom), (rect.x, bottom)]
    for (corner, place) in zip(characters.corners, places) {
      fill(Rect(x: place.0, y: place.1, width: 1, height: 1), with: corner, style: style)
    }
    guard !title.isEmpty, rect.width > 4 else { return }
    let text = " \(TextCut.truncated(title, to: rect.width - 4)) "
    put(
      text, at: Point(x: rect.x + 1, y: rect.y), style: titleStyle ?? style,
      maxWidth: rect.width - 2)
  }
}
