import LarderModel

extension Command {
  /// Commands that change the store.
  static let changing: [Command] = [
    Command(
      "edit", "edit", help: "Edits the value, or what is selected of it, in place.", keys: ["e"],
      places: [.keys, .value, .details], isHint: true, needs: .entry,
      unavailable: { needsWritable($0) ?? needsEntry($0) }
    ) { state, _ in state.editSelected() },
    Command(
      "edit-outside", "edit in $EDITOR",
      help:
        "Edits the value, or what is selected of it, in $VISUAL or $EDITOR and writes the result.",
      keys: ["E"], places: [.keys, .value], needs: .entry,
      unavailable: { needsWritable($0) ?? needsOpenValues($0) ?? needsEntry($0) }
    ) { state, _ in state.editSelectedOutside() },
    Command(
      "add", "add",
      help: "Adds an entry under a key that does not exist yet; in a tree of values, a member.",
      keys: ["a"],
      argument: "KEY", isHint: true, needs: .store,
      unavailable: { state in
        needsWritable(state) ?? (state.isInTree ? nil : needsRoom(state))
      }
    ) { state, argument in state.addChosen(argument) },
    Command(
      "rename", "rename",
      help: "Rename the selected entry, or change the prefix of a branch or of all marked keys.",
      keys: ["r", "F2"], places: [.keys, .value], argument: "KEY", needs: .entry,
      unavailable: needsWritable, unmarked: { isOnBranch($0) ? nil : needsEntry($0) }
    ) { state, argument in state.askToRename(to: argument) },
    Command(
      "expiry", "expiry",
      help: "Says until when the selected entry or branch counts, or all that are marked.",
      keys: ["x"], places: [.keys, .value, .details], argument: "WHEN", needs: .entry,
      unavailable: { needsWritable($0) ?? needsExpiry($0) },
      unmarked: { isOnBranch($0) ? nil : needsEntry($0) }
    ) { state, argument in state.askForExpiry(argument) },
    Command(
      "duplicate", "duplicate", help: "Adds a copy of the selected entry under another key.",
      keys: ["C"], places: [.keys, .value], argument: "KEY", needs: .entry,
      unavailable: { needsWritable($0) ?? needsRoom($0) ?? needsEntry($0) }
    ) { state, argument in state.askToRename(to: argument, isCopy: true) },
    Command(
      "copy-to", "copy to",
      help: "Copies the selected entry, or all that are marked, to an open store.",
      keys: [], places: [.keys, .value], argument: "STORE", needs: .entry,
      unmarked: needsEntry
    ) { state, argument in state.askToTransfer(argument, isMove: false) },
    Command(
      "move-to", "move to",
      help: "Moves the selected entry, or all that are marked, to an open store.",
      keys: [], places: [.keys, .value], argument: "STORE", needs: .entry,
      unavailable: needsWritable, unmarked: needsEntry
    ) { state, argument in state.askToTransfer(argument, isMove: true) },
    Command(
      "delete", "delete",
      help: "Deletes the selected entry, branch or member, or all that are marked, after asking.",
      keys: ["d", "Delete"], places: [.keys, .value, .details], isHint: true, needs: .entry,
      unavailable: needsWritable, unmarked: { isOnBranch($0) ? nil : needsEntry($0) }
    ) { state, _ in state.askToDeleteChosen() },
    Command(
      "mark", "mark", help: "Marks the selected key, or takes its mark away.", keys: ["Space"],
      places: [.keys], needs: .list, unavailable: needsEntry
    ) { state, _ in state.toggleMark() },
    Command(
      "mark-range", "mark range",
      help: "Begins a range of keys, then marks it; Esc takes all marks away.", keys: ["V"],
      places: [.keys], needs: .list, unavailable: needsEntry
    ) { state, _ in state.markRange() },
    Command(
      "mark-all", "mark all",
      help: "Marks all keys that are listed, those of a filter or of the whole store.",
      keys: ["A"], places: [.keys], needs: .list, unavailable: needsStore
    ) { state, _ in state.markAll() },
    Command(
      "delete-prefix", "delete prefix",
      help: "Deletes all entries whose keys begin with a text, after their number is typed.",
      keys: ["D"], places: [.keys, .value], argument: "PREFIX", needs: .list,
      unavailable: needsWritable
    ) { state, argument in state.askToDeletePrefix(argument) },
    Command(
      "delete-expired", "delete expired",
      help: "Delete all expired entries, after asking with their number and size.",
      keys: ["X"], places: [.keys, .value, .details], needs: .list,
      unavailable: { needsWritable($0) ?? needsExpiry($0) }
    ) { state, _ in state.askToDeleteExpired() },
    Command(
      "recover", "recover",
      help: "Goes on with text that was typed in an earlier run, which ended before it was saved.",
      keys: ["Ctrl-E"], needs: .store, unavailable: { needsWritable($0) ?? $0.needsDraft() }
    ) { state, _ in state.recover() },
    Command(
      "undo", "undo",
      help: "Takes back the last change of this store, also of an earlier run, or a step of it.",
      keys: ["u"], argument: "STEP", needs: .store,
      unavailable: { needsWritable($0) ?? needsJournal($0) }
    ) { state, argument in state.replay(isRedo: false, argument) },
    Command(
      "redo", "redo", help: "Makes the change again that was taken back last, or a step.",
      keys: ["Ctrl-R"], argument: "STEP", needs: .store,
      unavailable: { needsWritable($0) ?? needsJournal($0) }
    ) { state, argument in state.replay(isRedo: true, argument) },
  ]

  private static let isOnBranch: @Sendable (BrowserState) -> Bool = { state in
    state.keys?.selectedBranch != nil
  }

  private static let needsExpiry: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.capabilities.contains(.expiry) == true
      ? nil : "this store does not keep until when entries count"
  }

  /// Why there can be no new entry, which is asked again where a member was meant and there is none.
  static let needsRoom: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.capabilities.contains(.creates) == true
      ? nil : "this store takes no new entries"
  }

  static let needsJournal: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.capabilities.contains(.undo) == true
      ? nil : "undo is unavailable: this store has no journal"
  }
}
