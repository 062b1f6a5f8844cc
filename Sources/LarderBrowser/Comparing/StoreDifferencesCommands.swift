extension Command {
  /// The commands for the differences between two stores.
  static let differences: [Command] = [
    Command(
      "differences-show", "compare", help: "Show both values of the entry",
      keys: ["Enter", "l", "Right"], places: [.differences], isHint: true, unavailable: needsRow
    ) { state, _ in state.showDifference() },
    Command(
      "differences-filter", "filter", help: "List only keys that contain some text", keys: ["/"],
      places: [.differences], isHint: true
    ) { state, _ in state.askToFilterList(state.storeDifferences?.filter ?? "") },
    Command(
      "copy-right", "copy right", help: "Copy the entry to the store on the right", keys: [">"],
      places: [.differences], isHint: true, unavailable: needsRow
    ) { state, _ in state.copyDifference(toRight: true) },
    Command(
      "copy-left", "copy left", help: "Copy the entry to the store on the left", keys: ["<"],
      places: [.differences], isHint: true, unavailable: needsRow
    ) { state, _ in state.copyDifference(toRight: false) },
    Command(
      "differences-undo", "undo", help: "Undo the last copy", keys: ["u"], places: [.differences],
      isHint: true,
      unavailable: { state in
        state.storeDifferences?.nextCopy(isRedo: false) == nil ? Messages.noCopyToUndo : nil
      }
    ) { state, _ in state.replayCopy(isRedo: false) },
    Command(
      "differences-redo", "redo", help: "Redo an undone copy", keys: ["Ctrl-R"],
      places: [.differences],
      unavailable: { state in
        state.storeDifferences?.nextCopy(isRedo: true) == nil ? Messages.noCopyToRedo : nil
      }
    ) { state, _ in state.replayCopy(isRedo: true) },
    Command(
      "differences-again", "compare again", help: "Compare all entries again",
      keys: ["F5", "Ctrl-L"], places: [.differences], isHint: true
    ) { state, _ in state.compareStoresAgain() },
  ]

  private static let needsRow: @Sendable (BrowserState) -> String? = { state in
    state.storeDifferences?.selected == nil ? Messages.noneSelected("difference") : nil
  }
}
