/// A box in the middle of the screen with a title, some lines and a line of keys.
///
/// At any size it shows what fits, and the keys before the text.
public struct Dialog: Hashable, Sendable {
  /// How a dialog looks.
  public struct Look: Hashable, Sendable {
    /// The box and its text.
    public var style: Style
    /// The title.
    public var title: Style
    /// The border.
    public var border: Style
    /// The keys in the last line.
    public var key: Style
    /// What the keys do.
    public var label: Style

    /// Makes a look of the styles of its parts.
    public init(style: Style, title: Style, border: Style, key: Style, label: Style) {
      self.style = style
      self.title = title
      self.border = border
      self.key = key
      self.label = label
    }

    /// The look that a theme gives dialogs; one that warns has a title in the style of danger.
    public init(theme: Theme, isDanger: Bool = false) {
      let style = theme[.dialog]
      self.init(
        style: style,
        title: theme[isDanger ? .dialogDanger : .dialogTitle],
        border: theme[isDanger ? .dialogDanger : .borderFocused].on(style.background),
        key: theme[.hintsKey].on(style.background), label: theme[.textDim].on(style.background))
    }
  }

  /// The title in the border.
  public var title: String
  /// The lines; each is cut off if it is too long.
  public var lines: [[TextRun]]
  /// The keys that answer it.
  public var hints: HintLine
  /// The widest that the box may be, border included.
  public var maxWidth: Int

  /// Makes a dialog.
  public init(
    title: String, lines: [[TextRun]], hints: [HintLine.Hint], maxWidth: Int = 72
  ) {
    self.title = title
    self.lines = lines
    self.hints = HintLine(hints)
    self.maxWidth = maxWidth
  }

  /// Makes a dialog of plain text, whose lines end with a line feed.
  public init(
    title: String, text: String, style: Style, hints: [HintLine.Hint], maxWidth: Int = 72
  ) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      TextWindow(String(line), width: max(1, maxWidth - 4)).rows(from: 0, count: 100).map { row in
        [TextRun(row.text, style: style)]
      }
    }
    self.init(
      title: title, lines: lines.flatMap(\.self), hints: hints, maxWidth: maxWidth)
  }

  /// Where the box is on a screen.
  public func frame(in bounds: Rect) -> Rect {
    var width = TextWidth.of(title) + 4
    for line in lines { width = max(width, line.reduce(0) { $0 + TextWidth.of($1.text) }) }
    let hintWidth = hints.hints.reduce(0) { $0 + $1.width + HintLine.gap } - HintLine.gap
    width = min(max(width, hintWidth).saturatingAdding(4), max(1, maxWidth))
    let height = lines.count + 2 + (hints.hints.isEmpty ? 0 : 2)
    return bounds.centered(Size(width: width, height: height))
  }

  /// The key whose hint is drawn at a point, where the dialog is drawn in these bounds.
  public func hint(at point: Point, in bounds: Rect) -> HintLine.Hint? {
    let inside = inside(of: frame(in: bounds))
    guard !inside.isEmpty, point.y == inside.maxY - 1 else { return nil }
    return hints.hint(at: point.x - inside.x, width: inside.width)
  }

  /// How many lines a dialog can show at most.
  ///
  /// - Parameters:
  ///   - bounds: Where it is drawn.
  ///   - hasHints: Whether keys answer it.
  /// - Returns: The number of lines above the keys.
  public static func room(in bounds: Rect, hasHints: Bool) -> Int {
    let isBordered = hasBorder(bounds, hasHints: hasHints)
    let inside = bounds.height - (isBordered ? 2 : 0)
    return max(0, inside - (hasHints ? hintRows(inside) : 0))
  }

  /// How many of the rows inside the keys take, with an empty one above them where there is room.
  private static func hintRows(_ inside: Int) -> Int { inside > 2 ? 2 : 1 }

  /// Whether there is room for a border: a line of text comes before that.
  private static func hasBorder(_ frame: Rect, hasHints: Bool) -> Bool {
    frame.width > 4 && frame.height > (hasHints ? 3 : 2)
  }

  private func hasBorder(_ frame: Rect) -> Bool {
    Self.hasBorder(frame, hasHints: !hints.hints.isEmpty)
  }

  private func inside(of frame: Rect) -> Rect {
    hasBorder(frame) ? frame.inset(left: 2, top: 1, right: 2, bottom: 1) : frame
  }

  /// Draws the dialog and returns the rectangle of its lines, for what a view adds to them.
  @discardableResult
  public func draw(on screen: inout Screen, in bounds: Rect, look: Look) -> Rect {
    let frame = frame(in: bounds.intersection(screen.bounds))
    guard !frame.isEmpty else { return .zero }
    screen.fill(frame, style: look.style)
    if hasBorder(frame) {
      screen.border(
        frame, style: look.border, characters: .round, title: title, titleStyle: look.title)
    }
    var inside = inside(of: frame)
    if !hints.hints.isEmpty, !inside.isEmpty {
      hints.draw(
        on: &screen, at: Point(x: inside.x, y: inside.maxY - 1), width: inside.width,
        keyStyle: look.key, labelStyle: look.label)
      inside = inside.inset(bottom: Self.hintRows(inside.height))
    }
    for (index, line) in lines.prefix(inside.height).enumerated() {
      let isCut = index == inside.height - 1 && lines.count > inside.height
      screen.put(
        isCut ? Self.cut(line, to: inside.width) : line,
        at: Point(x: inside.x, y: inside.y + index), maxWidth: inside.width)
    }
    return inside
  }

  /// A line that shows at its end that there is more.
  private static func cut(_ line: [TextRun], to width: Int) -> [TextRun] {
    let mark = " …"
    var room = width - TextWidth.of(mark)
    guard room > 0 else { return line }
    var cut: [TextRun] = []
    for run in line {
      let text = String(TextCut.prefix(run.text, width: room))
      room -= TextWidth.of(text)
      cut.append(TextRun(text, style: run.style))
    }
    return cut + [TextRun(mark, style: line.last?.style ?? .plain)]
  }
}
