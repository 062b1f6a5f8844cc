import LarderCore
import TerminalUI

/// The keys that the last line shows.
enum Hints {
  /// The keys that work in a state, the most useful first.
  static func current(_ state: BrowserState) -> [HintLine.Hint] {
    if case .editor(let editor) = state.overlay { return typing(editor) }
    let place = state.place
    var hints = Command.all
      .filter { $0.isHint && $0.places.contains(place) && $0.unavailable(state) == nil }
      .compactMap { command in
        state.bindings.keys(of: command).first.map { HintLine.Hint(key: $0, label: command.title) }
      }
    switch state.overlay {
    case .conflict(let conflict):
      let isWrite = if case .write = conflict.attempt { true } else { false }
      hints.append(.init(key: "Esc", label: isWrite ? "back to the text" : "close"))
    case .comparison, nil: break
    default: hints.append(.init(key: "Esc", label: "close"))
    }
    if state.cache != nil, state.overlay == nil {
      hints =
        [.init(key: "R", label: "refresh"), .init(key: "X", label: "evict")]
        + hints
    }
    return hints
  }

  /// The same hints in as few letters as say it, for narrow screens.
  static func short(_ hints: [HintLine.Hint]) -> [HintLine.Hint] {
    hints.map { hint in
      let words = hint.label.split(separator: " ")
      let word = words.first == "keep" ? words.last : words.first
      return .init(key: hint.key, label: word.map(String.init) ?? "")
    }
  }

  private static func typing(_ editor: EditorModel) -> [HintLine.Hint] {
    let type =
      editor.canChangeType ? [HintLine.Hint(key: "Ctrl-T", label: "type")] : []
    return [
      .init(key: editor.hasLines ? "Ctrl-S" : "Enter", label: "save"),
      .init(key: "Alt-Enter", label: "new line"),
    ] + type + [
      .init(key: "Alt-U", label: "undo"), .init(key: "Esc", label: "leave"),
      .init(key: "Ctrl-X", label: "$EDITOR"),
    ]
  }
}
