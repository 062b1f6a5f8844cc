extension Command {
  /// The commands for tabs.
  static let tabbing: [Command] = [
    Command(
      "new-tab", "new tab", help: "Show the store, or another location, in a new tab",
      keys: ["Ctrl-T"],
      aliases: ["tabnew"],
      argument: "LOCATION"
    ) { state, argument in state.openTab(argument) },
    Command(
      "close-tab", "close tab", help: "Close this tab, or tab N",
      keys: ["Ctrl-W"], argument: "NUMBER",
      unavailable: { state in
        state.tabs.count > 1
          ? nil : Messages.onlyTab(quit: state.settings.bindings.call("quit"))
      }
    ) { state, argument in state.closeTab(argument) },
    Command(
      "next-tab", "next tab", help: "Show the next tab", keys: ["}", "Ctrl-PgDn"], isHint: true,
      unavailable: needsTabs
    ) { state, _ in state.showTab(by: 1) },
    Command(
      "previous-tab", "previous tab", help: "Show the previous tab", keys: ["{", "Ctrl-PgUp"],
      unavailable: needsTabs
    ) { state, _ in state.showTab(by: -1) },
    Command(
      "tab", "tab", help: "Show tab N",
      keys: (1...9).map { "Alt-\($0)" }, argument: "NUMBER", needsArgument: true, numbersKeys: true,
      unavailable: needsTabs
    ) { state, argument in state.showTab(argument) },
  ]

  private static let needsTabs: @Sendable (BrowserState) -> String? = { state in
    state.tabs.count > 1
      ? nil : Messages.onlyTab(newTab: state.settings.bindings.call("new-tab"))
  }
}
