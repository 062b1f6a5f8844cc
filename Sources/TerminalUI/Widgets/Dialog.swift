/// A centered box with a title, lines of text and key hints.
///
/// If space is short, the key hints take precedence over the text.
public struct Dialog: Hashable, Sendable {
  /// The title in the border.
  public var title: String
  /// The lines, truncated if they are too long.
  public var lines: [[TextRun]]
  /// The key hints.
  public var hints: HintLine
  /// The maximum width of the box, including the border.
  public var maxWidth: Int

  /// Creates a dialog.
  public init(
    title: String, lines: [[TextRun]], hints: [HintLine.Hint], maxWidth: Int = 72
  ) {
    self.title = title
    self.lines = lines
    self.hints = HintLine(hints)
    self.maxWidth = maxWidth
  }

  /// Creates a dialog from plain text, split at line feeds and wrapped.
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

  /// Returns the rectangle of the box on a screen.
  public func frame(in bounds: Rect) -> Rect {
    var width = TextWidth.of(title) + 4
    for line in lines { width = max(width, line.reduce(0) { $0 + TextWidth.of($1.text) }) }
    let hintWidth = hints.hints.reduce(0) { $0 + $1.width + HintLine.gap } - HintLine.gap
    width = min(max(width, hintWidth).saturatingAdding(4), max(1, maxWidth))
    return bounds.centered(Size(width: width, height: lines.count + 2))
  }

  private var box: Box { Box(title: title, hints: hints) }

  /// Returns the key hint at a point when the dialog is drawn in some bounds, or nil if there is
  /// none.
  public func hint(at point: Point, in bounds: Rect) -> HintLine.Hint? {
    let frame = frame(in: bounds)
    if Self.hasBorder(frame) { return box.hint(at: point, in: frame) }
    guard !frame.isEmpty, point.y == frame.maxY - 1 else { return nil }
    return hints.hint(at: point.x - frame.x, width: frame.width)
  }

  /// Returns the maximum number of lines that a dialog with key hints can show.
  public static func room(in bounds: Rect) -> Int {
    max(0, bounds.height - (hasBorder(bounds) ? 2 : 1))
  }

  /// Whether there is space for a border as well as a line of text.
  private static func hasBorder(_ frame: Rect) -> Bool { frame.width > 4 && frame.height > 2 }

  /// Draws the dialog and returns the rectangle of its lines, for views that draw over them.
  @discardableResult
  public func draw(on screen: inout Screen, in bounds: Rect, look: Box.Look) -> Rect {
    let frame = frame(in: bounds.intersection(screen.bounds))
    guard !frame.isEmpty else { return .zero }
    var inside = frame
    if Self.hasBorder(frame) {
      inside = box.draw(on: &screen, in: frame, look: look)
    } else {
      screen.fill(frame, style: look.style)
      inside = inside.inset(bottom: hints.hints.isEmpty ? 0 : 1)
      hints.draw(
        on: &screen, at: Point(x: frame.x, y: frame.maxY - 1), width: frame.width,
        keyStyle: look.key, labelStyle: look.label)
    }
    for (index, line) in lines.prefix(inside.height).enumerated() {
      let isCut = index == inside.height - 1 && lines.count > inside.height
      screen.put(
        isCut ? Self.cut(line, to: inside.width) : line,
        at: Point(x: inside.x, y: inside.y + index), maxWidth: inside.width)
    }
    return inside
  }

  /// Returns a line with a mark at its end that indicates more lines.
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
