import LarderModel
import LarderBrowser
import TerminalUI

/// The key hints for a state.
enum Hints {
  /// Returns the hints for a state, the most useful first.
  static func current(_ state: BrowserState) -> [HintLine.Hint] {
    switch state.overlay {
    case .editor(let editor): return typing(editor, inCell: state.isInCell(editor))
    case .newRow(let row): return typing(row)
    case .prompt(let prompt):
      return [
        .init(key: "Enter", label: prompt.purpose is CommandPrompt ? "run" : "choose"),
        .init(key: "Tab", label: "complete"),
        .init(key: "Esc", label: "close"),
      ]
    case .help(let help) where help.isTyping:
      return [
        .init(key: "Down", label: "next"), .init(key: "Enter", label: "done"),
        .init(key: "Esc", label: "clear"),
      ]
    default: break
    }
    var hints = state.overlay == nil ? ContextHints(state).hints : []
    if state.details != nil { hints = Self.hints(for: ofDetails, state) }
    let named = Set(hints.map(\.key))
    hints += Self.hints(for: Command.all.filter(\.isHint), state).filter { !named.contains($0.key) }
    if state.overlay == nil {
      // The last two hints are for help and quitting.
      hints.insert(contentsOf: ContextHints(state).last, at: max(0, hints.count - 2))
    }
    switch state.overlay {
    case .conflict(let conflict):
      let isWrite = if case .write = conflict.attempt { true } else { false }
      hints.append(.init(key: "Esc", label: isWrite ? Messages.Hint.backToText : "close"))
    // The hint for closing comes second, so that it is visible if there is room for two.
    case .comparison, .overview, .history, .differences, .changes, .findings:
      if let close = hints.firstIndex(where: { $0.label == "close" }), close > 1 {
        hints.insert(hints.remove(at: close), at: 1)
      }
    // In a question, Esc is the same as "no", and overlays with text already have a hint for
    // closing.
    case .confirm(let confirm) where confirm.deleting == nil: break
    case .help, .messages, .details, nil: break
    default: hints.append(.init(key: "Esc", label: "close"))
    }
    return hints
  }

  /// The commands that come first in the details of an entry.
  private static let ofDetails = [
    "expiry", "compare-backing", "refresh", "evict", "edit", "delete", "delete-expired",
  ].compactMap(Command.named)

  /// Returns the hints for those commands that are available in a state.
  static func hints(
    for commands: [Command], _ state: BrowserState
  ) -> [HintLine.Hint] {
    let place = state.place
    return commands.compactMap { command in
      guard command.places.contains(place), command.unavailable(state) == nil,
        let title = title(of: command, state),
        let key = state.settings.bindings.keys(of: command).first
      else { return nil }
      return HintLine.Hint(key: key, label: title)
    }
  }

  /// Returns the label of a command in a state, or `nil` to omit it.
  private static func title(of command: Command, _ state: BrowserState) -> String? {
    if command.id == "open" { return state.openTitle }
    if command.id == "into" { return Messages.Hint.nextColumn }
    guard case .conflict(let conflict) = state.overlay, let replay = conflict.replay else {
      return command.title
    }
    // In an undo conflict, neither column is an edit: one is the current value, the other the
    // result.
    return switch command.id {
    case "keep-theirs": Messages.Hint.leaveIt
    case "keep-mine": replay.isRedo ? Messages.Hint.redoIt : Messages.Hint.undoIt
    default: command.title
    }
  }

  /// Returns the hints with one-word labels, for narrow screens.
  static func short(_ hints: [HintLine.Hint]) -> [HintLine.Hint] {
    hints.map { hint in
      let words = hint.label.split(separator: " ")
      // The other words are the same in several hints.
      let word = ["keep", "copy"].contains(words.first) ? words.last : words.first
      return .init(key: hint.key, label: word.map(String.init) ?? "")
    }
  }

  private static func typing(_ row: NewRowModel) -> [HintLine.Hint] {
    [
      .init(key: "Ctrl-S", label: "add"), .init(key: "Tab", label: Messages.Hint.nextColumn),
      .init(key: "Esc", label: "leave"),
    ] + (row.line.isNullable ? [.init(key: "Ctrl-N", label: "NULL")] : [])
      + (row.line.canChangeType ? [.init(key: "Ctrl-T", label: "type")] : [])
  }

  private static func typing(_ editor: EditorModel, inCell: Bool) -> [HintLine.Hint] {
    let type =
      // A cell has no title to show the type.
      editor.canChangeType
      ? [
        HintLine.Hint(
          key: "Ctrl-T", label: inCell ? Messages.Hint.type(editor.typeName) : "type")
      ]
      : []
    let null = editor.isNullable ? [HintLine.Hint(key: "Ctrl-N", label: "NULL")] : []
    return [
      .init(key: editor.savingKey, label: "save"), .init(key: "Esc", label: "leave"),
    ] + null + [.init(key: "Alt-Enter", label: Messages.Hint.newLine)] + type + [
      .init(key: "Alt-U", label: "undo"), .init(key: "Ctrl-X", label: "$EDITOR"),
    ]
  }
}
