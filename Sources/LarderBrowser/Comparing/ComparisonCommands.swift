extension Command {
  /// The commands for comparing stores.
  static let comparingStores: [Command] = [
    Command(
      "mark-store", "mark store", help: "Mark the selected store, to compare it with another",
      keys: ["Space"], places: [.stores],
      unavailable: {
        $0.stores.selectedStore == nil ? Messages.noneSelected("store") : nil
      }
    ) { state, _ in state.markStore() },
    Command(
      "compare-stores", "compare stores",
      help: "Compare two marked stores, or this store with another",
      keys: ["v"], places: [.stores], argument: "STORE"
    ) { state, argument in state.compareStores(argument) },
  ]

  /// The commands for comparing two values.
  static let comparison: [Command] = [
    Command(
      "next-change", "next difference", help: "Go to the next difference",
      keys: ["n"], places: [.comparison], isHint: true
    ) { state, _ in state.goToDifference(by: 1) },
    Command(
      "previous-change", "previous", help: "Go to the previous difference",
      keys: ["N"], places: [.comparison], isHint: true
    ) { state, _ in state.goToDifference(by: -1) },
    Command(
      "fold-same", "same lines", help: "Show or fold equal lines",
      keys: ["="], places: [.comparison], isHint: true
    ) { state, _ in state.foldSame() },
    Command(
      "copy-difference", "copy", help: "Copy the difference in diff -u format",
      keys: ["y"], places: [.comparison], isHint: true
    ) { state, _ in state.copyDifference() },
  ]
}
