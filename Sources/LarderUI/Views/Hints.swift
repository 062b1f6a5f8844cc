import LarderCore

/// The keys that the last line shows.
enum Hints {
  /// The keys that work in a state, the most useful first.
  static func current(_ state: BrowserState) -> [(key: String, label: String)] {
    switch state.overlay {
    case .editor(let editor):
      let save = editor.hasLines ? "Ctrl-S" : "Enter"
      let type = editor.canChangeType ? [("Ctrl-T", "type")] : []
      return [(save, "save"), ("Alt-Enter", "new line")] + type
        + [("Alt-U", "undo"), ("Esc", "leave")]
    case .help, .confirm, .conflict, .prompt, nil: break
    }
    let place = state.place
    var hints = Command.all
      .filter { $0.isHint && $0.places.contains(place) && $0.unavailable(state) == nil }
      .compactMap { command in command.keys.first.map { ($0, command.title) } }
    if state.overlay != nil { hints.append(("Esc", "close")) }
    if state.cache != nil, state.overlay == nil {
      hints = [("R", "refresh"), ("X", "evict")] + hints
    }
    return hints
  }
}
