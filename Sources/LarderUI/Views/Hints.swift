import LarderModel
import LarderBrowser
import TerminalUI

/// The keys that the last line shows.
enum Hints {
  /// The keys that work in a state, the most useful first.
  static func current(_ state: BrowserState) -> [HintLine.Hint] {
    if case .editor(let editor) = state.overlay {
      return typing(editor, inCell: state.isInCell(editor))
    }
    // What is only there in a cache, or in an opened column, is what one came for.
    var hints =
      state.overlay == nil || state.details != nil ? Self.hints(for: special(state), state) : []
    if state.overlay == nil, state.focus == .value, state.value?.openedColumn != nil {
      hints.append(.init(key: "Esc", label: "all columns"))
    }
    if state.overlay == nil, state.focus == .keys, state.keys?.rangeStart != nil {
      hints.append(.init(key: state.settings.bindings.call("mark-range"), label: "mark to here"))
      hints.append(.init(key: "Esc", label: "no range"))
    }
    let named = Set(hints.map(\.key))
    hints += Self.hints(for: Command.all.filter(\.isHint), state).filter { !named.contains($0.key) }
    switch state.overlay {
    case .conflict(let conflict):
      let isWrite = if case .write = conflict.attempt { true } else { false }
      hints.append(.init(key: "Esc", label: isWrite ? "back to the text" : "close"))
    // How to get out is seen where there is room for two keys.
    case .comparison, .overview, .history, .differences, .changes:
      if let close = hints.firstIndex(where: { $0.label == "close" }), close > 1 {
        hints.insert(hints.remove(at: close), at: 1)
      }
    // Its "no" is what Esc does, too.
    case .confirm(let confirm) where confirm.deleting == nil: break
    case nil: break
    default: hints.append(.init(key: "Esc", label: "close"))
    }
    return hints
  }

  /// The commands that are shown first for what is on screen.
  private static func special(_ state: BrowserState) -> [Command] {
    if state.details != nil {
      return ["expiry", "compare-backing", "refresh", "evict", "edit", "delete", "delete-expired"]
        .compactMap(Command.named)
    }
    if state.focus == .keys, state.shownGrid != nil {
      return ["into", "sort", "only-value", "hide-column"].compactMap(Command.named)
    }
    guard state.cache != nil || state.meansStoreCache else { return [] }
    return ["refresh", "evict", "why"].compactMap(Command.named)
  }

  /// The keys of those commands that work in a state, and what they do there.
  private static func hints(
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

  /// What a command is called in a state; nil where it is not to be named.
  private static func title(of command: Command, _ state: BrowserState) -> String? {
    if command.id == "open" { return state.openTitle }
    if command.id == "into" { return "next column" }
    guard case .conflict(let conflict) = state.overlay, let replay = conflict.replay else {
      return command.title
    }
    // Nothing there is theirs or mine: the columns say what is now, and what would be.
    return switch command.id {
    case "keep-theirs": "leave it"
    case "keep-mine": replay.isRedo ? "redo it" : "undo it"
    default: command.title
    }
  }

  /// The same hints in as few letters as say it, for narrow screens.
  static func short(_ hints: [HintLine.Hint]) -> [HintLine.Hint] {
    hints.map { hint in
      let words = hint.label.split(separator: " ")
      let word = words.first == "keep" ? words.last : words.first
      return .init(key: hint.key, label: word.map(String.init) ?? "")
    }
  }

  private static func typing(_ editor: EditorModel, inCell: Bool) -> [HintLine.Hint] {
    let type =
      // A cell has no title that would say it.
      editor.canChangeType
      ? [HintLine.Hint(key: "Ctrl-T", label: inCell ? "type: \(editor.type.rawValue)" : "type")]
      : []
    return [
      .init(key: editor.savingKey, label: "save"),
      .init(key: "Esc", label: "leave"), .init(key: "Alt-Enter", label: "new line"),
    ] + type + [
      .init(key: "Alt-U", label: "undo"), .init(key: "Ctrl-X", label: "$EDITOR"),
    ]
  }
}
