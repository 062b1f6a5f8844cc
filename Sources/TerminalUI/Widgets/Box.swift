/// A frame with rounded corners, a title in its top line, and a note and key hints in its bottom
/// line.
public struct Box: Hashable, Sendable {
  /// The styles of a box.
  public struct Look: Hashable, Sendable {
    /// The interior and its text.
    public var style: Style
    /// The title.
    public var title: Style
    /// The border.
    public var border: Style
    /// The keys in the bottom line.
    public var key: Style
    /// The labels of the keys, and the note.
    public var label: Style

    /// Creates a look from the styles of its parts.
    public init(style: Style, title: Style, border: Style, key: Style, label: Style) {
      self.style = style
      self.title = title
      self.border = border
      self.key = key
      self.label = label
    }

    /// Creates the look of boxes in a theme, with a warning style if `isDanger` is true.
    public init(theme: Theme, isDanger: Bool = false) {
      let style = theme[.dialog]
      self.init(
        style: style,
        title: theme[isDanger ? .dialogDanger : .dialogTitle],
        border: theme[isDanger ? .dialogDanger : .borderFocused].on(style.background),
        key: theme[.hintsKey].on(style.background), label: theme[.textDim].on(style.background))
    }
  }

  /// The title in the top line.
  public var title: String
  /// The text at the left of the bottom line, shown only if the key hints leave enough space.
  public var note: String
  /// The key hints at the right of the bottom line.
  public var hints: HintLine

  /// Creates a box.
  public init(title: String, note: String = "", hints: HintLine = HintLine([])) {
    self.title = title
    self.note = note
    self.hints = hints
  }

  /// Returns the interior of a frame.
  public static func inside(of frame: Rect) -> Rect {
    frame.inset(left: 2, top: 1, right: 2, bottom: 1)
  }

  /// Returns the rectangle of the key hints.
  private func hintRect(in frame: Rect) -> Rect {
    let room = max(0, frame.width - 4)
    let width = min(room, hints.width(in: room))
    return Rect(x: frame.maxX - 2 - width, y: frame.maxY - 1, width: width, height: 1)
  }

  /// Returns the key hint at a point when the box is drawn in a frame, or nil if there is none.
  public func hint(at point: Point, in frame: Rect) -> HintLine.Hint? {
    let rect = hintRect(in: frame)
    guard rect.contains(point) else { return nil }
    return hints.hint(at: point.x - rect.x, width: rect.width)
  }

  /// Draws the box and returns its interior.
  @discardableResult
  public func draw(on screen: inout Screen, in frame: Rect, look: Look) -> Rect {
    screen.fill(frame, style: look.style)
    screen.border(
      frame, style: look.border, characters: .round, title: title, titleStyle: look.title)
    let rect = hintRect(in: frame)
    if !rect.isEmpty {
      screen.fill(
        Rect(x: rect.x - 1, y: rect.y, width: rect.width + 2, height: 1), style: look.label)
      hints.draw(
        on: &screen, at: rect.origin, width: rect.width, keyStyle: look.key,
        labelStyle: look.label)
    }
    let room = rect.x - frame.x - 4 - (rect.isEmpty ? 0 : 2)
    if !note.isEmpty, TextWidth.of(note) <= room {
      screen.put(
        " \(note) ", at: Point(x: frame.x + 2, y: frame.maxY - 1), style: look.label)
    }
    return Self.inside(of: frame)
  }
}
