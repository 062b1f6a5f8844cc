/// The characters that lines and borders are drawn with.
public struct BorderCharacters: Hashable, Sendable {
  /// The corners, from the top left clockwise.
  public var corners: [Character]
  /// A piece of a line from left to right.
  public var horizontal: Character
  /// A piece of a line from top to bottom.
  public var vertical: Character

  /// Makes a set; corners that are not given are blank.
  public init(corners: [Character], horizontal: Character, vertical: Character) {
    self.corners = corners
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Thin lines with square corners.
  public static let thin = BorderCharacters(
    corners: ["┌", "┐", "┘", "└"], horizontal: "─", vertical: "│")
  /// Thin lines with round corners.
  public static let round = BorderCharacters(
    corners: ["╭", "╮", "╯", "╰"], horizontal: "─", vertical: "│")
  /// Heavy lines.
  public static let heavy = BorderCharacters(
    corners: ["┏", "┓", "┛", "┗"], horizontal: "━", vertical: "┃")
  /// Minus signs, bars and plus signs, for terminals that have nothing else.
  public static let ascii = BorderCharacters(
    corners: ["+", "+", "+", "+"], horizontal: "-", vertical: "|")
}

extension Screen {
  /// Draws a line to the right.
  public mutating func horizontalLine(
    at point: Point, length: Int, style: Style = .plain, character: Character = "─"
  ) {
    fill(Rect(x: point.x, y: point.y, width: length, height: 1), with: character, style: style)
  }

  /// Draws a line downwards.
  public mutating func verticalLine(
    at point: Point, length: Int, style: Style = .plain, character: Character = "│"
  ) {
    fill(Rect(x: point.x, y: point.y, width: 1, height: length), with: character, style: style)
  }

  /// Draws a border along the inner edge of a rectangle, with a title in its top line.
  ///
  /// A rectangle of one row or column gets as much of a border as there is room for. The inside
  /// stays as it was.
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
