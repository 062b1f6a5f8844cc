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
      "overview-rename", "rename", help: "Rename the selected prefix", keys: ["r", "F2"],
      places: [.overview], isHint: true, unavailable: { needsPrefix($0) ?? needsWritable($0) }
    ) { state, _ in state.leaveOverview { $0.askToRenameBranch($1, to: "") } },
    Command(
      "overview-expiry", "expiry", help: "Set when the entries with the selected prefix expire",
      keys: ["x"], places: [.overview],
      unavailable: { needsPrefix($0) ?? needsWritable($0) ?? needsStoredExpiry($0) }
    ) { state, _ in state.leaveOverview { $0.askForExpiry("", of: .prefix($1)) } },
    Command(
      "overview-again", "scan again", help: "Scan the store again", keys: ["F5", "Ctrl-L"],
      places: [.overview], isHint: true
    ) { state, _ in state.scanOverview() },
  ]

  private static let needsPrefix: @Sendable (BrowserState) -> String? = { state in
    state.overview?.selectedPrefix == nil ? Messages.noneSelected("prefix") : nil
  }
}
