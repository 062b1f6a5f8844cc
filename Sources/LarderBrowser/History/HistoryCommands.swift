extension Command {
  /// The commands for the journal of a store.
  static let history: [Command] = [
    Command(
      "history-show", "show", help: "Show the entries before and after the change",
      keys: ["Enter", "l", "Right"], places: [.history], isHint: true,
      unavailable: needsRecordedChange
    ) { state, _ in state.compareSelectedChange() },
    Command(
      "history-undo", "undo", help: "Undo the selected change", keys: ["u"], places: [.history],
      isHint: true, unavailable: { needsWritable($0) ?? needsRecordedChange($0) }
    ) { state, _ in state.replaySelected(isRedo: false) },
    Command(
      "history-redo", "redo", help: "Redo the selected change", keys: ["Ctrl-R"],
      places: [.history], isHint: true,
      unavailable: { needsWritable($0) ?? needsRecordedChange($0) }
    ) { state, _ in state.replaySelected(isRedo: true) },
    Command(
      "history-again", "reload", help: "Read the changes again", keys: ["F5", "Ctrl-L"],
      places: [.history]
    ) { state, _ in state.readHistory() },
  ]

  private static let needsRecordedChange: @Sendable (BrowserState) -> String? = { state in
    state.visibleHistory?.selected == nil ? Messages.noneSelected("change") : nil
  }
}
