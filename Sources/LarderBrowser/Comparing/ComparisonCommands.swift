extension Command {
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
