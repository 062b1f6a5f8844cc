extension Command {
  /// The commands for the list of changes by other programs.
  static let changes: [Command] = [
    Command(
      "changes-show", "compare", help: "Show the value before and after the change",
      keys: ["Enter", "l", "Right"], places: [.changes], isHint: true, unavailable: needsChange
    ) { state, _ in state.showChange() },
    Command(
      "changes-go", "go to entry", help: "Go to the changed entry in the list", keys: ["o"],
      places: [.changes], isHint: true, unavailable: needsChange
    ) { state, _ in state.goToChange() },
  ]

  /// The commands for finding changes by other programs.
  static let watching: [Command] = [
    Command(
      "changes", "changes", help: "List changes by other programs since watching began",
      keys: ["L"],
      unavailable: needsWatch
    ) { state, _ in state.openChanges() }
  ]

  private static let needsWatch: @Sendable (BrowserState) -> String? = { state in
    needsStore(state)
      ?? (state.keys?.watch == nil
        ? Messages.notWatching(watch: state.settings.bindings.call("watch")) : nil)
  }

  private static let needsChange: @Sendable (BrowserState) -> String? = { state in
    state.changes?.selected == nil ? Messages.noneSelected("change") : nil
  }
}
