package import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws every key and what it does.
  func drawHelp(scroll: Int, _ screen: inout Screen) {
    let area = layout.area
    let widest = HelpText.width(of: HelpText.lines(state.settings.bindings)) + HelpText.frame
    let lines = HelpText.lines(state.settings.bindings, width: area.width - HelpText.frame)
    let inside = drawBox(
      &screen, width: min(widest, area.width), height: area.height, title: "Keys")
    let top = max(0, min(scroll, lines.count - inside.height))
    for (offset, line) in lines.dropFirst(top).prefix(inside.height).enumerated() {
      let y = inside.y + offset
      var keyStyle = theme[.hintsKey]
      keyStyle.background = theme[.dialog].background
      screen.put(
        line.keys, at: Point(x: inside.x, y: y), style: keyStyle,
        maxWidth: min(HelpText.keyWidth - 1, inside.width))
      let x = inside.x + line.indent
      screen.put(
        TextCut.truncated(line.text, to: inside.maxX - x), at: Point(x: x, y: y),
        style: line.isTitle ? theme[.dialogTitle] : theme[.dialog])
    }
    drawMore(lines.count - top - inside.height, below: inside, &screen)
  }
}

/// The help, from the list of commands.
package enum HelpText {
  /// A line of the help.
  package struct Line: Sendable, Equatable {
    package var keys = ""
    package var text: String
    package var isTitle = false
    /// How many columns stand before the text.
    package var indent = HelpText.keyWidth

    /// The line in lines of so many columns; the text goes below the keys where there is too little
    /// room beside them.
    func wrapped(to width: Int) -> [Line] {
      guard !isTitle, !text.isEmpty else { return [self] }
      let isBeside = width >= HelpText.keyWidth + HelpText.leastWidth
      let indent = isBeside ? HelpText.keyWidth : 2
      var texts = TextWrap.lines(text, width: max(1, width - indent))
      let first = isBeside && !texts.isEmpty ? texts.removeFirst() : ""
      return [Line(keys: keys, text: first, indent: indent)]
        + texts.map { Line(text: $0, indent: indent) }
    }
  }

  static let keyWidth = 18
  /// The fewest columns that sentences are put into beside the keys.
  static let leastWidth = 30
  /// How many columns the box around the help takes.
  static let frame = 4

  /// How many columns the longest line takes.
  static func width(of lines: [Line]) -> Int {
    lines.map { TextWidth.of($0.text) + $0.indent }.max() ?? 0
  }

  /// The lines from the top.
  ///
  /// - Parameters:
  ///   - bindings: The keys of the commands.
  ///   - width: How many columns there are; nil for as many as are needed.
  /// - Returns: The lines.
  package static func lines(_ bindings: Bindings = .standard, width: Int? = nil) -> [Line] {
    let commands = Command.groups.flatMap { title, commands in
      [Self.title(title)]
        + commands.map { line($0, bindings) }
        + [Line(text: "")]
    }
    let lines = commands + typing
    return width.map { width in lines.flatMap { $0.wrapped(to: width) } } ?? lines
  }

  /// How many lines there are where there is room for each.
  static let lineCount = lines().count

  private static func title(_ text: String) -> Line { Line(text: text, isTitle: true, indent: 0) }

  /// The line of a command, which is called by its name where it has no key.
  private static func line(_ command: Command, _ bindings: Bindings) -> Line {
    let keys = bindings.text(of: command)
    return Line(keys: keys.isEmpty ? ":" + command.id : keys, text: command.help)
  }

  private static let typing: [Line] = [
    title("While typing"),
    Line(keys: "Enter", text: "Takes the line; in a value of several lines, begins a new one."),
    Line(keys: "Up Down", text: "Goes through earlier lines of the kind; in a list, through that."),
    Line(keys: "Tab", text: "Completes a command, a key, a path or a theme."),
    Line(keys: "Ctrl-X", text: "Gives the value to $VISUAL or $EDITOR."),
    Line(keys: "Ctrl-S", text: "Writes the value."),
    Line(keys: "Alt-Enter Ctrl-O", text: "Begins a new line."),
    Line(keys: "Ctrl-T", text: "Changes the type of the value."),
    Line(keys: "Ctrl-A Ctrl-E", text: "Goes to the start or the end of the line."),
    Line(keys: "Alt-B Alt-F", text: "Goes back or forward by a word."),
    Line(keys: "Ctrl-W Ctrl-U", text: "Deletes the word, or the line, before the cursor."),
    Line(keys: "Ctrl-K", text: "Deletes the line after the cursor."),
    Line(keys: "Alt-U Alt-R", text: "Takes the last change back, or makes it again."),
    Line(keys: "Esc", text: "Leaves; the store stays as it was."),
  ]
}
