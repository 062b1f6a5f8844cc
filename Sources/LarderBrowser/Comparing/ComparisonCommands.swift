extension Command {
  /// Commands about two stores.
  static let comparingStores: [Command] = [
    Command(
      "mark-store", "mark store", help: "Mark the selected store, to compare it with another.",
      keys: ["Space"], places: [.stores],
      unavailable: { $0.stores.selectedStore == nil ? "no store is selected" : nil }
    ) { state, _ in state.markStore() },
    Command(
      "compare-stores", "compare stores",
      help: "List the entries in which two marked stores, or this and another, differ.",
      keys: ["v"], places: [.stores], argument: "STORE"
    ) { state, argument in state.compareStores(argument) },
  ]

  /// Commands about two values side by side.
  static let comparison: [Command] = [
    Command(
      "next-change", "next difference", help: "Goes to the next place where the values differ.",
      keys: ["n"], places: [.comparison], isHint: true
    ) { state, _ in state.goToDifference(by: 1) },
    Command(
      "previous-change", "previous", help: "Goes to the place before, where the values differ.",
      keys: ["N"], places: [.comparison], isHint: true
    ) { state, _ in state.goToDifference(by: -1) },
    Command(
      "fold-same", "same lines", help: "Shows all lines that are the same, or folds them again.",
      keys: ["="], places: [.comparison], isHint: true
    ) { state, _ in state.foldSame() },
    Command(
      "copy-difference", "copy", help: "Copies the difference as text, as diff -u writes it.",
      keys: ["y"], places: [.comparison], isHint: true
    ) { state, _ in state.copyDifference() },
  ]
}
