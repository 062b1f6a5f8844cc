extension Command {
  /// The commands for the journal of a store.
  static let history: [Command] = [
    Command(
      "history-show", "show", help: "Show the entries before and after the change",
      keys: ["Enter", "l", "Right"], places: [.history], isHint: true, unavailable: needsStep
    ) { state, _ in state.showStep() },
    Command(
      "history-undo", "undo", help: "Undo the selected change", keys: ["u"], places: [.history],
      isHint: true, unavailable: { needsWritable($0) ?? needsStep($0) }
    ) { state, _ in state.replaySelected(isRedo: false) },
    Command(
      "history-redo", "redo", help: "Redo the selected change", keys: ["Ctrl-R"],
      places: [.history], isHint: true, unavailable: { needsWritable($0) ?? needsStep($0) }
    ) { state, _ in state.replaySelected(isRedo: true) },
    Command(
      "history-again", "reload", help: "Read the changes again", keys: ["F5", "Ctrl-L"],
      places: [.history]
    ) { state, _ in state.readHistory() },
  ]

  private static let needsStep: @Sendable (BrowserState) -> String? = { state in
    state.stepHistory?.selected == nil ? "no change is selected" : nil
  }
}
