/// A box in the middle of the screen with a title, some lines and keys.
///
/// At any size it shows what fits, and the keys before the text.
public struct Dialog: Hashable, Sendable {
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
    return bounds.centered(Size(width: width, height: lines.count + 2))
  }

  private var box: Box { Box(title: title, hints: hints) }

  /// The key whose hint is drawn at a point, where the dialog is drawn in these bounds.
  public func hint(at point: Point, in bounds: Rect) -> HintLine.Hint? {
    let frame = frame(in: bounds)
    if Self.hasBorder(frame) { return box.hint(at: point, in: frame) }
    guard !frame.isEmpty, point.y == frame.maxY - 1 else { return nil }
    return hints.hint(at: point.x - frame.x, width: frame.width)
  }

  /// How many lines a dialog with keys can show at most.
  public static func room(in bounds: Rect) -> Int {
    max(0, bounds.height - (hasBorder(bounds) ? 2 : 1))
  }

  /// Whether there is room for a border: a line of text comes before that.
  private static func hasBorder(_ frame: Rect) -> Bool { frame.width > 4 && frame.height > 2 }

  /// Draws the dialog and returns the rectangle of its lines, for what a view adds to them.
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
