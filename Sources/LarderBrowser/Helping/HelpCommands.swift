extension Command {
  /// The commands of the help.
  static let helping: [Command] = [
    Command(
      "help-search", "search", help: "Find a command in the help", keys: ["/"], places: [.help],
      isHint: true, unavailable: needsHelp
    ) { state, _ in
      state.help?.isTyping = true
      state.help?.search = TextBuffer()
      return []
    },
    Command(
      "help-next", "next", help: "Go to the next match", keys: ["n"], places: [.help],
      isHint: true, unavailable: needsSearch
    ) { state, _ in state.findInHelp(by: 1) },
    Command(
      "help-previous", "previous", help: "Go to the previous match", keys: ["N"],
      places: [.help], isHint: true, unavailable: needsSearch
    ) { state, _ in state.findInHelp(by: -1) },
  ]

  private static let needsHelp: @Sendable (BrowserState) -> String? = { state in
    state.help == nil ? Messages.noHelp : nil
  }

  private static let needsSearch: @Sendable (BrowserState) -> String? = { state in
    needsHelp(state)
      ?? (state.help?.search.count == 0
        ? Messages.noHelpSearch(search: state.settings.bindings.call("help-search")) : nil)
  }
}
