package import LarderBrowser
import LarderModel
import TerminalUI

/// The help, wrapped into lines in one or two columns.
package struct HelpLayout {
  /// A line of the help.
  package struct Line: Sendable, Equatable {
    package var keys = ""
    package var name = ""
    package var text: String
    package var isTitle = false
    /// The offset from the first line of the same command, for wrapped text.
    var place = 0
  }

  /// The positions of the parts of a line.
  struct Columns: Sendable, Equatable {
    let width: Int

    /// Whether there is room for names next to the keys.
    var hasNames: Bool { width >= 54 }
    /// Whether there is room for the text next to the keys.
    var isBeside: Bool { width >= 48 }
    var keyWidth: Int { 17 }
    var textStart: Int { !isBeside ? 2 : hasNames ? keyWidth + 19 : keyWidth + 1 }
  }

  /// The minimum width for two columns.
  static let widthOfTwo = 116
  private static let gap = 3

  /// The lines of each column.
  let columns: [[Line]]
  /// The width of each column.
  let parts: Columns

  /// The number of rows.
  package var count: Int { columns.map(\.count).max() ?? 0 }

  /// Lays out the help.
  package init(_ model: HelpModel, _ bindings: Bindings, width: Int) {
    let isWide = width >= Self.widthOfTwo
    let parts = Columns(width: isWide ? (width - Self.gap) / 2 : width)
    self.parts = parts
    let sections = HelpText.sections(model, bindings).map { section in
      section.flatMap { Self.wrapped($0, parts) } + [Line(text: "")]
    }
    guard isWide else {
      columns = [Array(sections.joined().dropLast())]
      return
    }
    let half = sections.map(\.count).reduce(0, +) / 2
    var left: [Line] = []
    var rest = sections[...]
    while let section = rest.first, left.isEmpty || left.count + section.count / 2 <= half {
      left += section
      rest = rest.dropFirst()
    }
    columns = [left.dropLast(), rest.joined().dropLast()]
  }

  /// Returns the x-coordinate of a column.
  func start(of column: Int) -> Int { column * (parts.width + Self.gap) }

  /// Wraps a line, placing the text below the keys if there is not enough room next to them.
  private static func wrapped(_ line: Line, _ parts: Columns) -> [Line] {
    guard !line.isTitle else { return [line] }
    var texts = TextWrap.lines(line.text, width: max(1, parts.width - parts.textStart))
    let first = parts.isBeside && !texts.isEmpty ? texts.removeFirst() : ""
    return [Line(keys: line.keys, name: line.name, text: first)]
      + texts.enumerated().map { Line(text: $0.element, place: $0.offset + 1) }
  }

  /// Returns the first lines of the commands that contain a text, column by column.
  func matches(of text: String) -> [(column: Int, row: Int)] {
    guard !text.isEmpty else { return [] }
    return columns.enumerated().flatMap { column, lines in
      lines.indices.filter { row in
        let line = lines[row]
        guard line.place == 0, !line.isTitle, !line.text.isEmpty || !line.keys.isEmpty else {
          return false
        }
        let rest = lines[(row + 1)...].prefix { $0.place > 0 }.map(\.text)
        let sentence = ([line.text] + rest).joined(separator: " ")
        return [line.keys, line.name, sentence].contains { $0.offsets(of: text) != nil }
      }.map { (column, $0) }
    }
  }

  /// Returns the scroll offset for each match, which shows a few lines above it.
  func scrolls(to text: String, height: Int) -> [Int] {
    matches(of: text).map { max(0, min($0.row - height / 3, count - height)) }
  }
}

/// The text of the help, generated from the list of commands.
package enum HelpText {
  /// Returns the sections, each starting with its title.
  package static func sections(
    _ model: HelpModel, _ bindings: Bindings = .standard
  ) -> [[HelpLayout.Line]] {
    let commands = model.groups.map { title, commands in
      [HelpLayout.Line(text: title, isTitle: true)] + commands.map { line($0, bindings) }
    }
    return commands + [typing]
  }

  /// Returns the line of a command, with its name after a colon if it has no key.
  private static func line(_ command: Command, _ bindings: Bindings) -> HelpLayout.Line {
    let keys = bindings.text(of: command)
    return HelpLayout.Line(
      keys: keys.isEmpty ? ":" + command.id : keys,
      name: command.isInPalette && !keys.isEmpty ? command.id : "", text: command.help)
  }

  private static let typing: [HelpLayout.Line] = [
    .init(text: "While typing", isTitle: true),
    .init(keys: "Enter", text: "Accept the line; in multi-line text, start a new one"),
    .init(keys: "Up Down", text: "Recall earlier lines; in a list, move through it"),
    .init(keys: "Tab", text: "Complete a command, key, path or theme"),
    .init(keys: "Ctrl-X", text: "Edit the text in $VISUAL or $EDITOR"),
    .init(keys: "Ctrl-S", text: "Save the value"),
    .init(keys: "Alt-Enter Ctrl-O", text: "Insert a line break"),
    .init(keys: "Ctrl-T", text: "Change the type of the value"),
    .init(keys: "Ctrl-A Ctrl-E", text: "Go to the start or end of the line"),
    .init(keys: "Alt-B Alt-F", text: "Go back or forward a word"),
    .init(keys: "Ctrl-W Ctrl-U", text: "Delete the word, or the line, before the cursor"),
    .init(keys: "Ctrl-K", text: "Delete to the end of the line"),
    .init(keys: "Alt-U Alt-R", text: "Undo or redo the last change to the text"),
    .init(keys: "Esc", text: "Leave without saving"),
  ]
}
