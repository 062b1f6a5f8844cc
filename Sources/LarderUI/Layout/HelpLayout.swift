package import LarderBrowser
import LarderModel
import TerminalUI

/// The help in lines of a width, in one column or two.
package struct HelpLayout {
  /// A line of the help.
  package struct Line: Sendable, Equatable {
    package var keys = ""
    package var name = ""
    package var text: String
    package var isTitle = false
    /// Where the line is that this one goes on with, counted back from it.
    var place = 0
  }

  /// Where the parts of a line are.
  struct Columns: Sendable, Equatable {
    let width: Int

    /// Whether there is room for names beside the keys.
    var hasNames: Bool { width >= 54 }
    /// Whether there is room for the text beside the keys.
    var isBeside: Bool { width >= 48 }
    var keyWidth: Int { 17 }
    var textStart: Int { !isBeside ? 2 : hasNames ? keyWidth + 19 : keyWidth + 1 }
  }

  /// The width from which there are two columns.
  static let widthOfTwo = 116
  private static let gap = 3

  /// The lines of each column.
  let columns: [[Line]]
  /// The width of each column.
  let parts: Columns

  /// How many rows there are.
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

  /// The column where a column of the help begins.
  func start(of column: Int) -> Int { column * (parts.width + Self.gap) }

  /// A line in lines that fit; the text goes below the keys where there is too little room.
  private static func wrapped(_ line: Line, _ parts: Columns) -> [Line] {
    guard !line.isTitle else { return [line] }
    var texts = TextWrap.lines(line.text, width: max(1, parts.width - parts.textStart))
    let first = parts.isBeside && !texts.isEmpty ? texts.removeFirst() : ""
    return [Line(keys: line.keys, name: line.name, text: first)]
      + texts.enumerated().map { Line(text: $0.element, place: $0.offset + 1) }
  }

  /// The lines with a text in the command that they are of, column by column.
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

  /// How far to scroll to each match, with a few lines above it.
  func scrolls(to text: String, height: Int) -> [Int] {
    matches(of: text).map { max(0, min($0.row - height / 3, count - height)) }
  }
}

/// The help, from the list of commands.
package enum HelpText {
  /// The sections, each of which begins with its title.
  package static func sections(
    _ model: HelpModel, _ bindings: Bindings = .standard
  ) -> [[HelpLayout.Line]] {
    let commands = model.groups.map { title, commands in
      [HelpLayout.Line(text: title, isTitle: true)] + commands.map { line($0, bindings) }
    }
    return commands + [typing]
  }

  /// The line of a command, which is called by its name where it has no key.
  private static func line(_ command: Command, _ bindings: Bindings) -> HelpLayout.Line {
    let keys = bindings.text(of: command)
    return HelpLayout.Line(
      keys: keys.isEmpty ? ":" + command.id : keys,
      name: command.isInPalette && !keys.isEmpty ? command.id : "", text: command.help)
  }

  private static let typing: [HelpLayout.Line] = [
    .init(text: "While typing", isTitle: true),
    .init(keys: "Enter", text: "Take the line; in text of several lines, start a new one"),
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
    .init(keys: "Alt-U Alt-R", text: "Undo or redo the last change of the text"),
    .init(keys: "Esc", text: "Leave without saving"),
  ]
}
