package import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws every key and what it does.
  func drawHelp(scroll: Int, _ screen: inout Screen) {
    let area = layout.area
    let lines = HelpText.lines(state.bindings)
    let inside = drawBox(
      &screen, width: min(HelpText.width(of: lines) + 4, area.width), height: area.height,
      title: "Keys")
    let top = max(0, min(scroll, lines.count - inside.height))
    for (offset, line) in lines.dropFirst(top).prefix(inside.height).enumerated() {
      let y = inside.y + offset
      var keyStyle = theme[.hintsKey]
      keyStyle.background = theme[.dialog].background
      let style = line.isTitle ? theme[.dialogTitle] : theme[.dialog]
      let x = inside.x + HelpText.keyWidth
      screen.put(
        line.keys, at: Point(x: inside.x, y: y), style: keyStyle,
        maxWidth: min(HelpText.keyWidth - 1, inside.width))
      if line.isTitle {
        screen.put(line.text, at: Point(x: inside.x, y: y), style: style, maxWidth: inside.width)
      } else {
        screen.put(
          TextCut.truncated(line.text, to: inside.maxX - x), at: Point(x: x, y: y), style: style)
      }
    }
  }
}

/// The help, from the list of commands.
package enum HelpText {
  /// A line of the help.
  package struct Line: Sendable, Equatable {
    package var keys = ""
    package var text: String
    package var isTitle = false
  }

  static let keyWidth = 18

  /// How many columns the longest line takes.
  static func width(of lines: [Line]) -> Int {
    lines.map { TextWidth.of($0.text) + ($0.isTitle ? 0 : keyWidth) }.max() ?? 0
  }

  /// The lines from the top.
  package static func lines(_ bindings: Bindings = .standard) -> [Line] {
    let commands = Command.groups.flatMap { title, commands in
      [Line(text: title, isTitle: true)]
        + commands.map { line($0, bindings) }
        + [Line(text: "")]
    }
    return commands + typing
  }

  /// How many lines there are, whatever the keys are.
  static let lineCount = lines().count

  /// The line of a command, which is called by its name where it has no key.
  private static func line(_ command: Command, _ bindings: Bindings) -> Line {
    let keys = bindings.text(of: command)
    return Line(keys: keys.isEmpty ? ":" + command.id : keys, text: command.help)
  }

  private static let typing: [Line] = [
    Line(text: "While typing", isTitle: true),
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
