extension Command {
  /// The commands for the findings in all open stores.
  static let findings: [Command] = [
    Command(
      "findings-go", "go to entry", help: "Go to the entry in its store",
      keys: ["Enter", "l", "Right"], places: [.findings], isHint: true,
      unavailable: { $0.findings?.rowCount == 0 ? Messages.nothing("found") : nil }
    ) { state, _ in state.goToFinding() },
    Command(
      "findings-filter", "filter", help: "List only results that contain some text", keys: ["/"],
      places: [.findings], isHint: true
    ) { state, _ in state.askToFilterList(state.findings?.filter ?? "") },
  ]
}
