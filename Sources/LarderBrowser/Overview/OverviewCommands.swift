extension Command {
  /// The commands for the overview of a store.
  static let overview: [Command] = [
    Command(
      "overview-list", "list", help: "List the entries with the selected prefix", keys: ["Enter"],
      places: [.overview], isHint: true, unavailable: needsPrefix
    ) { state, _ in state.leaveOverview(for: "open-here") },
    Command(
      "overview-into", "into", help: "Show the overview of the selected prefix",
      keys: ["l", "Right"], places: [.overview], isHint: true, unavailable: needsPrefix
    ) { state, _ in
      state.overview?.selectedPrefix.map { state.showOverview(of: $0) } ?? []
    },
    Command(
      "overview-out", "out", help: "Show the overview of the parent prefix, or close it",
      keys: ["h", "Left", "Backspace"], places: [.overview], isHint: true
    ) { state, _ in state.leaveOverviewPrefix() },
    Command(
      "overview-sort", "sort", help: "Sort by size, count or name", keys: ["s"],
      places: [.overview], isHint: true
    ) { state, _ in state.sortOverview() },
    Command(
      "overview-delete", "delete", help: "Delete all entries with the selected prefix (asks first)",
      keys: ["d", "D", "Delete"], places: [.overview], isHint: true, unavailable: needsPrefix
    ) { state, _ in state.leaveOverview(for: "delete-prefix") },
    Command(
      "overview-again", "scan again", help: "Scan the store again", keys: ["F5", "Ctrl-L"],
      places: [.overview], isHint: true
    ) { state, _ in state.scanOverview() },
  ]

  private static let needsPrefix: @Sendable (BrowserState) -> String? = { state in
    state.overview?.selectedPrefix == nil ? Messages.noneSelected("prefix") : nil
  }
}
